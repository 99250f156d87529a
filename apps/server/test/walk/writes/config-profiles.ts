import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, added, every } from '../rows.ts'
import { configOf, PROFILES, profileConfig } from '../inhabitants.ts'

const NEW_INBOUND = { tag: 'NEW', port: 4500, protocol: 'trojan', settings: { clients: [] } }
const [first, ...others] = PROFILES.Main
/** Under another tag and port. */
const RENAMED_INBOUND = { ...first, tag: 'OTHER', port: 4501 }

const revision = (config: object, reason: object = {}) =>
  added({ at: NOW, actorKind: 'admin', actorName: 'admin', content: JSON.stringify(config, null, 2), ...reason })
const started = { startRequestedAt: NOW, startsAsked: 2, requestTicket: 2 }
const CLOSED = 'Local networks of the nodes closed to subscribers'
const LOCAL_NETWORKS = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
]
const byAdmin = { actorKind: 'admin', actorName: 'admin', startedAt: NOW }

export const configProfileWrites = {
  createConfigProfile: () => {
    const config = configOf([NEW_INBOUND])
    return {
      input: { name: 'Fourth', config },
      changes: {
        configProfiles: { Fourth: added({ config, tags: [], viewPosition: 4 }) },
        configProfileInbounds: { NEW: added({ profileId: 'Fourth', type: 'trojan', port: 4500, rawInbound: NEW_INBOUND }) },
        revisions: { 'profile Fourth 1': revision(config) },
        auditLog: { 'createConfigProfile Fourth': ADDED },
      },
    }
  },
  setConfigProfileTags: ({ profiles }) => ({
    input: { uuid: profiles.Side, tags: ['EU'] },
    changes: { configProfiles: { Side: { tags: ['EU'] } }, auditLog: { 'updateConfigProfile Side': ADDED } },
  }),
  reorderConfigProfiles: ({ profiles }) => ({
    input: {
      items: [
        { uuid: profiles.Side, viewPosition: 101 },
        { uuid: profiles.Main, viewPosition: 102 },
      ],
    },
    changes: {
      configProfiles: { Side: { viewPosition: 101 }, Main: { viewPosition: 102 } },
      auditLog: { 'reorderConfigProfiles 2 profiles': ADDED },
    },
  }),
  // One inbound goes on under another tag, one is new, and one goes with all that hangs on it.
  updateConfigProfile: ({ profiles }) => {
    const config = configOf([RENAMED_INBOUND, ...others.slice(0, 1), NEW_INBOUND])
    return {
      input: { uuid: profiles.Main, name: 'Renamed', config, renamed: [{ from: 'M_VLESS', to: 'OTHER' }], reason: 'because' },
      changes: {
        configProfiles: { Main: { name: 'Renamed', config, updatedAt: NOW } },
        configProfileInbounds: {
          M_VLESS: { tag: 'OTHER', port: 4501, rawInbound: RENAMED_INBOUND },
          M_SS: DELETED,
          NEW: added({ profileId: 'Main', type: 'trojan', port: 4500, rawInbound: NEW_INBOUND }),
        },
        internalSquadInbounds: { 'silver M_SS': DELETED },
        nodeInbounds: { 'alpha M_SS': DELETED },
        configProfileRolloutInbounds: { 'Main first M_SS': DELETED },
        nodeStates: { alpha: started, delta: started },
        revisions: { 'profile Main 2': revision(config, { reason: 'because' }) },
        auditLog: { 'updateConfigProfile Main': ADDED },
      },
    }
  },
  deleteConfigProfile: ({ profiles }) => ({
    input: { uuid: profiles.Spare },
    changes: {
      configProfiles: { Spare: DELETED },
      configProfileInbounds: { P_VLESS: DELETED },
      configProfileRollouts: { 'Spare third': DELETED },
      configProfileRolloutNodes: { 'Spare third gamma': DELETED },
      configProfileRolloutInbounds: { 'Spare third P_VLESS': DELETED },
      internalSquadInbounds: { 'bronze P_VLESS': DELETED },
      hosts: { three: { configProfileId: null, configProfileInboundId: null } },
      nodes: { gamma: { isDisabled: true, activeConfigProfileId: null, updatedAt: NOW } },
      nodeInbounds: { 'gamma P_VLESS': DELETED },
      nodeStates: { gamma: { stopRequestedAt: NOW, lastStatusChange: NOW, lastStatusMessage: null, requestTicket: 2 } },
      deliveries: every(DELETED, ['gamma'], ['ann', 'ben', 'cat']),
      auditLog: { 'deleteConfigProfile Spare': ADDED },
    },
  }),
  startRollout: ({ profiles, nodes }) => {
    const config = profileConfig('Main', 'none')
    const inbounds = PROFILES.Main.map((inbound) => [
      `Main because ${inbound.tag}`,
      added({ tag: inbound.tag, rawInbound: inbound }),
    ])
    return {
      before: ({ ctx: { db } }) => db.updateTable('nodeStates').set({ isConnected: true, testsConfig: true }).execute(),
      input: { uuid: profiles.Main, config, reason: 'because', firstNodeUuid: nodes.alpha },
      changes: {
        configProfileRollouts: {
          'Main because': added({
            ...byAdmin,
            config,
            followingHosts: [],
            renamed: [],
            state: 'running',
            jobId: 'rollOutProfile',
          }),
        },
        configProfileRolloutInbounds: Object.fromEntries(inbounds),
        configProfileRolloutNodes: { 'Main because alpha': added({ wave: 1, state: 'starting', startsAsked: 1, since: NOW }) },
        nodeStates: { alpha: started },
        jobs: { rollOutProfile: added({ status: 'running', total: 1 }) },
        auditLog: { 'startRollout Main': added({ details: { jobId: 'rollOutProfile' } }) },
      },
    }
  },
  // Main begins its rules with the one that closes the local networks, on one node first.
  closeLocalNetworks: ({ profiles }) => {
    const rule = { type: 'field', ip: LOCAL_NETWORKS, outboundTag: 'BLOCK' }
    const main = profileConfig('Main')
    const closed = {
      ...main,
      outbounds: [...main.outbounds, { protocol: 'blackhole', tag: 'BLOCK' }],
      routing: { domainStrategy: 'IPIfNonMatch', rules: [rule] },
    }
    const inbounds = PROFILES.Main.map((inbound) => [
      `Main ${CLOSED} ${inbound.tag}`,
      added({ tag: inbound.tag, rawInbound: inbound }),
    ])
    return {
      before: ({ ctx: { db } }) => db.updateTable('nodeStates').set({ isConnected: true, testsConfig: true }).execute(),
      input: { uuid: profiles.Main },
      changes: {
        configProfileRollouts: {
          [`Main ${CLOSED}`]: added({
            ...byAdmin,
            config: closed,
            followingHosts: [],
            renamed: [],
            state: 'running',
            jobId: 'rollOutProfile',
          }),
        },
        configProfileRolloutInbounds: Object.fromEntries(inbounds),
        configProfileRolloutNodes: {
          [`Main ${CLOSED} alpha`]: added({ wave: 1, state: 'starting', startsAsked: 1, since: NOW }),
        },
        nodeStates: { alpha: started },
        jobs: { rollOutProfile: added({ status: 'running', total: 1 }) },
        auditLog: { 'startRollout Main': added({ details: { jobId: 'rollOutProfile' } }) },
      },
    }
  },
  pauseRollout: ({ rollouts }) => ({
    input: { uuid: rollouts.side },
    changes: {
      configProfileRollouts: { 'Side second': { isPaused: true } },
      auditLog: { 'pauseRollout Side second': ADDED },
    },
  }),
  continueRollout: ({ rollouts }) => ({
    before: ({ ctx: { db } }) => db.updateTable('configProfileRollouts').set({ isPaused: true }).execute(),
    input: { uuid: rollouts.side },
    changes: {
      configProfileRollouts: { 'Side second': { isPaused: false } },
      auditLog: { 'continueRollout Side second': ADDED },
    },
  }),
  waiveRolloutProof: ({ rollouts }) => ({
    input: { uuid: rollouts.side },
    changes: {
      configProfileRollouts: { 'Side second': { isProofWaived: true } },
      auditLog: { 'waiveRolloutProof Side second': ADDED },
    },
  }),
  takeBackRollout: ({ rollouts }) => ({
    input: { uuid: rollouts.side },
    changes: {
      configProfileRollouts: { 'Side second': { state: 'takenBack', endedAt: NOW } },
      nodeStates: { beta: started },
      jobs: { rollOutProfile: { status: 'cancelled' } },
      auditLog: { 'takeBackRollout Side second': added({ details: { jobId: 'rollOutProfile' } }) },
    },
  }),
} satisfies Writes
