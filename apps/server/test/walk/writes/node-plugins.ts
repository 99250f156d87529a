import type { Writes } from '../declared.ts'
import { ADDED, DELETED, NOW, added } from '../rows.ts'

const pluginConfig = { egressFilter: { enabled: true, blockedPorts: [25] } }
const items = ['203.0.113.0/24']
/** What asks the fleet to tell the node of its filters. */
const TOLD = { filtersRequestedAt: NOW, requestTicket: 2 }
const STARTED = { filtersRequestedAt: NOW, requestTicket: 3, startRequestedAt: NOW, startsAsked: 2 }
const nodes = { specific: (uuid: string) => ({ target: 'specificNodes' as const, nodeUuids: [uuid] }) }

export const nodePluginWrites = {
  createNodePlugin: () => ({
    input: { name: 'hedge' },
    changes: { nodePlugins: { hedge: added({ tags: [], viewPosition: 4 }) }, auditLog: { 'createNodePlugin hedge': ADDED } },
  }),
  updateNodePlugin: ({ plugins }) => ({
    input: { uuid: plugins.wall, name: 'rampart', pluginConfig },
    changes: {
      nodePlugins: { wall: { name: 'rampart', config: pluginConfig, updatedAt: NOW } },
      nodeStates: { beta: TOLD },
      auditLog: { 'updateNodePlugin wall': ADDED },
    },
  }),
  deleteNodePlugin: ({ plugins }) => ({
    input: { uuid: plugins.wall },
    changes: {
      nodePlugins: { wall: DELETED },
      nodes: { beta: { pluginId: null } },
      nodeStates: { beta: TOLD },
      auditLog: { 'deleteNodePlugin wall': ADDED },
    },
  }),
  cloneNodePlugin: ({ plugins }) => ({
    input: { cloneFromUuid: plugins.gate },
    changes: {
      nodePlugins: {
        'gate 2': added({ config: { ingressFilter: { enabled: true, blockedIps: ['ext:ads'] } }, tags: [], viewPosition: 4 }),
      },
      auditLog: { 'createNodePlugin gate 2': ADDED },
    },
  }),
  reorderNodePlugins: ({ plugins }) => ({
    input: { items: [{ uuid: plugins.gate, viewPosition: 101 }] },
    changes: { nodePlugins: { gate: { viewPosition: 101 } }, auditLog: { 'reorderNodePlugins 1 plugins': ADDED } },
  }),
  syncNodePlugin: ({ plugins }) => ({
    input: { uuid: plugins.wall },
    changes: { nodeStates: { beta: TOLD }, auditLog: { 'syncNodePlugin wall': ADDED } },
  }),
  setNodePluginTags: ({ plugins }) => ({
    input: { uuid: plugins.wall, tags: ['EU'] },
    changes: { nodePlugins: { wall: { tags: ['EU'] } }, auditLog: { 'updateNodePlugin wall': ADDED } },
  }),
  executeNodePlugin: ({ nodes: { beta } }) => ({
    input: { command: { command: 'blockIps', ips: [{ ip: '198.51.100.9', timeout: 60 }] }, targetNodes: nodes.specific(beta) },
    changes: { auditLog: { 'executeNodePlugin blockIps': ADDED } },
  }),
  createSharedList: () => ({
    input: { name: 'dark', config: { type: 'ipList', items } },
    changes: { sharedLists: { dark: added({ items }) }, auditLog: { 'createSharedList dark': ADDED } },
  }),
  updateSharedList: () => ({
    input: { name: 'ads', config: { type: 'ipList', items } },
    changes: {
      sharedLists: { ads: { items, updatedAt: NOW } },
      nodeStates: { beta: STARTED },
      auditLog: { 'updateSharedList ads': ADDED },
    },
  }),
  deleteSharedList: () => ({
    input: { name: 'bots' },
    changes: { sharedLists: { bots: DELETED }, auditLog: { 'deleteSharedList bots': ADDED } },
  }),
  deleteSharedListByName: () => ({
    input: { name: 'bots' },
    changes: { sharedLists: { bots: DELETED }, auditLog: { 'deleteSharedList bots': ADDED } },
  }),
  syncSharedList: () => ({
    input: { name: 'ads' },
    changes: { nodeStates: { beta: STARTED }, auditLog: { 'syncSharedList ads': ADDED } },
  }),
  truncateTorrentReports: () => ({
    input: {},
    changes: {
      torrentReports: { 'alpha ann': DELETED, 'beta ben': DELETED, 'gamma cat': DELETED },
      auditLog: { 'truncateTorrentReports all': ADDED },
    },
  }),
} satisfies Writes
