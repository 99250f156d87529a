import { accessSync, constants } from 'node:fs'
import path from 'node:path'

const built = path.resolve(import.meta.dirname, '../../../engine/build/xray')

/** The real Xray for tests, or why they are skipped. REQUIRE_ENGINE=1 makes its absence a failure. */
export const engine = find()

function find(): { xray: string; reason?: never } | { xray?: never; reason: string } {
  const xray = process.env['XRAY_BIN'] || built
  try {
    accessSync(xray, constants.X_OK)
    return { xray }
  } catch {
    const reason = `no Xray binary at ${xray}: build it with \`npm run engine\` or name one in XRAY_BIN`
    if (process.env['REQUIRE_ENGINE'] === '1') throw new Error(reason)
    console.warn(`Tests with the real Xray are skipped: ${reason}.`)
    return { reason }
  }
}
