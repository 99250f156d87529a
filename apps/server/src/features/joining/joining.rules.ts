import type { NodeFile, NodeProcessor } from '../../ground/node-files/node-files.rules.ts'

export const CODE_LIFE_MS = 3_600_000
/** 5.9 bits each: 188 bits. */
export const CODE_LENGTH = 32
/** Nodes without a port are called on that of https. */
export const HTTPS_PORT = 443

/** Lines that an administrator pastes. `sudo` drops the proxy settings of the account, so that the third line hands them on. */
export function linesOf(url: string): { curl: string; wget: string; proxy: string } {
  const through = 'sudo http_proxy="$http_proxy" https_proxy="$https_proxy" sh'
  return { curl: `curl -fsSL ${url} | sudo sh`, wget: `wget -qO- ${url} | sudo sh`, proxy: `curl -fsSL ${url} | ${through}` }
}

export interface ScriptValues {
  panel: string
  code: string
  node: { uuid: string; name: string; port: number | null; certificates: string[]; isCalling: boolean }
  version: string
  now: Date
  files: Partial<Record<NodeProcessor, NodeFile>>
}

/** The script, with everything that it needs to know in it. */
export function fillScript(template: string, { panel, code, node, version, now, files }: ScriptValues): string {
  const values: Record<string, string> = {
    PANEL: panel,
    CODE: code,
    UUID: node.uuid,
    // Stands in comments and sentences of a shell.
    NAME: node.name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_'),
    PORT: String(node.port ?? HTTPS_PORT),
    VERSION: version,
    MADE_AT: String(Math.floor(now.getTime() / 1000)),
    DIGEST_X64: files.x64?.digest ?? '',
    BYTES_X64: String(files.x64?.bytes ?? 0),
    DIGEST_ARM64: files.arm64?.digest ?? '',
    BYTES_ARM64: String(files.arm64?.bytes ?? 0),
    CALLS: String(node.isCalling),
    CERTIFICATES: node.certificates.join(' '),
  }
  return template.replaceAll(/@([A-Z0-9_]+)@/g, (whole, name: string) => values[name] ?? whole)
}
