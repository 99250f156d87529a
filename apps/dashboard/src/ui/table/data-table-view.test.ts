import { describe, expect, it } from 'vitest'
import { emptyView, readView } from './data-table-view.ts'

const stored = (state: unknown, version = 2) => JSON.stringify({ version, state })

describe('a stored table view', () => {
  it('comes back as it was stored', () => {
    const view = { ...emptyView, pageSize: 100, filters: { username: 'a' }, visibility: { tag: false } }
    expect(readView(stored(view), 2, emptyView)).toEqual(view)
  })

  it('is dropped when it has another version', () => {
    expect(readView(stored({ ...emptyView, pageSize: 100 }, 1), 2, emptyView)).toEqual(emptyView)
  })

  it.each([
    ['nothing stored', null],
    ['text that is no JSON', '{'],
    ['null', 'null'],
    ['no state', '{"version":2}'],
    ['a state of null', '{"version":2,"state":null}'],
    ['values of another kind', stored({ pageSize: 'many', sorting: {}, filters: null, order: 'x' })],
  ])('falls back to the defaults on %s', (_, text) => {
    expect(readView(text, 2, emptyView)).toEqual(emptyView)
  })

  it('keeps what it knows and takes the default for what is missing', () => {
    expect(readView(stored({ pageSize: 50 }), 2, emptyView)).toEqual({ ...emptyView, pageSize: 50 })
  })
})
