import { accessSync, constants } from 'node:fs'
import path from 'node:path'

export const ENGINE_FOLDER = path.resolve(import.meta.dirname, '../engine')
export const ENGINE_BUILD = path.join(ENGINE_FOLDER, 'build')

/** The Xray binary to use: the one named by XRAY_BIN, else the one `npm run engine` built. */
export function findEngine(): { xray: string } | { reason: string } {
  const given = process.env['XRAY_BIN']
  if (given) {
    return isExecutable(given) ? { xray: given } : { reason: `XRAY_BIN is ${given}, which is not a program that can be run.` }
  }
  const built = path.join(ENGINE_BUILD, 'xray')
  if (isExecutable(built)) return { xray: built }
  return { reason: 'There is no Xray binary: build it with `npm run engine` (needs Go) or name one in XRAY_BIN.' }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
