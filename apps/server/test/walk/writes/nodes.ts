import { expect } from 'vitest'
import type { Writes } from '../declared.ts'
import type { TestServer } from '../../server.ts'
import { ADDED, DELETED, NOW, SOME_TEXT, added, every } from '../rows.ts'
import { DAYS } from '../traces.ts'
import { NODES, USERS, type World } from '../inhabitants.ts'

/** Every field but profile and provider, none of them as it is by itself. */
const fields = {
  name: 'omega',
  address: '127.0.0.9',
  port: 10,
  isTrafficTrackingActive: true,
  trafficLimitBytes: 77,
  notifyPercent: 55,
  trafficResetDay: 17,
  countryCode: 'SE',
  consumptionMultiplier: 1.5,
  tags: ['FIRST', 'SECOND'],
  note: 'a note',
  ips: [{ ip: '192.0.2.7', status: 'OUTBOUND' as const }],
}
const { name, isTrafficTrackingActive, ...named } = fields
const profileOf = ({ profiles, inbounds }: World) => ({
  activeConfigProfileUuid: profiles.Side,
  activeInbounds: [inbounds['S_SS'] ?? ''],
})
/** What asks for a start. */
const started = { startRequestedAt: NOW, startsAsked: 2, requestTicket: 2 }
const off = {
  stopRequestedAt: NOW,
  lastStatusChange: NOW,
  lastStatusMessage: null,
  requestTicket: 2,
}

const UPDATE_UUID = '7a0d3a57-0f0b-4a55-8c39-6f7c0a54d201'
const byAdmin = { actorKind: 'admin', actorName: 'admin', startedAt: NOW }
const UPDATE = { state: 'running', jobId: 'rollOutProfile', followingHosts: [], renamed: [] }
/** Of the agent: at beta, and later at gamma. */
async function insertUpdate({ ctx: { db } }: TestServer): Promise<void> {
  const far = new Date('2099-01-01T00:00:00Z')
  const job = { kind: 'rollOutProfile', group: 'update of nodes', payload: '{}', total: 2, dueAt: far }
  const { id: jobId } = await db.insertInto('jobs').values(job).returning('id').executeTakeFirstOrThrow()
  const { id: rolloutId } = await db
    .insertInto('configProfileRollouts')
    .values({ uuid: UPDATE_UUID, part: 'agent', version: '1.0.0', jobId, renamed: '[]', actorKind: 'admin' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('jobs')
    .set({ payload: JSON.stringify({ rolloutId }) })
    .where('id', '=', jobId)
    .execute()
  const nodes = await db.selectFrom('nodes').select(['id', 'name']).where('name', 'in', ['beta', 'gamma']).execute()
  const turns = nodes.map(({ id: nodeId, name: node }) =>
    node === 'beta' ? { rolloutId, nodeId, wave: 1, state: 'watched' as const } : { rolloutId, nodeId, wave: 2 },
  )
  await db.insertInto('configProfileRolloutNodes').values(turns).execute()
}

export const nodeWrites = {
  createNode: (world) => ({
    input: { ...fields, configProfile: profileOf(world), providerUuid: world.providers.core },
    changes: {
      nodes: {
        omega: added({
          ...named,
          isTrafficTrackingActive,
          activeConfigProfileId: 'Side',
          providerId: 'core',
          viewPosition: 5,
        }),
      },
      nodeInbounds: { 'omega S_SS': ADDED },
      nodeStates: { omega: added({ startRequestedAt: NOW, startsAsked: 1, requestTicket: 1, xrayUptime: '0' }) },
      auditLog: { 'createNode omega': ADDED },
    },
  }),
  updateNode: (world) => ({
    input: {
      ...fields,
      uuid: world.nodes.alpha,
      isTrafficTrackingActive: false,
      configProfile: profileOf(world),
      providerUuid: world.providers.core,
    },
    changes: {
      nodes: {
        alpha: {
          ...named,
          name,
          isTrafficTrackingActive: false,
          activeConfigProfileId: 'Side',
          providerId: 'core',
          updatedAt: NOW,
        },
      },
      nodeInbounds: {
        'alpha M_VLESS': DELETED,
        'alpha M_TROJAN': DELETED,
        'alpha M_SS': DELETED,
        'alpha S_SS': ADDED,
      },
      nodeStates: { alpha: started },
      auditLog: { 'updateNode alpha': ADDED },
    },
  }),
  deleteNode: ({ nodes }) => ({
    input: { uuid: nodes.alpha },
    changes: {
      nodes: { alpha: DELETED },
      torrentReports: { 'alpha ann': DELETED },
      nodeStates: { alpha: DELETED },
      nodeInbounds: every(DELETED, ['alpha'], ['M_VLESS', 'M_TROJAN', 'M_SS']),
      nodeLeases: { alpha: DELETED },
      nodeJoins: { alpha: DELETED },
      nodeTrafficResets: { 'alpha 9': DELETED },
      nodeUsageQuarters: every(
        DELETED,
        ['alpha'],
        DAYS.map((day) => `${day}T10:00:00.000Z`),
      ),
      nodeUsageDays: every(DELETED, ['alpha'], DAYS),
      nodePhases: { 'alpha agentAway': DELETED },
      nodeUserDays: every(DELETED, ['alpha'], DAYS),
      nodeUserCounts: { 'alpha 7': DELETED },
      nodeTopUsers: every(DELETED, ['alpha 7'], ['ann', 'ben', 'cat']),
      nodeTagUsage: every(DELETED, ['alpha inbound'], ['one', 'two', 'three']),
      userNodeUsage: every(DELETED, DAYS, ['alpha'], Object.keys(USERS)),
      // The sums of users are made anew without it.
      trafficTurns: { true: { throughUserId: 0 } },
      counterBaselines: { 'alpha 0': DELETED },
      bookedCores: { 'alpha core of 1': DELETED },
      deliveries: every(DELETED, ['alpha'], ['ann', 'ben', 'cat']),
      acknowledgedUsers: every(DELETED, ['alpha'], Object.keys(USERS)),
      infraBillingNodes: { 'acme alpha': DELETED, 'bolt alpha': DELETED },
      hostNodes: { 'one alpha': DELETED },
      configProfileRolloutNodes: { 'Main first alpha': DELETED },
      jobs: { forgetNodeUsage: added({ status: 'done', done: 3, total: 3 }) },
      auditLog: { 'deleteNode alpha': ADDED },
    },
  }),
  enableNode: ({ nodes }) => ({
    before: ({ ctx: { db } }) => db.updateTable('nodes').set({ isDisabled: true }).execute(),
    input: { uuid: nodes.alpha },
    changes: {
      nodes: { alpha: { isDisabled: false, updatedAt: NOW } },
      nodeStates: { alpha: started },
      auditLog: { 'enableNode alpha': ADDED },
    },
  }),
  disableNode: ({ nodes }) => ({
    input: { uuid: nodes.alpha },
    changes: {
      nodes: { alpha: { isDisabled: true, updatedAt: NOW } },
      nodeStates: { alpha: off },
      deliveries: every(DELETED, ['alpha'], ['ann', 'ben', 'cat']),
      auditLog: { 'disableNode alpha': ADDED },
    },
  }),
  makeJoinCode: ({ nodes }) => ({
    input: { uuid: nodes.beta },
    changes: {
      nodeJoins: { beta: { codeHash: expect.anything(), madeAt: NOW, expiresAt: expect.anything() } },
      auditLog: { 'makeJoinCode beta': ADDED },
    },
  }),
  revokeNodeCertificate: ({ nodes }) => ({
    input: { uuid: nodes.beta },
    changes: {
      nodeCertificates: { 'of beta': { revokedAt: NOW } },
      nodeStates: { beta: started },
      auditLog: { 'revokeNodeCertificate beta': ADDED },
    },
  }),
  // Beta is at a roll-out of its profile, which an update waits for.
  startNodeUpdate: ({ nodes }) => ({
    before: ({ ctx: { db } }) =>
      db.updateTable('nodeStates').set({ isConnected: true, isUpdatable: true, nodeVersion: '0.0.1' }).execute(),
    input: { part: 'agent', nodeUuids: [nodes.alpha] },
    changes: {
      configProfileRollouts: {
        'null null': added({ ...byAdmin, part: 'agent', version: SOME_TEXT, isProofWaived: true, ...UPDATE }),
      },
      configProfileRolloutNodes: { 'null null alpha': added({ wave: 1, state: 'starting', startsAsked: 1, since: NOW }) },
      nodeStates: { alpha: { partWanted: 'agent', requestTicket: 2 } },
      jobs: { rollOutProfile: added({ status: 'running', total: 1 }) },
      auditLog: { 'startNodeUpdate null null': ADDED },
    },
  }),
  pauseNodeUpdate: () => ({
    before: insertUpdate,
    input: { uuid: UPDATE_UUID },
    changes: {
      configProfileRollouts: { 'null null': { isPaused: true } },
      auditLog: { 'pauseNodeUpdate null null': ADDED },
    },
  }),
  continueNodeUpdate: () => ({
    before: async (server) => {
      await insertUpdate(server)
      await server.ctx.db.updateTable('configProfileRollouts').set({ isPaused: true }).where('uuid', '=', UPDATE_UUID).execute()
    },
    input: { uuid: UPDATE_UUID },
    changes: {
      configProfileRollouts: { 'null null': { isPaused: false } },
      auditLog: { 'continueNodeUpdate null null': ADDED },
    },
  }),
  // The node that has the new agent gets the one before; one whose turn has not come is left alone.
  takeBackNodeUpdate: () => ({
    before: insertUpdate,
    input: { uuid: UPDATE_UUID },
    changes: {
      configProfileRollouts: { 'null null': { state: 'takenBack', endedAt: NOW } },
      nodeStates: { beta: { partWanted: 'agent', isPartReturned: true, requestTicket: 2 } },
      jobs: { rollOutProfile: { status: 'cancelled' } },
      auditLog: { 'takeBackNodeUpdate null null': ADDED },
    },
  }),
  restartNode: ({ nodes }) => ({
    input: { uuid: nodes.beta },
    changes: { nodeStates: { beta: started }, auditLog: { 'restartNode beta': ADDED } },
  }),
  restartAllNodes: () => ({
    input: { forceRestart: true },
    changes: {
      nodeStates: every({ ...started, isRestartForced: true }, Object.keys(NODES)),
      auditLog: { 'restartAllNodes 3 nodes': added({ details: { isForced: true } }) },
    },
  }),
  // Beta has moved what traces.ts says; only what it has moved since then is asked about.
  resetNodeTraffic: ({ nodes }) => ({
    before: ({ ctx: { db } }) =>
      db
        .updateTable('nodeStates')
        .set({ trafficUsedBytes: 123 })
        .where('nodeId', '=', (from) => from.selectFrom('nodes').select('id').where('name', '=', 'beta'))
        .execute(),
    input: { uuid: nodes.beta },
    changes: {
      nodeStates: { beta: { trafficUsedBytes: 0 } },
      nodeTrafficResets: { 'beta 123': added({ resetAt: NOW }) },
      auditLog: { 'resetNodeTraffic beta': ADDED },
    },
  }),
  bulkNodesAction: ({ nodes }) => ({
    input: { uuids: [nodes.alpha], action: 'DISABLE' },
    changes: {
      nodes: { alpha: { isDisabled: true, updatedAt: NOW } },
      nodeStates: { alpha: off },
      deliveries: every(DELETED, ['alpha'], ['ann', 'ben', 'cat']),
      auditLog: { 'disableNode alpha': ADDED },
    },
  }),
  bulkNodesProfile: ({ nodes, profiles, inbounds }) => ({
    input: {
      uuids: [nodes.beta],
      configProfile: { activeConfigProfileUuid: profiles.Side, activeInbounds: [inbounds['S_VLESS'] ?? ''] },
    },
    changes: {
      nodes: { beta: { updatedAt: NOW } },
      nodeInbounds: { 'beta S_SS': DELETED },
      nodeStates: { beta: started },
      auditLog: { 'updateNode beta': ADDED },
    },
  }),
  bulkUpdateNodes: ({ nodes }) => ({
    input: { uuids: [nodes.beta, nodes.gamma], fields: { countryCode: 'SE', consumptionMultiplier: 2 } },
    changes: {
      nodes: every({ countryCode: 'SE', consumptionMultiplier: 2, updatedAt: NOW }, ['beta', 'gamma']),
      auditLog: { 'updateNode beta': ADDED, 'updateNode gamma': ADDED },
    },
  }),
  reorderNodes: ({ nodes }) => ({
    input: {
      nodes: [
        { uuid: nodes.beta, viewPosition: 1 },
        { uuid: nodes.alpha, viewPosition: 2 },
      ],
    },
    changes: {
      nodes: { alpha: { viewPosition: 2 }, beta: { viewPosition: 1 } },
      auditLog: { 'reorderNodes 2 nodes': ADDED },
    },
  }),
  getNodePublicKey: () => ({ input: {}, changes: {} }),
} satisfies Writes
