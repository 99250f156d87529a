import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { emptyNodeConfig, newProfile, NodeConfigBuilder, seedProfile, type XrayObject } from '@causeway/xray'
import { engine } from '../../../test/engine.ts'

// What we render and build, judged by the real Xray. The client configs are those of the golden files.

const golden = path.resolve(import.meta.dirname, '../../../../../packages/subscription/src/formats/golden')
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-configs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface ClientConfig {
  remarks: string
  outbounds: XrayObject[]
}

/** REALITY over WebSocket or mKCP exists in no Xray, and a host whose private key is broken has no public one to give. */
function isPossible({ remarks }: ClientConfig): boolean {
  return !/ (ws|ws-early|httpupgrade|kcp) reality$|^same \^~3~\^$/.test(remarks)
}

/** Why Xray refuses a config; nothing when it takes it. */
function refusalOf(config: unknown): string | undefined {
  const file = path.join(folder, 'config.json')
  writeFileSync(file, JSON.stringify(config))
  const { status, stdout, stderr } = spawnSync(engine.xray ?? '', ['run', '-test', '-c', file], { encoding: 'utf8' })
  // Warnings of what is old-fashioned stand around the reason.
  return status === 0 ? undefined : (/^Failed.*$/m.exec(`${stdout}\n${stderr}`)?.[0] ?? `${stdout}${stderr}`)
}

describe.skipIf(engine.reason)('the real Xray', () => {
  test.each(readdirSync(golden).filter((file) => file.endsWith('.xray-json.json')))(
    'takes every client config of %s that its transports allow, and no other',
    { timeout: 60_000 },
    (file) => {
      const configs = JSON.parse(readFileSync(path.join(golden, file), 'utf8')) as ClientConfig[] // the format's own shape
      const [possible, impossible] = [configs.filter(isPossible), configs.filter((config) => !isPossible(config))]
      expect(possible.length).toBeGreaterThan(0)
      // One process for all that it takes: what differs is the outbound that stands first.
      const outbounds = possible.map(({ outbounds: [own] }, index) => ({ ...own, tag: `proxy ${index}` }))
      const [, ...others] = possible[0]?.outbounds ?? []
      expect(refusalOf({ ...possible[0], routing: undefined, outbounds: [...outbounds, ...others] })).toBeUndefined()
      for (const config of impossible.slice(0, 4)) expect(refusalOf(config)).toMatch(/REALITY/)
    },
  )

  test('takes node configs of every protocol, transport and security, with and without users', { timeout: 60_000 }, () => {
    const profile = {
      log: { loglevel: 'warning' },
      inbounds: serverInbounds(),
      outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    }
    const tags = profile.inbounds.map((inbound) => String(inbound['tag']))
    for (const users of [0, 3]) {
      const builder = new NodeConfigBuilder(emptyNodeConfig(profile, tags))
      for (let index = 0; index < users; index++) {
        builder.add({
          username: `user_${index}`,
          vlessUuid: `00000000-0000-4000-8000-00000000000${index}`,
          trojanPassword: `trojan-password-${index}`,
          ssPassword: `ss-password-${index}`,
          tags,
        })
      }
      const { config, hashes } = builder.build((text) => text)
      expect(hashes.inbounds).toHaveLength(users === 0 ? 0 : tags.length)
      expect(refusalOf(config)).toBeUndefined()
    }
  })

  test('takes the profiles that a new panel and a new profile start with, also without any user', () => {
    for (const profile of [seedProfile(), newProfile(7)]) {
      const tags = profile['inbounds'] as { tag: string }[] // as made by the functions above
      expect(
        refusalOf(
          emptyNodeConfig(
            profile,
            tags.map(({ tag }) => tag),
          ),
        ),
      ).toBeUndefined()
      expect(refusalOf(profile)).toBeUndefined()
    }
  })
})

function serverInbounds(): XrayObject[] {
  const { stdout } = spawnSync(engine.xray ?? '', ['tls', 'cert'], { encoding: 'utf8' })
  const certificate: unknown = JSON.parse(stdout)
  const securities: Record<string, XrayObject> = {
    none: { security: 'none' },
    tls: { security: 'tls', tlsSettings: { certificates: [certificate] } },
    reality: {
      security: 'reality',
      realitySettings: {
        target: 'example.com:443',
        serverNames: ['example.com'],
        privateKey: '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA',
        shortIds: ['0a'],
      },
    },
  }
  const transports: Record<string, XrayObject> = {
    unwritten: {},
    raw: { network: 'raw' },
    'tcp-http': { network: 'tcp', tcpSettings: { header: { type: 'http' } } },
    ws: { network: 'ws', wsSettings: { path: '/ws' } },
    httpupgrade: { network: 'httpupgrade', httpupgradeSettings: { path: '/up' } },
    xhttp: { network: 'xhttp', xhttpSettings: { path: '/xh' } },
    grpc: { network: 'grpc', grpcSettings: { serviceName: 'service' } },
    kcp: { network: 'kcp' },
  }
  const isPossible = (transport: string, security: string): boolean =>
    security !== 'reality' || !/^(ws|httpupgrade|kcp)$/.test(transport)
  const settings: Record<string, XrayObject> = {
    vless: { decryption: 'none' },
    vmess: {},
    trojan: {},
    shadowsocks: { network: 'tcp' },
  }
  let port = 20_000
  const hysteria = {
    tag: 'hysteria',
    protocol: 'hysteria',
    port: port++,
    listen: '127.0.0.1',
    settings: { version: 2 },
    streamSettings: { ...securities['tls'], network: 'hysteria', hysteriaSettings: { version: 2 } },
  }
  const others = Object.entries(settings).flatMap(([protocol, own]) =>
    Object.entries(transports).flatMap(([transport, network]) =>
      Object.entries(securities)
        .filter(([security]) => isPossible(transport, security))
        .map(([security, secured]) => ({
          tag: `${protocol} ${transport} ${security}`,
          protocol,
          port: port++,
          listen: '127.0.0.1',
          settings: own,
          streamSettings: { ...network, ...secured },
        })),
    ),
  )
  return [hysteria, ...others]
}
