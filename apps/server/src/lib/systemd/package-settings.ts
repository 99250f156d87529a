import { existsSync, readFileSync } from 'node:fs'
import { parseSettingsFile } from './settings-file.ts'
import { ROOT } from '../product.ts'

const PACKAGE_ROOT = '/usr/lib/causeway'
const SETTINGS_FILE = '/etc/causeway/causeway.env'
const DATA_DIR = '/var/lib/causeway'

/**
 * Gives a subcommand of an installed package what the unit gives the server, unless the terminal says otherwise.
 * @throws Error with a sentence where the settings are not for this account
 */
export function readPackageSettings(env: NodeJS.ProcessEnv, root = ROOT, file = SETTINGS_FILE): void {
  if (root !== PACKAGE_ROOT || env['DATA_DIR'] !== undefined || !existsSync(file)) return
  Object.assign(env, { DATA_DIR, CAUSEWAY_ENV_FILE: file }, parseSettingsFile(file, readSettings(file)).values, env)
}

function readSettings(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`${file} cannot be read by this account. Run the command as root, or: sudo -u causeway causeway ...`, {
      cause: error,
    })
  }
}
