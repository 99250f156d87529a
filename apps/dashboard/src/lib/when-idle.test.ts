import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { comeFirst, whenAtRest } from './when-idle.ts'

let idle: (() => void)[] = []

beforeEach(() => {
  idle = []
  vi.stubGlobal('window', { requestIdleCallback: true })
  vi.stubGlobal('requestIdleCallback', (act: () => void) => idle.push(act))
  vi.stubGlobal('cancelIdleCallback', (place: number) => (idle[place - 1] = () => {}))
})
afterEach(() => vi.unstubAllGlobals())

function rest(): void {
  for (const act of idle.splice(0)) act()
}

test('what nobody has asked for waits until all that comes first is ready, also where that began later', () => {
  const act = vi.fn<() => void>()
  const ready = comeFirst()
  whenAtRest(act)
  rest()
  expect(act).not.toHaveBeenCalled()
  ready()
  const readyToo = comeFirst()
  rest()
  expect(act).not.toHaveBeenCalled()
  ready() // Once is enough.
  rest()
  expect(act).not.toHaveBeenCalled()
  readyToo()
  rest()
  expect(act).toHaveBeenCalledOnce()
})

test('who left meanwhile is not told', () => {
  const act = vi.fn<() => void>()
  const ready = comeFirst()
  const forget = whenAtRest(act)
  forget()
  ready()
  whenAtRest(act)()
  rest()
  expect(act).not.toHaveBeenCalled()
})
