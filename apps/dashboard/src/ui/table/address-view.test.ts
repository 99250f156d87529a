import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  isTypedOn,
  lastingView,
  readAddress,
  withoutView,
  writeAddress,
  type ViewPosition,
  type ViewKeys,
} from './address-view.ts'
import { emptyView, PAGE_SIZES } from './data-table-view.ts'

const keys: ViewKeys = {
  filters: ['status', 'username', 'among'],
  typed: ['username'],
  passing: ['among'],
  sorts: ['expireAt', 'username'],
}
const read = (search: Record<string, unknown>) => readAddress(search, keys, 50)

describe('a view in the address', () => {
  it('reads as words, and says nothing that is not needed but the page size', () => {
    const view = { filters: { status: 'ACTIVE' }, sorting: [{ id: 'expireAt', desc: true }], pageIndex: 2, pageSize: 100 }
    expect(writeAddress(view, keys)).toEqual({ status: 'ACTIVE', sort: '-expireAt', page: '3', size: '100' })
    expect(writeAddress(emptyView, keys)).toEqual({ size: '25' })
  })

  it('says everything: whoever opens it sees the same, whatever they looked at before', () => {
    const sorting = fc.uniqueArray(fc.record({ id: fc.constantFrom('expireAt', 'username'), desc: fc.boolean() }), {
      selector: ({ id }) => id,
    })
    const filters = fc.dictionary(fc.constantFrom('status', 'username', 'among'), fc.string({ minLength: 1 }))
    const views = fc.record<ViewPosition>({ filters, sorting, pageIndex: fc.nat(9999), pageSize: fc.constantFrom(...PAGE_SIZES) })
    fc.assert(
      fc.property(views, fc.constantFrom(...PAGE_SIZES), (view, ownSize) => {
        const address = new URLSearchParams(writeAddress(view, keys)).toString()
        expect(readAddress(Object.fromEntries(new URLSearchParams(address)), keys, ownSize)).toEqual(view)
      }),
    )
  })

  it('is silent only where nothing of the view is said; a link that names a filter takes one’s own page size', () => {
    expect(read({})).toBeUndefined()
    expect(read({ edit: 'someone', status: '' })).toBeUndefined()
    expect(read({ size: '25' })).toEqual({ filters: {}, sorting: [], pageIndex: 0, pageSize: 25 })
    expect(read({ among: 'nearLimit' })).toEqual({ filters: { among: 'nearLimit' }, sorting: [], pageIndex: 0, pageSize: 50 })
  })

  it.each([
    [{ page: '0' }, { pageIndex: 0 }],
    [{ page: '-3' }, { pageIndex: 0 }],
    [{ page: '1e9' }, { pageIndex: 0 }],
    [{ page: '999999999999' }, { pageIndex: 0 }],
    [{ size: '33' }, { pageSize: 50 }],
    [{ sort: 'password' }, { sorting: [] }],
    [{ sort: '-expireAt,expireAt,,--username' }, { sorting: [{ id: 'expireAt', desc: true }] }],
    [{ sort: ['expireAt'], size: '25' }, { sorting: [] }],
    [{ evil: 'x', size: '25' }, { filters: {} }],
  ])('what somebody wrote into it by hand does no harm: %j', (search, expected) => {
    expect(read(search)).toMatchObject(expected)
  })

  it('leaves open dialogs where they are', () => {
    expect(withoutView({ edit: 'someone', status: 'ACTIVE', sort: 'x', page: '2', size: '25' }, keys)).toEqual({
      edit: 'someone',
    })
  })
})

describe('what Back comes back to', () => {
  const typed = (before: Record<string, string>, after: Record<string, string>) => isTypedOn(before, after, keys.typed)
  it('is no letter of a word that was being typed', () => {
    expect(typed({ username: 'an', size: '25' }, { username: 'ann', size: '25' })).toBe(true)
  })
  it.each([
    ['a first letter', { size: '25' }, { size: '25', username: 'a' }],
    ['a text that was cleared', { username: 'a' }, {}],
    ['another choice', { status: 'ACTIVE' }, { status: 'LIMITED' }],
    ['a word and a page', { username: 'a', page: '2' }, { username: 'an' }],
    ['the same again', { username: 'a' }, { username: 'a' }],
  ])('is %s', (_, before, after) => {
    expect(typed(before, after)).toBe(false)
  })
})

it('filters of one visit are not found again, nor the page that one was on with them', () => {
  const looked = { filters: { status: 'ACTIVE', among: 'nearLimit' }, sorting: [], pageIndex: 3, pageSize: 50 }
  expect(lastingView(looked, keys)).toEqual({ filters: { status: 'ACTIVE' }, sorting: [], pageIndex: 0, pageSize: 50 })
  const lasting = { ...looked, filters: { status: 'ACTIVE', username: 'an' } }
  expect(lastingView(lasting, keys)).toEqual(lasting)
})
