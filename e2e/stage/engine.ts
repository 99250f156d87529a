import { test } from '@playwright/test'
import { findEngine } from '../../scripts/find-engine.ts'

const found = findEngine()

/** The Xray that stands behind the tests; empty where there is none, and where `needsEngine` skips who asks for it. */
export const xray = 'xray' in found ? found.xray : ''

/** Skips the file or group that calls it where there is no Xray; with REQUIRE_ENGINE=1 it fails. */
export function needsEngine(): void {
  if (!('reason' in found)) return
  const { reason } = found
  if (process.env['REQUIRE_ENGINE'] !== '1') return test.skip(true, reason)
  // Not at once: a file that cannot be read would keep all others from being run.
  test.beforeAll(() => {
    throw new Error(reason)
  })
}
