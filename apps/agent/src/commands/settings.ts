import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

/** Where a package and the joining script put things. */
export const PLACES = {
  settings: '/etc/causeway/causeway-node.env',
  data: '/var/lib/causeway-node',
  cache: '/var/cache/causeway-node',
  program: '/opt/causeway-node',
  packaged: '/usr/lib/causeway-node',
  unit: '/etc/systemd/system/causeway-node.service',
  link: '/usr/local/bin/causeway-node',
} as const
export const SERVICE = 'causeway-node'
export const ACCOUNT = 'causeway-node'

/** Settings of the agent on this machine, as its service gets them. @throws Error where they are for root only */
export function readSettings(): Record<string, string | undefined> {
  const settings = { DATA_DIR: PLACES.data, ...process.env }
  if (!existsSync(PLACES.settings)) return settings
  return { ...settings, ...parseEnv(readForRoot(PLACES.settings)) }
}

/** @throws Error with a sentence where the file is for others only */
export function readForRoot(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES')
      throw new Error(`${file} is for root only. Run this with sudo.`, { cause: error })
    throw error
  }
}

export function hasSystemd(): boolean {
  return existsSync('/run/systemd/system')
}
