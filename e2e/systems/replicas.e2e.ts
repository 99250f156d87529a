import { readFileSync } from 'node:fs'
import { updateUser } from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { signedIn, startPanel, type Panel } from '../stage/panel.ts'
import { until } from '../stage/processes.ts'
import { seeding } from '../stage/seeding.ts'
import { startCluster, type Cluster } from './cluster.ts'

// Subscriptions of a standby, and of one that stops replaying what the leader writes.

const LIMIT_MS = 300_000
const LAG_SECONDS = 2

let cluster: Cluster
let panel: Panel | undefined
test.afterAll(async () => {
  await panel?.close()
  await cluster?.stop()
})

test('SCALE-002 subscriptions are read from a replica, a late one is left out and told, and a new link is found at once', async () => {
  test.setTimeout(LIMIT_MS)
  cluster = await startCluster()
  panel = await startPanel({
    database: { databaseUrl: cluster.url },
    env: { ROLE: 'api', DATABASE_REPLICA_URL: cluster.url, DATABASE_REPLICA_LAG_SECONDS: String(LAG_SECONDS), LOG_LEVEL: 'info' },
  })
  const { origin, process: server } = panel
  const { api } = await signedIn(panel)
  const seed = seeding(api)
  const user = await seed.makeUser()
  const leader = await cluster.leader()
  const standby = cluster.members.find(({ name }) => name !== leader.name)
  if (!standby) throw new Error('There is no standby.')
  const stateOf = async () => {
    const reply = await fetch(`${origin}/health/ready`)
    const { replicas } = (await reply.json()) as { replicas: { host: string; state: string }[] } // its own form
    return replicas.find(({ host }) => host === `${standby.address}:5432`)?.state
  }
  const nameOf = async (link: string) => {
    const reply = await fetch(`${origin}/api/sub/${link}/info`)
    const body = (await reply.json()) as { response?: { user: { username: string; userStatus: string } } } // the wire's own form
    return body.response?.user
  }
  await until('the replica is fresh', async () => (await stateOf()) === 'fresh')

  for (let count = 0; count < 20; count++) expect(await nameOf(user.shortUuid)).toHaveProperty('username', user.username)
  const asked = cluster.sql(
    standby,
    `select count(*) from pg_stat_activity where query like '%"shortUuid"%' and application_name = 'causeway'`,
  )
  expect(Number(asked)).toBeGreaterThan(0)

  standby.stopReplay()
  const made = await seed.makeUser()
  expect(await nameOf(made.shortUuid)).toHaveProperty('username', made.username)
  await api(updateUser, { uuid: user.uuid, status: 'DISABLED' })
  await until(
    'the replica is late',
    async () => {
      await seed.makeUser()
      return (await stateOf()) === 'late'
    },
    60_000,
  )
  expect(await nameOf(user.shortUuid)).toHaveProperty('userStatus', 'DISABLED')
  expect(readFileSync(server.logFile, 'utf8')).toMatch(/The replica [\d.:]+ is \d+ s behind; it is left out\./)

  standby.goOnReplaying()
  await until('the replica is fresh again', async () => (await stateOf()) === 'fresh')
  expect(readFileSync(server.logFile, 'utf8')).toContain('is used again.')
  expect(await nameOf(user.shortUuid)).toHaveProperty('userStatus', 'DISABLED')
})
