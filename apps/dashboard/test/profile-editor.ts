import {
  getConfigProfile,
  listConfigProfiles,
  listSnippets,
  planChange,
  updateConfigProfile,
  type ConfigProfile,
} from '@causeway/contract'
import { beforeAll } from 'vitest'
import { page } from 'vitest/browser'
import { writeInto } from './code-editor.ts'
import { answer } from './fake-api.ts'
import { givenEngine } from './fake-engine.ts'
import { sampleConfigProfile, samplePlan, uuid } from './samples.ts'

// What the tests of the profile editor begin with.

// Hundreds of files the first time: no test is to wait for them.
beforeAll(() => import('../src/ui/editor/code-editor-canvas.tsx'), 120_000)

export const ADDRESS = `/dashboard/management/config-profiles/${uuid(201)}`
export const CONFIG = { log: { loglevel: 'info' }, inbounds: [{ tag: 'A', port: 443, protocol: 'vless' }] }
export const TEXT = JSON.stringify(CONFIG, null, 2)
/** Refuses what holds this word, saying where. */
const REFUSING = `return text.includes('wormhole') ? 'failed to build inbound config with tag A: unknown config id: wormhole' : null`

export const editor = page.getByRole('textbox', { name: /^Xray config/ })
export const save = page.getByRole('button', { name: 'Save', exact: true })
export const saveAnyway = page.getByRole('button', { name: 'Save anyway' })
export const verdict = page.getByRole('status').filter({ hasText: /\d\d:\d\d:\d\d/ })
export const dialog = page.getByRole('dialog')

export function given(
  profile: Partial<ConfigProfile> = {},
  engine: Parameters<typeof givenEngine>[0] = { check: REFUSING },
): void {
  const whole = sampleConfigProfile({ config: CONFIG, ...profile })
  let stored = whole
  answer(getConfigProfile, () => stored)
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [stored] }))
  answer(updateConfigProfile, ({ config }) => (stored = { ...stored, config, updatedAt: new Date().toISOString() }))
  answer(listSnippets, () => ({ total: 0, snippets: [] }))
  answer(planChange, () => samplePlan())
  givenEngine(engine)
}

/** The verdict of the engine may stand before the editor does. */
export const write = (text: string) => writeInto(editor, text)

/** What the panel takes and Xray does not. */
export const BROKEN = TEXT.replace('"protocol"', '"listen": "wormhole",\n      "protocol"')
export const CHANGED = TEXT.replace('443', '8443')

/** In the dialog that says what the save does. */
export const saveNow = page.getByRole('button', { name: 'Save now' })
