import { describe, expect, it } from 'vitest'
import { buildUrl } from './url.ts'

describe('request addresses', () => {
  it('CALL-005 route parameters fill the template, query parameters follow', () => {
    expect(buildUrl('/api/nodes/:uuid/actions/enable', { uuid: 'a b/c' })).toBe('/api/nodes/a%20b%2Fc/actions/enable')
    expect(buildUrl('/api/users', {}, { size: 25 })).toBe('/api/users?size=25')
  })

  it('CALL-006 empty and null query values are dropped', () => {
    expect(buildUrl('/api/users', {}, { a: '', b: null, c: undefined, d: 'x' })).toBe('/api/users?d=x')
  })

  it('CALL-007 objects and lists are sent as JSON', () => {
    const url = buildUrl('/api/users', {}, { filters: [{ id: 'status', value: 'ACTIVE' }], sorting: [] })
    const query = new URLSearchParams(url.split('?')[1])
    expect(query.get('filters')).toBe('[{"id":"status","value":"ACTIVE"}]')
    expect(query.get('sorting')).toBe('[]')
  })

  it('CALL-008 the number 0 is kept', () => {
    expect(buildUrl('/api/users', {}, { start: 0 })).toBe('/api/users?start=0')
  })
})
