import { objectAt, textAt, type XrayObject } from './config.ts'
import type { ProfileProblem } from './profile-values.ts'

/** A log would be appended to one of these. */
const KEY_FILE = /\.(pem|key|crt|cer|der|pfx|p12)$/i

/** Log files of a profile outside these folders: the core writes them on the node, often as root. */
export function checkLogFiles(config: XrayObject, folders: readonly string[]): ProfileProblem[] {
  const log = objectAt(config, 'log')
  return ['access', 'error'].flatMap((key) => {
    const file = textAt(log, key)
    if (file === '' || file === 'none') return []
    const path = `log.${key}`
    if (!folders.some((folder) => isInside(file, folder))) {
      const message = `The log file ${file} is not in a folder of LOG_DIRS (${folders.join(', ')}). Name one there, or "none".`
      return [{ path, message }]
    }
    return KEY_FILE.test(file)
      ? [{ path, message: `The log file ${file} is named like a certificate or key. Name it otherwise.` }]
      : []
  })
}

/** By the text alone: the file lies on the node. */
function isInside(file: string, folder: string): boolean {
  const parts = file.split('/')
  return file.startsWith(`${folder.replace(/\/+$/, '')}/`) && !parts.includes('..') && !file.endsWith('/')
}
