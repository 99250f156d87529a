import { listUsers } from '@causeway/contract'
import { expect, it } from 'vitest'
import { buildUrl } from '../../api/url.ts'
import { emptyView } from '../../ui/table/data-table-view.ts'
import { accessibleNodesQuery, devicesQuery, tagsQuery, userQuery, toUsersInput, usersTableQuery } from './users.queries.ts'
import { usersColumns, usersTableKept } from './table/users-columns.tsx'

const COLUMNS = ['username', 'status', 'createdAt']
const UUID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301'

it('USER-083 the list is stale after 20 s and read every 25 s, unless rows are selected', () => {
  expect(usersTableQuery(emptyView, COLUMNS, false)).toMatchObject({ staleTime: 20_000, refetchInterval: 25_000 })
  expect(usersTableQuery(emptyView, COLUMNS, true).refetchInterval).toBe(false)
})

it('USER-082 a user is stale after 3 s and read every 35 s', () => {
  expect(userQuery(UUID)).toMatchObject({ staleTime: 3000, refetchInterval: 35_000 })
})

it('USER-080 tags are stale and read again after 15 s', () => {
  expect(tagsQuery()).toMatchObject({ staleTime: 15_000, refetchInterval: 15_000 })
})

it('UDRAWER-011 accessible nodes are stale after 60 s and read whenever the drawer opens', () => {
  expect(accessibleNodesQuery(UUID)).toMatchObject({ staleTime: 60_000, refetchOnMount: 'always' })
})

it('UDRAWER-038 devices are stale and read again after 20 s', () => {
  expect(devicesQuery(UUID)).toMatchObject({ staleTime: 20_000, refetchInterval: 20_000 })
})

it('the view becomes the query of the wire: an offset in rows, filters that contain, sorting in order', () => {
  const view = {
    ...emptyView,
    pageIndex: 3,
    pageSize: 50,
    filters: { username: 'an', ghost: 'x' },
    sorting: [
      { id: 'createdAt', desc: true },
      { id: 'ghost', desc: false },
    ],
  }
  expect(toUsersInput(view, COLUMNS)).toEqual({
    start: 150,
    size: 50,
    // A column that an older version stored would be an error of the server.
    filters: [{ id: 'username', value: 'an' }],
    filterModes: { username: 'contains', status: 'contains', createdAt: 'contains' },
    sorting: [{ id: 'createdAt', desc: true }],
  })
  expect(listUsers.query.safeParse(toUsersInput(view, COLUMNS)).success).toBe(true)
  expect(buildUrl(listUsers.path, {}, toUsersInput(emptyView, COLUMNS))).toContain('start=0&size=25&filters=%5B%5D')
})

it('columns are hidden by default as the specification says; those of our own do not widen the table', () => {
  const isShown = (id: string) => usersTableKept.defaults.visibility[id] !== false
  const specified = ['username', 'status', 'nodeName', 'expireAt', 'usedTrafficBytes', 'tag', 'activeInternalSquads']
  const shown = [...specified, 'firstConnectedAt', 'lastTrafficResetAt']
  expect(
    usersColumns
      .map(({ id }) => id)
      .filter(isShown)
      .toSorted(),
  ).toEqual(shown.toSorted())
})
