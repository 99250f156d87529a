import net from 'node:net'
import { expect, test, vi } from 'vitest'
import { sql } from 'kysely'
import { testDatabase } from '../../../test/postgres.ts'
import { connect } from './connect.ts'

test('a connection asks after its other end within a minute, not after the two hours of the system', async () => {
  const asking = vi.spyOn(net.Socket.prototype, 'setKeepAlive')
  const database = await testDatabase()
  const connected = connect(database.url)
  try {
    await sql`select 1`.execute(connected.db)
    const [isOn, afterMs] = asking.mock.calls.at(-1) ?? []
    expect(isOn).toBe(true)
    expect(afterMs).toBeGreaterThanOrEqual(1000) // less than a second counts as none
    expect(afterMs).toBeLessThanOrEqual(60_000)
  } finally {
    asking.mockRestore()
    await connected.close()
    await database.drop()
  }
})

test('a connection that breaks is told, and one that breaks while it is being closed is not', async () => {
  const database = await testDatabase()
  const broken: string[] = []
  const connected = connect(database.url, { onError: (error) => void broken.push(error.message) })
  const other = connect(database.url)
  const end = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`.execute(
      other.db,
    )
  try {
    await sql`select 1`.execute(connected.db)
    await end()
    await expect.poll(() => broken).toContainEqual(expect.stringContaining('terminating connection'))
    await sql`select 1`.execute(connected.db)
    const before = broken.length
    await Promise.all([connected.close(), end()])
    expect(broken).toHaveLength(before)
  } finally {
    await other.close()
    await database.drop()
  }
})
