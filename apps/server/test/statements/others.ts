import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { sql } from 'kysely'
import type { Ctx } from '../../src/ctx.ts'
import { everyone } from '../../src/lib/scope.ts'
import type { Tx } from '../../src/db/driver/connect.ts'
import { admitAll, deleteFactors, hasOtherWayIn, hasPasskeys } from '../../src/features/auth/auth.queries.ts'
import { dropWalSlots } from '../../src/features/backups/backups.queries.ts'
import { listKnownAddresses } from '../../src/features/auth/attempts.queries.ts'
import {
  lockHostsOfProfile,
  lockProfileById,
  updateHostLink,
} from '../../src/features/config-profiles/config-profiles.queries.ts'
import {
  advanceReading,
  findReading,
  finishReading,
  listNamedUsers,
  startReading,
} from '../../src/features/connections/connections.queries.ts'
import {
  findAdminNamed,
  findOnlyAdmin,
  insertIdentity,
  listIdentities,
} from '../../src/features/identities/identities.queries.ts'
import { isSeeded, lockFirstStart } from '../../src/features/first-start/first-start.queries.ts'
import { emptyAcknowledged, handOver, notePart, postponeDeliveries } from '../../src/features/fleet/tasks.queries.ts'
import { lockLook, noteLook, passThresholds } from '../../src/features/domain-events/moments.queries.ts'
import { findGeoPackage } from '../../src/ground/node-files/geo-package.ts'
import { countFull } from '../../src/features/external-squads/external-squads.queries.ts'
import { hasOutbox } from '../../src/features/domain-events/outbox.queries.ts'
import { countDevices } from '../../src/features/hwid/hwid.queries.ts'
import { findFaviconLink } from '../../src/features/infra-billing/infra-billing.queries.ts'
import { listNodeFigures } from '../../src/features/metrics/metrics.queries.ts'
import { listWayNames } from '../../src/features/notices/ways.queries.ts'
import { findRolloutConfig } from '../../src/features/rollouts/rollouts.queries.ts'
import { countUsersOfApps } from '../../src/features/request-history/request-history.queries.ts'
import {
  findOldLinkFacts,
  findSignedLink,
  holdUser,
  listInboundsByUuid,
  listOpenedLinks,
  listSquadIds,
  listUsageOfUser,
} from '../../src/features/subscriptions/subscriptions.queries.ts'
import { findStoredConfig, findSubpage } from '../../src/features/subscription-page/configs.queries.ts'
import * as joining from '../../src/features/joining/joining.queries.ts'
import * as links from '../../src/features/joining/links.queries.ts'
import * as identity from '../../src/ground/node-identity.queries.ts'
import { countUsersOf, listProcesses } from '../../src/features/system/system.queries.ts'
import { closeCores, limitExceeded } from '../../src/features/traffic/ledger.queries.ts'
import {
  beginTrafficOrder,
  finishPass,
  gaugePlaces,
  hasPlaces,
  listIdsInOrder,
  listTopInOrder,
  orderBatch,
} from '../../src/features/traffic/order.queries.ts'
import { addPartition, dropPartition } from '../../src/features/traffic/partitions.queries.ts'
import { repeatTurn, listTopIds } from '../../src/features/traffic/sums.queries.ts'
import { listTotals, listTraffic } from '../../src/features/usage-history/usage-history.queries.ts'
import { listKeptTopUsers, listUserDays, listUsersByDay } from '../../src/features/usage/top-users.queries.ts'
import { asBooked } from '../../src/features/users/kept-order.queries.ts'
import { toUsersView } from '../../src/features/users/list.rules.ts'
import { findUuidByName, listUsersOfSnapshots } from '../../src/features/users/users.queries.ts'
import {
  addDeliveries,
  findDeliveryDetails,
  listDeliveries,
  listDueDeliveries,
  lockCursor,
  moveCursor,
  noteAttempt,
  noteNewSecret,
} from '../../src/features/webhooks/deliveries.queries.ts'
import {
  findSending,
  listBusyWebhooks,
  listEnvironmentWebhooks,
  listWebhooks,
} from '../../src/features/webhooks/webhooks.queries.ts'
import * as moveIn from '../../src/features/move-in/page.queries.ts'
import { listNodesOfSnapshots } from '../../src/features/nodes/nodes.queries.ts'
import { bindTokensOf } from '../../src/features/admins/admins.queries.ts'
import * as certificates from '../../src/features/certificates/certificates.queries.ts'
import { findEntry, listActors } from '../../src/features/history/history.queries.ts'
import { findScope, hasForeign, listNamesOfScope, lockScope, measurePromised } from '../../src/ground/scope/scope.queries.ts'
import { findExternalSquad, listMembersAmong, listSquadsByUuid, removeFromOtherSquads } from '../../src/ground/members.queries.ts'
import { postponeJob } from '../../src/jobs/jobs.queries.ts'
import { geositeFile } from '../geo.ts'
import type { TestServer } from '../server.ts'
import { UNKNOWN } from '../users.ts'
import { askOfPlugins } from './of-plugins.ts'
import { undoThings } from './undone.ts'
import type { World } from '../walk/inhabitants.ts'
import { askNotices } from './notices.ts'

// What neither the walk nor a fleet at work asks: reads that are judged elsewhere, and what needs a failure or a great many rows.

const BROWSER = { 'x-remnawave-client-type': 'browser' }
const APP = { 'user-agent': 'Happ/1.0', 'x-hwid': 'phone' }
const TODAY = '2026-03-03'

/** Reads whose replies are judged by something better than rows. */
export async function readElsewhere(server: TestServer, world: World): Promise<void> {
  const call: TestServer['call'] = (endpoint, input) => server.call(endpoint, input)
  const send: TestServer['send'] = (...request) => server.send(...request)
  const uuid = world.users.ann
  await call(api.getUserAccess, { uuid })
  await call(api.readUserConnections, { userUuid: uuid })
  await call(api.listNodeTags, {})
  await call(api.getNodeUpdates, {})
  const lists = geositeFile('ADS')
  await call(api.uploadGeoFile, { name: 'own.dat', bytes: lists.length, offset: 0, content: lists.toString('base64') })
  await call(api.getGeoFiles, {})
  const dataDir = mkdtempSync(path.join(tmpdir(), 'causeway-geo-')) // a package that is there is not made again
  await findGeoPackage({ ...server.ctx, config: { ...server.ctx.config, dataDir } })
  rmSync(dataDir, { recursive: true })
  await call(api.listInternalSquadTags, {})
  await call(api.listConfigProfileTags, {})
  await call(api.listTemplateTags, {})
  const taken = { selector: { type: 'uuids', values: [world.hosts.one] } }
  await call(api.updateSubscriptionTemplate, { templateType: 'XRAY_JSON', templateJson: { remnawave: { injectHosts: [taken] } } })
  await call(api.checkSnippet, { name: 'ads', snippet: [{ tag: 'ADS', protocol: 'freedom' }] })
  const at = { configProfileUuid: world.profiles.Main, configProfileInboundUuid: world.inbounds['M_VLESS'] ?? '' }
  await call(api.previewHostMapper, { remark: 'x', address: 'a.example', port: 1, inbound: at })
  await call(api.prepareSnippetRollout, { uuid: world.snippets.ads })
  const spare = await call(api.getConfigProfile, { uuid: world.profiles.Spare })
  const config = { ...(spare.config as object), outbounds: [{ snippet: 'ads' }] }
  await call(api.updateConfigProfile, { uuid: spare.uuid, config })
  await call(api.updateSnippet, { name: 'ads', snippet: [{ tag: 'OTHER', protocol: 'freedom' }] })
  const [edit] = (await call(api.listHistory, { action: 'updateSnippet' })).entries
  await call(api.undoEntry, { id: edit?.id ?? 0 })
  await call(api.updateHost, { uuid: world.hosts.one, xrayJsonTemplateUuid: world.templates['XRAY_JSON'] ?? '' })
  await call(api.listNodePluginTags, {})
  await call(api.previewNodePlugin, { pluginConfig: { ingressFilter: { enabled: true, blockedIps: ['ext:ads'] } } })
  await call(api.listTopUsers, { period: 'today' })
  await send('GET', '/api/x/users/export?columns=username', undefined, server.admin)
  await call(api.listNodesRealtimeUsage, {})
  await call(api.getNodeTopUsers, { uuid: world.nodes.alpha, days: 7 } as never)
  await call(api.listNodePhases, { uuid: world.nodes.alpha })
  await call(api.getNodeDeliveries, { uuid: world.nodes.alpha })
  const { config: page } = await call(api.getSubscriptionPage, {})
  await call(api.previewSubscriptionPage, { config: page, language: 'en', platform: 'ios' })
  await call(api.planExternalSquad, { uuid: world.externalSquads.vip, change: 'addAll' })
  await call(api.planChange, { deleteProfile: { uuid: world.profiles.Spare } })
  for (const path of ['/health', '/api/sub/short-ann', '/api/sub/short-ann/info', '/api/sub/short-ann/singbox'])
    await send('GET', path, undefined, APP)
  const authorization = `Basic ${Buffer.from(`${server.ctx.config.METRICS_USER}:${server.ctx.config.METRICS_PASS}`).toString('base64')}`
  await call(api.previewResponseRules, { responseRules: api.defaultResponseRules })
  await send('GET', '/metrics', undefined, { authorization })
  const { token } = await call(api.createApiToken, { tokenName: 'reads' })
  await send('GET', '/api/users', undefined, { ...BROWSER, authorization: `Bearer ${token}` })
  const once = { ...server.admin, 'idempotency-key': 'once-and-no-more' }
  for (let twice = 0; twice < 2; twice++) await send('POST', '/api/internal-squads', { name: 'once', inbounds: [] }, once)
  await undoThings(server, world)
}

/** Statements behind failures, great numbers of rows or nodes of older generations. */
export async function askRarely({ db, now }: Ctx, world: World): Promise<void> {
  await countDevices(db, 1)
  await askAsReseller(db, world.resellers.North, now())
  await listKnownAddresses(db, 'ann', now())
  await findExternalSquad(db, world.externalSquads.vip)
  await countFull(db, world.externalSquads.vip, false, 1)
  await findStoredConfig(db, world.pageConfigs.family)
  await findSubpage(db, 'short-ann')
  await hasPasskeys(db)
  await hasOtherWayIn(db, 1)
  await listIdentities(db, 1)
  await findAdminNamed(db, ['ann@example.com'])
  await findOnlyAdmin(db)
  await findFaviconLink(db, UNKNOWN)
  await findRolloutConfig(db, world.rollouts.side)
  await listInboundsByUuid(db, [UNKNOWN])
  await listOpenedLinks(db, 10)
  await countUsersOfApps(db, ['Happ/1'])
  for (const user of [{ username: 'ann' }, { id: 1 }]) await findSignedLink(db, { user, madeAt: new Date(TODAY) })
  await listSquadIds(db)
  await askOfPlugins(db)
  await findOldLinkFacts(db, 1)
  await listUsageOfUser(db, 1, { from: TODAY, to: TODAY })
  await listNodeFigures(db)
  await listTraffic(db, [now()])
  await listTotals(db, [now()], now())
  await listProcesses(db, now())
  await findUuidByName(db, 'ann')
  await listSquadsByUuid(db, [UNKNOWN])
  await listKeptTopUsers(db, 1, 7, 10)
  await listUserDays(db, { nodeId: 1, from: TODAY, to: TODAY })
  await listUsersByDay(db, { nodeId: 1, from: TODAY, to: TODAY }, [1])
  await askWebhooks(db, now())
  await readConnections(db, now())
  await askNotices(db, now())
  await askCertificates(db, now())
  await moveInRarely(db, now())
  await joinRarely(db, now())
  await freeAccounts(db, now())
  await orderTraffic(db)
  await db.transaction().execute((tx) => changeRarely(tx, now()))
}

/** Webhooks and their events: the walk has none with anything to deliver. */
async function askWebhooks(db: Ctx['db'], now: Date): Promise<void> {
  await listWebhooks(db)
  await hasOutbox(db)
  await listWayNames(db)
  await listBusyWebhooks(db, now)
  await findSending(db, 0)
  await listDueDeliveries(db, 0, now, 10)
  await listDeliveries(db, { uuid: UNKNOWN, state: 'failed', event: 'user.created', search: 'ann', start: 0, size: 25 })
  await findDeliveryDetails(db, UNKNOWN)
  await listNodesOfSnapshots(db, [])
  await listUsersOfSnapshots(db, [])
  await passThresholds(db, [80], 100)
  await db.transaction().execute(async (tx) => {
    await listEnvironmentWebhooks(tx)
    await lockLook(tx, 'statements', now)
    await noteLook(tx, 'statements', now)
    await lockCursor(tx, 0)
    await moveCursor(tx, 0, 1)
    await noteNewSecret(tx, 0)
    await noteAttempt(tx, 0, { at: now, durationMs: 1, status: 200, answer: '', error: null }, { pauseMs: 1000, now })
  })
  // There is no such webhook; the statement is what is looked for.
  const delivery = { position: 0, event: 'user.created', thing: 'user' }
  await db
    .transaction()
    .execute((tx) => addDeliveries(tx, 0, [delivery], now))
    .catch(() => {})
}

/** Of users, whom the walk never connects. */
async function readConnections(db: Ctx['db'], now: Date): Promise<void> {
  const reading = { kind: 'user', subjectId: 1, total: 1, now, expiresAt: now } as const
  const { id } = await startReading(db, reading)
  await startReading(db, reading)
  await advanceReading(db, id)
  await finishReading(db, id, {}, now, now)
  await findReading(db, 'user', id)
  await listNamedUsers(db, { ids: [1] })
  await listNamedUsers(db, { usernames: ['ann'] })
}

/** Certificates of the server: the walk has no directory. What it writes is taken back. */
async function askCertificates(db: Ctx['db'], now: Date): Promise<void> {
  const asking = db.transaction().execute(async (tx) => {
    const [name, names] = ['panel.example', ['panel.example']]
    await certificates.insertNames(tx, names, now)
    await certificates.listServerCertificates(tx, names)
    await certificates.hastenFailed(tx, names, now)
    await certificates.hastenRenewal(tx, name, 'chain', now)
    await certificates.claimDue(tx, names, 'https://directory.example', now)
    await certificates.setChallenge(tx, name, 'token', 'answer')
    await certificates.findAnswerByToken(tx, 'token')
    await certificates.findAnswerByName(tx, name)
    await certificates.noteFailure(tx, name, { attempts: 1, failure: 'refused', detail: '', failedAt: now, dueAt: now })
    await certificates.storeCertificate(tx, name, { chain: '', wrappedKey: '', startsAt: now, endsAt: now, dueAt: now })
    throw new Error('taken back')
  })
  await asking.catch(() => {})
}

/** Moving in: the walk has nothing to import. What it writes is taken back. */
async function moveInRarely(db: Ctx['db'], now: Date): Promise<void> {
  await moveIn.saveReport(db, { version: '', isDryRun: true, counts: {}, findings: [] }, now)
  const asking = db.transaction().execute(async (tx) => {
    await moveIn.takeNodesOver(tx, now, 'left alone')
    await moveIn.markEnded(tx, now)
    await moveIn.leaveNodes(tx, 'left alone')
    throw new Error('taken back')
  })
  await asking.catch(() => {})
}

/** Joining: the walk has no machine that joins (features/joining). What it writes is taken back. */
async function joinRarely(db: Ctx['db'], now: Date): Promise<void> {
  const code = Buffer.from('code')
  const asking = db.transaction().execute(async (tx) => {
    await joining.findJoin(tx, 1)
    await joining.findNodeOfCode(tx, code, now)
    await joining.lockNodeOfCode(tx, code, now)
    await joining.noteStep(tx, 1, 'fetchedAt', now)
    await joining.noteFailure(tx, 1, 'download', null, now)
    await identity.insertCertificate(
      tx,
      { uuid: UNKNOWN, isCalling: false },
      { certPem: '', fingerprint: 'new', endsAt: now },
      now,
    )
    await identity.listCertificates(tx, UNKNOWN)
    await identity.noteCertificateSeen(tx, 'new', now)
    await links.isCertificateCalling(tx, UNKNOWN, 'new')
    await links.isNodeConnected(tx, 1)
    await links.noteCopy(tx, UNKNOWN)
    throw new Error('taken back')
  })
  await asking.catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'taken back') throw error
  })
}

/** Writes of `causeway admin` (features/auth). They are taken back. */
async function freeAccounts(db: Ctx['db'], now: Date): Promise<void> {
  const asking = db.transaction().execute(async (tx) => {
    await deleteFactors(tx, 1)
    await admitAll(tx, now)
    const account = { provider: 'generic', subject: 'other', label: 'other' }
    await insertIdentity(tx, { ...account, adminId: 1, createdAt: now })
    throw new Error('taken back')
  })
  await asking.catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'taken back') throw error
  })
}

/** What a reseller's requests ask beside those of all. */
async function askAsReseller(db: Ctx['db'], uuid: string, now: Date): Promise<void> {
  const { id } = await db.selectFrom('resellers').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()
  const asking = db.transaction().execute(async (tx) => {
    const scope = await lockScope(tx, await findScope(tx, id))
    for (const kind of ['uuid', 'shortUuid', 'username'] as const) await listNamesOfScope(tx, scope, kind, [UNKNOWN])
    await hasForeign(tx, scope, [1])
    await measurePromised(tx, scope, now)
    await countUsersOf(tx, scope, now)
    await listActors(tx, scope)
    await findEntry(tx, scope, 1)
    await bindTokensOf(tx, UNKNOWN, id)
    throw new Error('taken back')
  })
  await asking.catch((error: unknown) => {
    if (!(error instanceof Error) || error.message !== 'taken back') throw error
  })
}

async function orderTraffic(db: Ctx['db']): Promise<void> {
  const view = toUsersView({ sorting: [{ id: 'trafficToday', desc: true }] }, everyone, new Date(TODAY))
  if ('refusal' in view) throw new Error(view.refusal.message)
  await listTopIds(db, everyone, 'today', TODAY, 10)
  await beginTrafficOrder(db)
  await dropWalSlots(db)
  await hasPlaces(db)
  await gaugePlaces(db)
  await listTopInOrder(db, 'today', TODAY, 10)
  await asBooked(db, [1], view)
  await finishPass(db, { day: TODAY, madeAt: new Date(TODAY), tookMs: 1 })
}

async function changeRarely(tx: Tx, now: Date): Promise<void> {
  await lockFirstStart(tx)
  await isSeeded(tx)
  await repeatTurn(tx)
  await lockProfileById(tx, 1)
  await lockHostsOfProfile(tx, 1, [UNKNOWN])
  await updateHostLink(tx, 0, { port: 443 })
  await emptyAcknowledged(tx, 0, ['ann'])
  await listMembersAmong(tx, 0, [1])
  await removeFromOtherSquads(tx, [0], [1])
  await handOver(tx, 0, [{ username: 'ann', userId: 1 }])
  await postponeDeliveries(tx, 0, [{ username: 'ann', ticket: 1, attempts: 1, error: 'away', pauseMs: 1000 }])
  await notePart(tx, { id: 0, partWanted: null, isPartReturned: false }, { partDigest: null, partError: null })
  await holdUser(tx, 1)
  await closeCores(tx, 1, ['core'])
  await limitExceeded(tx, [1], now)
  await postponeJob(tx, UNKNOWN, { error: 'failed', dueAt: now }, now)
  const slice = { column: 'todayBytes', isDescending: true, offset: 0, limit: 100 } as const
  await listIdsInOrder(tx, { ...slice, matching: sql`select "id" from "users" where "status" = 'ACTIVE'` })
  await orderBatch(tx, 0, 100, TODAY)
  await addPartition(tx, '2020-01')
  await dropPartition(tx, '2020-01')
}
