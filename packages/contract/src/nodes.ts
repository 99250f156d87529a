import { z } from 'zod'
import { inbound } from './config-profiles.ts'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { partialProvider } from './infra-billing.ts'
import { ownTags } from './tags.ts'
import { wireId, wireInstant, wireInt, wireList, wireText, wireUuid } from './wire.ts'

const trafficLimitBytes = z.number().min(0, 'must not be negative')
const percent = z.number().min(0, 'must be from 0 to 100').max(100, 'must be from 0 to 100')
const dayOfMonth = z.number().min(1, 'must be from 1 to 31').max(31, 'must be from 1 to 31')

/** Uses of an address of a node. */
export const nodeIpStatus = z.enum([
  'INBOUND',
  'OUTBOUND',
  'MANAGEMENT',
  'TRANSIT',
  'MONITORING',
  'RESERVE',
  'BLOCKED',
  'FLAGGED',
  'DEPRECATED',
  'UNKNOWN',
])

/** Addresses of a node beside the one of its agent, for people and programs; nothing here connects to them. */
const MOST_IPS = 64
const nodeIp = z.object({ ip: z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address' }), status: nodeIpStatus })
export type NodeIp = z.output<typeof nodeIp>
const nodeIps = wireList(nodeIp, MOST_IPS)

/** The fields an administrator edits. Create and update are made from these. */
export const nodeFields = z.object({
  name: wireText().min(3, 'must have at least 3 characters'),
  address: wireText().min(2, 'must have at least 2 characters'),
  port: z.number(),
  isTrafficTrackingActive: z.boolean(),
  trafficLimitBytes,
  notifyPercent: percent,
  trafficResetDay: dayOfMonth,
  countryCode: z.string().max(2, 'must be a code of two letters').describe('ISO 3166-1 alpha-2; XX means unknown'),
  consumptionMultiplier: z
    .number()
    .min(0.1, 'must be at least 0.1')
    .describe('users are charged this many bytes for each byte; one decimal'),
  configProfile: z.object({ activeConfigProfileUuid: wireUuid, activeInbounds: wireList(wireUuid, 1000) }),
  providerUuid: wireUuid.nullable(),
  activePluginUuid: wireUuid.nullable(),
  tags: ownTags,
  note: wireText(255).nullable(),
  ips: nodeIps,
})

export const node = nodeFields.extend({
  uuid: wireUuid,
  name: z.string(),
  address: z.string(),
  port: wireInt.nullable(),
  isConnected: z.boolean(),
  isConnecting: z.boolean(),
  isDisabled: z.boolean(),
  isNodeOnline: z.boolean(),
  isXrayRunning: z.boolean(),
  lastStatusChange: wireInstant.nullable(),
  lastStatusMessage: z.string().nullable(),
  xrayVersion: z.string().nullable(),
  nodeVersion: z.string().nullable(),
  xrayUptime: z.string().describe('seconds; "0" when not running'),
  trafficResetDay: wireInt.nullable(),
  trafficLimitBytes: z.number().nullable(),
  trafficUsedBytes: z.number().nullable(),
  notifyPercent: wireInt.nullable(),
  usersOnline: wireInt.nullable(),
  viewPosition: wireInt,
  countryCode: z.string(),
  consumptionMultiplier: z.number(),
  cpuCount: wireInt.nullable(),
  cpuModel: z.string().nullable(),
  totalRam: z.string().nullable(),
  createdAt: wireInstant,
  updatedAt: wireInstant,
  configProfile: z.object({ activeConfigProfileUuid: wireUuid.nullable(), activeInbounds: z.array(inbound) }),
  provider: partialProvider.nullable(),
  accountedThroughAt: wireInstant.nullable().optional().describe('traffic is booked up to this instant (own addition)'),
  certificateExpiresAt: wireInstant
    .nullable()
    .optional()
    .describe('when the certificate ends that the agent showed last (own addition)'),
  closingRule: z
    .object({
      isDelivered: z.boolean().describe('false: the core runs a configuration from before the rule'),
      ports: z.array(wireInt).describe('TCP ports; empty where the agent has not told'),
    })
    .nullable()
    .optional()
    .describe('ports of the node itself that are closed to subscribers; null while no core was started (own addition)'),
  id: later('3.1', wireId),
  versions: later('2.7', z.object({ xray: z.string(), node: z.string() }).nullable()),
  system: later('2.7', z.null()).describe('agents do not tell of their machine in this form yet'),
  tags: later('2.3', z.array(z.string())),
  note: later('2.8', z.string().nullable()),
  proxyUrl: later('2.8', z.string().nullable()),
  nodeConsumptionMultiplier: later('2.8', z.number()),
  activePluginUuid: later('2.7', wireUuid.nullable()),
  ips: later('3.2', z.array(z.object({ ip: z.string(), status: nodeIpStatus }))),
  integrationUuids: later('3.3', z.array(wireUuid)),
  warning: z.string().nullable().optional().describe('something an administrator should look at (own addition)'),
})
export type Node = z.output<typeof node>

const createBody = nodeFields.partial().extend({
  name: nodeFields.shape.name,
  address: nodeFields.shape.address,
  port: wireInt.min(1, 'must be at least 1').optional(),
  trafficLimitBytes: wireInt.min(0, 'must not be negative').optional(),
  notifyPercent: wireInt.min(0, 'must be from 0 to 100').max(100, 'must be from 0 to 100').optional(),
  trafficResetDay: wireInt.min(1, 'must be from 1 to 31').max(31, 'must be from 1 to 31').optional(),
  configProfile: nodeFields.shape.configProfile,
})
const updateBody = nodeFields.partial().extend({ uuid: wireUuid })

const tag = 'Nodes'
const byUuid = z.object({ uuid: wireUuid })
const range = z.object({ start: z.string(), end: z.string() })
const eventSent = z.object({ eventSent: z.boolean() })

export const createNode = endpoint({
  name: 'createNode',
  creates: true,
  title: 'Create Node',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes',
  body: createBody,
  response: node,
  status: 201,
})
export const updateNode = endpoint({
  name: 'updateNode',
  title: 'Update Node',
  tag,
  access: 'nodes.write',
  method: 'PATCH',
  path: '/api/nodes',
  body: updateBody,
  response: node,
})
export const listNodes = endpoint({
  name: 'listNodes',
  title: 'Get All Nodes',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/nodes',
  response: z.array(node),
})
export const getNode = endpoint({
  name: 'getNode',
  title: 'Get Node',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/nodes/:uuid',
  params: byUuid,
  response: node,
})
export const deleteNode = endpoint({
  name: 'deleteNode',
  title: 'Delete Node',
  tag,
  access: 'nodes.write',
  method: 'DELETE',
  path: '/api/nodes/:uuid',
  params: byUuid,
  response: z.object({ isDeleted: z.boolean() }),
})
export const enableNode = endpoint({
  name: 'enableNode',
  title: 'Enable Node',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/:uuid/actions/enable',
  params: byUuid,
  response: node,
})
export const disableNode = endpoint({
  name: 'disableNode',
  title: 'Disable Node',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/:uuid/actions/disable',
  params: byUuid,
  response: node,
})
export const restartNode = endpoint({
  name: 'restartNode',
  title: 'Restart Node',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/:uuid/actions/restart',
  params: byUuid,
  response: eventSent,
})
export const restartAllNodes = endpoint({
  name: 'restartAllNodes',
  title: 'Restart All Nodes',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/actions/restart-all',
  body: z.object({ forceRestart: z.boolean().optional() }),
  response: eventSent,
})
export const reorderNodes = endpoint({
  name: 'reorderNodes',
  title: 'Reorder Nodes',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/actions/reorder',
  body: z.object({ nodes: wireList(z.object({ viewPosition: wireInt, uuid: wireUuid }), 10_000) }),
  response: z.array(node),
})
export const listNodesUsage = endpoint({
  name: 'listNodesUsage',
  title: 'Get Nodes Usage By Range',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/nodes/usage/range',
  query: range,
  response: z.array(
    z.object({
      nodeUuid: wireUuid,
      nodeName: z.string(),
      nodeCountryCode: z.string(),
      total: z.number(),
      totalDownload: z.number(),
      totalUpload: z.number(),
      humanReadableTotal: z.string(),
      humanReadableTotalDownload: z.string(),
      humanReadableTotalUpload: z.string(),
      date: wireInstant,
    }),
  ),
})
export const listNodeUsersUsage = endpoint({
  name: 'listNodeUsersUsage',
  title: 'Get Node Users Usage By Range',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/nodes/usage/:uuid/users/range',
  params: byUuid,
  query: range,
  reserved: { '': 'users.read' },
  response: z.array(
    z.object({ userUuid: wireUuid, username: z.string(), nodeUuid: wireUuid, total: z.number(), date: wireInstant }),
  ),
})
export const listNodesRealtimeUsage = endpoint({
  name: 'listNodesRealtimeUsage',
  title: 'Get Nodes Realtime Usage',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/nodes/usage/realtime',
  response: z.array(
    z.object({
      nodeUuid: wireUuid,
      nodeName: z.string(),
      countryCode: z.string(),
      downloadBytes: z.number(),
      uploadBytes: z.number(),
      totalBytes: z.number(),
      downloadSpeedBps: z.number().describe('bytes per second'),
      uploadSpeedBps: z.number(),
      totalSpeedBps: z.number(),
    }),
  ),
})
export const getNodePublicKey = endpoint({
  name: 'getNodePublicKey',
  title: 'Get Public Key',
  tag: 'Keygen',
  access: 'nodes.write',
  method: 'GET',
  path: '/api/keygen',
  response: z.object({ pubKey: z.string(), secretKey: later('3.0', z.string()).describe('the same') }),
})

const selection = z.object({ uuids: wireList(wireUuid, 10_000).refine((list) => list.length > 0, 'must name a node') })

export const resetNodeTraffic = endpoint({
  name: 'resetNodeTraffic',
  title: 'Reset Node Traffic',
  since: '2.2',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/:uuid/actions/reset-traffic',
  params: byUuid,
  response: eventSent,
})
/** One node after the other; those that are gone, and disabled ones that were to restart, are passed over. */
export const bulkNodesAction = endpoint({
  name: 'bulkNodesAction',
  title: 'Bulk Nodes Action',
  since: '2.6',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/bulk-actions',
  body: selection.extend({ action: z.enum(['ENABLE', 'DISABLE', 'RESTART', 'RESET_TRAFFIC']) }),
  response: eventSent,
})
export const bulkNodesProfile = endpoint({
  name: 'bulkNodesProfile',
  title: 'Bulk Nodes Profile',
  since: '2.3',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/bulk-actions/profile-modification',
  body: selection.extend({ configProfile: nodeFields.shape.configProfile }),
  response: eventSent,
})
export const bulkUpdateNodes = endpoint({
  name: 'bulkUpdateNodes',
  title: 'Bulk Update Nodes',
  since: '2.7',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/nodes/bulk-actions/update',
  body: selection.extend({
    fields: nodeFields
      .pick({
        countryCode: true,
        consumptionMultiplier: true,
        providerUuid: true,
        activePluginUuid: true,
        tags: true,
        note: true,
      })
      .partial(),
  }),
  response: eventSent,
})
