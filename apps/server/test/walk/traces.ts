import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { TestServer } from '../server.ts'
import type { World } from './inhabitants.ts'

// What nodes, apps, callers and other servers leave behind: three rows or more in every table that no administrator writes.

const AT = new Date('2026-03-01T10:00:00.000Z')
const FAR_OFF = new Date('2098-01-01')
const TORRENT = {
  email: 'ann',
  level: 0,
  protocol: 'bittorrent',
  network: 'tcp',
  source: '198.51.100.1:50000',
  destination: '192.0.2.1:6881',
  routeTarget: null,
  originalTarget: null,
  inboundTag: 'M_VLESS',
  inboundName: 'vless',
  inboundLocal: null,
  outboundTag: 'CAUSEWAY_TORRENT',
  ts: 1,
}
export const DAYS = ['2026-03-01', '2026-03-02', '2026-03-03'] as const

type Known = Pick<World, 'profiles' | 'nodes' | 'users'>

export async function leaveTraces(server: TestServer, known: Known): Promise<Pick<World, 'rollouts' | 'jobs'>> {
  const { db } = server.ctx
  const users = await db.selectFrom('users').select(['id', 'username']).orderBy('id').execute()
  const nodes = await db.selectFrom('nodes').select(['id', 'name', 'uuid']).orderBy('id').execute()
  const userId = idsBy(users.map(({ id, username }) => [username, id]))
  const nodeId = idsBy(nodes.map(({ id, name }) => [name, id]))
  await moveTraffic(server, users, nodes)
  await db.updateTable('users').set({ status: 'LIMITED' }).where('username', 'in', ['eve', 'emil']).execute()
  await db.updateTable('users').set({ status: 'EXPIRED' }).where('username', 'in', ['fay', 'finn']).execute()
  await db.updateTable('nodes').set({ isDisabled: true }).where('name', '=', 'delta').execute()
  await runNodes(server, users, nodes)
  await callIn(server, userId)
  await db
    .insertInto('userMetadata')
    .values(['cat', 'dan', 'eve'].map((name) => ({ userId: userId(name), metadata: JSON.stringify({ of: name }) })))
    .execute()
  await db
    .insertInto('nodeMetadata')
    .values(['beta', 'gamma', 'delta'].map((name) => ({ nodeId: nodeId(name), metadata: JSON.stringify({ of: name }) })))
    .execute()
  await db
    .insertInto('torrentReports')
    .values(
      nodes.slice(0, 3).map(({ id }, index) => ({
        uuid: randomUUID(),
        nodeId: id,
        userId: users[index]?.id ?? 0,
        ip: `198.51.100.${index}`,
        isBlocked: true,
        blockSeconds: 60,
        match: JSON.stringify(TORRENT),
        at: AT,
        createdAt: AT,
      })),
    )
    .execute()
  const rollouts = await rollOut(server, known, nodeId)
  const jobs = await queueJobs(server, users)
  // Nothing of what the making of all this asked for is left to do.
  await sql`delete from "changedUsers"`.execute(db)
  return { rollouts, jobs }
}

interface Named {
  id: number
}

/** Each user has moved more than the one before, on each node, on each day. */
async function moveTraffic({ ctx: { db } }: TestServer, users: Named[], nodes: Named[]): Promise<void> {
  for (const [index, { id }] of users.entries()) {
    const used = (index + 1) * 900
    await db
      .updateTable('userUsage')
      .set({
        usedTrafficBytes: used,
        lifetimeUsedTrafficBytes: used * 2,
        onlineAt: AT,
        firstConnectedAt: AT,
        lastConnectedNodeId: nodes[index % nodes.length]?.id ?? null,
        lastTriggeredThreshold: 60,
      })
      .where('userId', '=', id)
      .execute()
  }
  const bytes = (user: number, node: number, day: number) => ({
    uploadBytes: (user + 1) * 100 + (node + 1) * 10 + day,
    downloadBytes: (user + 1) * 1000 + (node + 1) * 100 + day,
  })
  const rows = DAYS.flatMap((day, d) =>
    nodes.flatMap((node, n) => users.map((user, u) => ({ day, nodeId: node.id, userId: user.id, ...bytes(u, n, d) }))),
  )
  await db.insertInto('userNodeUsage').values(rows).execute()
  const tags = ['one', 'two', 'three']
  await db
    .insertInto('nodeTagUsage')
    .values(
      nodes.flatMap(({ id }, n) => tags.map((tag, t) => ({ nodeId: id, direction: 'inbound' as const, tag, ...bytes(n, t, 0) }))),
    )
    .execute()
  const quarters = nodes.flatMap(({ id }, n) =>
    DAYS.map((day, d) => ({ nodeId: id, quarter: new Date(`${day}T10:00:00Z`), ...bytes(n, d, 0) })),
  )
  await db.insertInto('nodeUsageQuarters').values(quarters).execute()
  await db
    .insertInto('onlineQuarters')
    .values(DAYS.map((day, d) => ({ quarter: new Date(`${day}T10:00:00Z`), usersOnline: d + 1 })))
    .execute()
  const sums = nodes.flatMap(({ id }) => DAYS.map((day, d) => ({ nodeId: id, day, users: d + 1, bytes: d + 10 })))
  await db.insertInto('nodeUserDays').values(sums).execute()
  const counts = nodes.map(({ id }) => ({ nodeId: id, days: 7, countedThrough: DAYS[2], users: 3 }))
  await db.insertInto('nodeUserCounts').values(counts).execute()
  const top = nodes.flatMap(({ id }) =>
    users.slice(0, 3).map((user) => ({ nodeId: id, days: 7, userId: user.id, bytes: user.id })),
  )
  await db.insertInto('nodeTopUsers').values(top).execute()
  const resets = users.map(({ id }) => ({ userId: id, usedBytes: id * 7, resetAt: AT }))
  await db.insertInto('userTrafficResets').values(resets).execute()
  await db
    .insertInto('nodeTrafficResets')
    .values(nodes.map(({ id }) => ({ nodeId: id, trafficBytes: id * 9, resetAt: AT })))
    .execute()
  await db.insertInto('trafficTurns').values({ day: DAYS[2], throughUserId: null }).execute()
  await db
    .insertInto('clock')
    .values({ trustedAt: new Date('2026-03-03T12:00:00Z') })
    .execute()
  const keys = ['one', 'two', 'three'].map((key) => ({
    caller: 'admin',
    key,
    contentHash: key,
    at: new Date(`${DAYS[2]}T12:00:00Z`),
  }))
  await db.insertInto('idempotencyKeys').values(keys).execute()
  const readings = users.slice(0, 3).map(({ id }) => ({ kind: 'user' as const, subjectId: id, total: 1, expiresAt: FAR_OFF }))
  await db.insertInto('connectionReadings').values(readings).execute()
  await db.insertInto('trafficOrder').values({ day: null, tookMs: 1, askedAt: AT }).execute()
  await db
    .insertInto('userTraffic')
    .values(users.map(({ id }) => ({ userId: id, todayBytes: id })))
    .execute()
}

/** What the fleet knows of its nodes, and what it has told them. */
async function runNodes(
  { ctx: { db } }: TestServer,
  users: { username: string; id: number }[],
  nodes: (Named & { name: string; uuid: string })[],
): Promise<void> {
  for (const { id, name, uuid } of nodes) {
    await db
      .updateTable('nodeStates')
      .set({
        trafficUsedBytes: id * 1000,
        startRequestedAt: null,
        filtersRequestedAt: null,
        startsAsked: 1,
        requestTicket: 1,
        lastStatusMessage: 'as it was',
      })
      .where('nodeId', '=', id)
      .execute()
    await db.insertInto('nodeLeases').values({ nodeId: id, owner: 'another', generation: 1, expiresAt: AT }).execute()
    await db
      .insertInto('nodeJoins')
      .values({ nodeId: id, codeHash: Buffer.from(name), madeAt: AT, expiresAt: AT })
      .execute()
    const certificate = { fingerprint: `of ${name}`, nodeUuid: uuid, signedAt: AT, endsAt: FAR_OFF }
    await db.insertInto('nodeCertificates').values(certificate).execute()
    const names = JSON.stringify(['user>>>ann'])
    await db
      .insertInto('counterBaselines')
      .values({ nodeId: id, chunk: 0, names, counted: Buffer.alloc(16) })
      .execute()
    await db
      .insertInto('bookedCores')
      .values({ nodeId: id, coreId: `core of ${id}`, bookedAt: AT })
      .execute()
    const told = users.slice(0, 3).map((user) => ({ nodeId: id, username: user.username, queuedAt: AT, nextAttemptAt: AT }))
    await db.insertInto('deliveries').values(told).execute()
    const acknowledged = users.map(({ username, id: userId }) => ({
      nodeId: id,
      username,
      userId,
      vlessUuid: randomUUID(),
      tags: ['x'],
    }))
    await db.insertInto('acknowledgedUsers').values(acknowledged).execute()
  }
  const owners = ['one', 'two', 'three']
  await db
    .insertInto('fleetServers')
    .values(owners.map((owner) => ({ owner, expiresAt: AT })))
    .execute()
  const process = { startedAt: AT, seenAt: AT, memoryBytes: 1, cpuPercent: 1 }
  await db
    .insertInto('serverProcesses')
    .values(owners.map((role) => ({ id: randomUUID(), role, ...process })))
    .execute()
  await db
    .insertInto('serverCertificates')
    .values(owners.map((name) => ({ name: `${name}.example`, dueAt: FAR_OFF })))
    .execute()
}

/** Sessions and tries of administrators, uses of tokens, and openings of subscriptions. */
async function callIn({ ctx: { db } }: TestServer, userId: (name: string) => number): Promise<void> {
  const { id: adminId } = await db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
  const agents = ['phone', 'laptop', 'work']
  await db
    .insertInto('sessions')
    .values(agents.map((userAgent) => ({ adminId, userAgent, address: null, expiresAt: FAR_OFF })))
    .execute()
  await db
    .insertInto('signInAttempts')
    .values(agents.map((account) => ({ address: '192.0.2.1', account, at: AT })))
    .execute()
  await db
    .insertInto('oauth2States')
    .values(agents.map((name) => ({ stateHash: name, provider: `${name}'s`, browserHash: name, expiresAt: FAR_OFF })))
    .execute()
  const tokens = await db.selectFrom('apiTokens').select('uuid').execute()
  await db
    .insertInto('apiTokenUses')
    .values(tokens.map(({ uuid }) => ({ tokenUuid: uuid, lastUsedAt: AT, lastUsedFrom: '192.0.2.1', lastUserAgent: 'curl' })))
    .execute()
  for (const [index, name] of ['ann', 'ben', 'cat'].entries()) {
    const [id, userAgent] = [userId(name), `App/${index}`]
    await db.insertInto('userAccesses').values({ userId: id, subLastOpenedAt: AT, subLastUserAgent: userAgent }).execute()
    const requests = [0, 1].map((minute) => ({
      userId: id,
      requestIp: null,
      userAgent,
      requestAt: new Date(AT.getTime() + minute * 60_000),
    }))
    await db.insertInto('subscriptionRequests').values(requests).execute()
  }
  const names = ['own.dat', 'other.dat', 'third.dat', 'gone.dat']
  const geo = { kind: 'geosite' as const, bytes: 1, digest: 'a', lists: ['ADS'], content: Buffer.from('a'), revision: 4 }
  await db
    .insertInto('geoFiles')
    .values(names.map((name) => ({ name, ...geo, uploadedAt: AT, uploadedBy: 'ann' })))
    .execute()
  await db
    .insertInto('geoFilePieces')
    .values(names.map((name) => ({ name: `late-${name}`, offset: 0, content: geo.content, receivedAt: FAR_OFF })))
    .execute()
  const config = JSON.stringify({ ios: [], android: [], pc: ['as it was'] })
  await db
    .insertInto('subscriptionPages')
    .values({ uuid: '5b1d7a52-6a0e-4c8e-9f57-3d2a64c0e911', config, publishedAt: AT })
    .execute()
}

/** One of each profile: that of Side under way and watched, the others over. */
async function rollOut({ ctx: { db } }: TestServer, { profiles }: Known, nodeId: (name: string) => number) {
  const rollout = async (profile: string, reason: string, node: string) => {
    const { id: profileId } = await db
      .selectFrom('configProfiles')
      .select('id')
      .where('uuid', '=', profile)
      .executeTakeFirstOrThrow()
    const job = { kind: 'rollOutProfile', group: `roll-out of ${profile}`, payload: '{}', total: 1, dueAt: FAR_OFF }
    const { id: jobId } = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
    const author = { actorKind: 'admin', actorName: 'admin', startedAt: AT }
    const { id, uuid } = await db
      .insertInto('configProfileRollouts')
      .values({ profileId, jobId, config: '{"next":true}', renamed: '[]', reason, ...author })
      .returning(['id', 'uuid'])
      .executeTakeFirstOrThrow()
    await db
      .updateTable('jobs')
      .set({ payload: JSON.stringify({ rolloutId: id }) })
      .where('id', '=', jobId)
      .execute()
    const turn = { rolloutId: id, nodeId: nodeId(node), wave: 1, state: 'watched' as const, since: AT }
    await db.insertInto('configProfileRolloutNodes').values(turn).execute()
    const inbounds = await db
      .selectFrom('configProfileInbounds')
      .select(['id', 'tag'])
      .where('profileId', '=', profileId)
      .execute()
    await db
      .insertInto('configProfileRolloutInbounds')
      .values(inbounds.map(({ id: inboundId, tag }) => ({ rolloutId: id, inboundId, tag, rawInbound: '{}' })))
      .execute()
    return uuid
  }
  const rollouts = {
    main: await rollout(profiles.Main, 'first', 'alpha'),
    side: await rollout(profiles.Side, 'second', 'beta'),
    spare: await rollout(profiles.Spare, 'third', 'gamma'),
  }
  const over = [rollouts.main, rollouts.spare]
  await db.updateTable('configProfileRollouts').set({ state: 'done', endedAt: AT }).where('uuid', 'in', over).execute()
  await db
    .updateTable('jobs')
    .set({ status: 'done', finishedAt: AT })
    .where(
      'group',
      'in',
      [profiles.Main, profiles.Spare].map((profile) => `roll-out of ${profile}`),
    )
    .execute()
  return rollouts
}

/** Three that wait, each for some of the users. */
async function queueJobs({ ctx: { db } }: TestServer, users: Named[]) {
  const job = async () => {
    const waiting = {
      kind: 'resetUsers',
      group: 'of its own',
      payload: JSON.stringify({ maxId: users.length }),
      total: 2,
      dueAt: FAR_OFF,
    }
    const { id } = await db.insertInto('jobs').values(waiting).returning('id').executeTakeFirstOrThrow()
    await db
      .insertInto('jobTargets')
      .values(users.slice(0, 2).map((user) => ({ jobId: id, userId: user.id })))
      .execute()
    return id
  }
  return { first: await job(), second: await job(), third: await job() }
}

function idsBy(entries: [string, number][]): (name: string) => number {
  const ids = new Map(entries)
  return (name) => ids.get(name) ?? 0
}
