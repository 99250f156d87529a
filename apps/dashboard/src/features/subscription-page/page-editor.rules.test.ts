import type { PageApp, PageConfig } from '@causeway/contract'
import { pageConfigProblems } from '@causeway/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addApp,
  begin,
  changeApp,
  duplicateApp,
  forPreview,
  moveApp,
  NEW_BUTTON,
  NEW_EXTRA_STEP,
  openConfig,
  redo,
  removeApp,
  selectPlatform,
  shownApps,
  step,
  undo,
  type Editor,
} from './page-editor.rules.ts'

const text = { en: 'a', fa: 'b', ru: 'c' }
const app = (id: string): PageApp => ({
  id,
  name: id,
  isFeatured: false,
  urlScheme: '',
  installationStep: { description: text, buttons: [] },
  addSubscriptionStep: { description: text },
  connectAndUseStep: { description: text },
})
const config: PageConfig = { ios: [], android: [app('a'), app('b'), app('c')], pc: [app('d')] }
const NOW = new Date(1_794_744_000_000)
const ids = (editor: Editor) => shownApps(editor).map(({ id }) => id)

it('SPB-021 SPB-025 each device has its apps; the first that has any is shown, with its first app', () => {
  expect(openConfig(config)).toMatchObject({ platform: 'android', selected: 0 })
  expect(openConfig({ ios: [], android: [], pc: [] })).toMatchObject({ platform: 'ios', selected: undefined })
  const changed = changeApp(selectPlatform(openConfig(config), 'pc'), 0, { name: 'changed' })
  expect(changed.config.android).toBe(config.android)
  expect(changed.config.pc[0]?.name).toBe('changed')
})

describe('apps', () => {
  const editor = openConfig(config)
  it('SPB-010 SPB-011 SPB-022 are added at the end', () => {
    const added = addApp(editor, NOW)
    expect(shownApps(added).at(-1)).toMatchObject({
      id: 'new-app-android-1794744000000',
      name: 'New App',
      isFeatured: false,
      urlScheme: '',
    })
    expect(added.selected).toBe(0)
  })
  it('SPB-024 are deleted, and the first of the rest is selected', () => {
    const removed = removeApp({ ...editor, selected: 1 }, 1)
    expect([ids(removed), removed.selected]).toEqual([['a', 'c'], 0])
    expect(removeApp(selectPlatform(editor, 'pc'), 0).selected).toBeUndefined()
  })
  it('SPB-023 stay selected under a new id', () => {
    const renamed = changeApp({ ...editor, selected: 1 }, 1, { id: 'renamed' })
    expect(shownApps(renamed)[renamed.selected ?? 0]?.id).toBe('renamed')
  })
  it('are copied and moved, and the selection goes with them', () => {
    const copied = duplicateApp(editor, 0, NOW)
    expect([ids(copied), copied.selected]).toEqual([['a', 'a-1794744000000', 'b', 'c'], 1])
    const movedOn = moveApp(editor, 0, 2)
    expect([ids(movedOn), movedOn.selected]).toEqual([['b', 'c', 'a'], 2])
    expect(moveApp({ ...editor, selected: 1 }, 0, 2).selected).toBe(0)
  })
  it('SPB-026 SPB-027 SPB-028 get and lose an optional step, and buttons', () => {
    const withStep = changeApp(editor, 0, { additionalBeforeAddSubscriptionStep: NEW_EXTRA_STEP })
    const empty = { en: '', fa: '', ru: '' }
    expect(shownApps(withStep)[0]?.additionalBeforeAddSubscriptionStep).toEqual({ title: empty, description: empty, buttons: [] })
    const without = changeApp(withStep, 0, { additionalBeforeAddSubscriptionStep: undefined })
    expect(shownApps(without)[0]).toEqual(shownApps(editor)[0])
    const withButton = changeApp(editor, 0, { installationStep: { description: text, buttons: [NEW_BUTTON] } })
    expect(shownApps(withButton)[0]?.installationStep.buttons).toEqual([{ buttonLink: '', buttonText: empty }])
  })
})

it('undo and redo go back and forth over whatever was done; typing on in a field is one step', () => {
  const steps = fc.array(fc.tuple(fc.constantFrom('add', 'remove', 'type', 'move', 'copy'), fc.nat(3)), { maxLength: 30 })
  fc.assert(
    fc.property(steps, (all) => {
      const editors = [openConfig(config)]
      let history = begin(openConfig(config))
      for (const [what, index] of all) {
        const { present } = history
        const next = {
          add: () => addApp(present, NOW),
          remove: () => removeApp(present, index),
          type: () => changeApp(present, index, { name: `typed ${index}` }),
          move: () => moveApp(present, index, 0),
          copy: () => duplicateApp(present, index, NOW),
        }[what]()
        if (next.config !== present.config) editors.push(next)
        history = step(history, next)
      }
      const { present } = history
      for (const editor of editors.toReversed().slice(1)) expect((history = undo(history)).present.config).toEqual(editor.config)
      for (const editor of editors.slice(1)) expect((history = redo(history)).present.config).toEqual(editor.config)
      expect(history.present.config).toEqual(present.config)
    }),
  )
  let history = begin(openConfig(config))
  for (const name of ['x', 'xy', 'xyz']) history = step(history, changeApp(history.present, 0, { name }), 'name of 0')
  expect(undo(history).present.config).toEqual(config)
})

it('what is not filled in yet can be previewed all the same', () => {
  const unfinished = changeApp(addApp(openConfig(config), NOW), 3, {
    installationStep: { description: { en: '', fa: '', ru: '' }, buttons: [NEW_BUTTON] },
    additionalAfterAddSubscriptionStep: NEW_EXTRA_STEP,
  })
  expect(pageConfigProblems(unfinished.config)).not.toEqual([])
  expect(pageConfigProblems(forPreview(unfinished.config))).toEqual([])
})
