import { z } from 'zod'
import { MOST_NETWORKS } from './agent-filters.ts'
import { endpoint } from './endpoint.ts'
import { newOrder } from './generations.ts'
import { isIpAddress } from './host-address.ts'
import { tagName, wireId, wireInstant, wireInt, wireList, wireText, wireUuid } from './wire.ts'

// Tasks of a node besides serving: filters, blocks, torrents, dropped connections. A plugin is assigned to nodes, each has at most
// one. Our agents carry it out; agents of 2.1 are not told of it.

const tag = 'Node plugins'
const MOST_PLUGINS = 500
const byUuid = z.object({ uuid: wireUuid })
const eventSent = z.object({ eventSent: z.boolean() })
const isDeleted = z.object({ isDeleted: z.boolean() })

const name = z
  .string()
  .min(2, 'must have at least 2 characters')
  .max(30, 'must have at most 30 characters')
  .regex(/^[A-Za-z0-9_\s-]+$/, 'must have letters, digits, spaces, _ and - only')
const networks = wireList(wireText(300), MOST_NETWORKS)

/** A list of networks, used in plugins by the text `ext:` and its name. */
export const listReference = (listName: string): string => `ext:${listName}`

/** Networks are addresses, networks in CIDR form, and names of shared lists. */
export const pluginConfig = z.object({
  torrentBlocker: z
    .object({
      enabled: z.boolean(),
      blockDuration: wireInt
        .min(0, 'must not be negative')
        .max(315_360_000, 'must be at most ten years')
        .describe('seconds; 0: for ever'),
      ignoreLists: z
        .object({ ip: networks.optional(), userId: wireList(wireId, 10_000).optional() })
        .optional()
        .describe('what is neither dropped, blocked nor reported'),
      includeRuleTags: wireList(wireText(255), 100).optional().describe('rules of the profile whose matches are reported too'),
      rulePlacement: wireInt.min(0, 'must not be negative').max(1000, 'must be at most 1000').optional(),
      webhookUrl: wireText(2000).nullish(),
    })
    .optional(),
  ingressFilter: z.object({ enabled: z.boolean(), blockedIps: networks }).optional(),
  egressFilter: z
    .object({
      enabled: z.boolean(),
      blockedIps: networks.optional(),
      blockedPorts: wireList(wireInt.min(1, 'must be at least 1').max(65_535, 'must be at most 65535'), 1000).optional(),
    })
    .optional(),
  connectionDrop: z.object({ enabled: z.boolean(), whitelistIps: networks.optional() }).optional(),
  preStart: z
    .object({
      enabled: z.boolean(),
      cleanupSockets: z.object({ enabled: z.boolean(), files: wireList(wireText(300), 64) }).optional(),
    })
    .optional(),
})
export type PluginConfig = z.output<typeof pluginConfig>

export const nodePlugin = z.object({
  uuid: wireUuid,
  viewPosition: wireInt,
  name: z.string(),
  pluginConfig: pluginConfig.nullable(),
  tags: z.array(z.string()).optional(),
  nodes: z
    .array(
      z.object({
        uuid: wireUuid,
        name: z.string(),
        countryCode: z.string(),
        filtersAt: wireInstant.nullable().describe('when its agent took this plugin; null: not yet'),
        problem: z.string().nullable().describe('why its agent does not filter'),
      }),
    )
    .optional()
    .describe('nodes that it is assigned to (own addition)'),
})
export type NodePlugin = z.output<typeof nodePlugin>
const plugins = z.object({ total: wireInt, nodePlugins: z.array(nodePlugin) })

const since27 = { since: '2.7', tag } as const

export const listNodePlugins = endpoint({
  ...since27,
  name: 'listNodePlugins',
  title: 'Get Node Plugins',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/node-plugins',
  response: plugins,
})
export const getNodePlugin = endpoint({
  ...since27,
  name: 'getNodePlugin',
  title: 'Get Node Plugin',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/node-plugins/:uuid',
  params: byUuid,
  response: nodePlugin,
})
export const createNodePlugin = endpoint({
  ...since27,
  name: 'createNodePlugin',
  creates: true,
  title: 'Create Node Plugin',
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins',
  body: z.object({ name }),
  response: nodePlugin,
  status: 201,
})
export const updateNodePlugin = endpoint({
  ...since27,
  name: 'updateNodePlugin',
  title: 'Update Node Plugin',
  access: 'nodes.write',
  method: 'PATCH',
  path: '/api/node-plugins',
  body: z.object({ uuid: wireUuid, name: name.optional(), pluginConfig: pluginConfig.optional() }),
  response: nodePlugin,
  bodyMegabytes: 4,
})
export const deleteNodePlugin = endpoint({
  ...since27,
  name: 'deleteNodePlugin',
  title: 'Delete Node Plugin',
  access: 'nodes.write',
  method: 'DELETE',
  path: '/api/node-plugins/:uuid',
  params: byUuid,
  response: isDeleted,
})
export const cloneNodePlugin = endpoint({
  ...since27,
  name: 'cloneNodePlugin',
  creates: true,
  title: 'Clone Node Plugin',
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins/actions/clone',
  body: z.object({ cloneFromUuid: wireUuid }),
  response: nodePlugin,
  status: 201,
})
export const reorderNodePlugins = endpoint({
  ...since27,
  name: 'reorderNodePlugins',
  title: 'Reorder Node Plugins',
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins/actions/reorder',
  body: newOrder,
  response: plugins,
})
/** Has its nodes told of it anew. */
export const syncNodePlugin = endpoint({
  name: 'syncNodePlugin',
  title: 'Sync Node Plugin',
  since: '3.3',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins/actions/sync',
  body: byUuid,
  response: eventSent,
})
export const listNodePluginTags = endpoint({
  name: 'listNodePluginTags',
  title: 'Get Tags of Node Plugins',
  since: '3.4',
  tag: 'Tags',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/node-plugins/tags',
  response: z.object({ tags: z.array(z.string()) }),
})
export const setNodePluginTags = endpoint({
  name: 'setNodePluginTags',
  title: 'Set Tags of Node Plugin',
  since: '3.4',
  tag: 'Tags',
  access: 'nodes.write',
  method: 'PATCH',
  path: '/api/node-plugins/tags',
  body: z.object({ uuid: wireUuid, tags: wireList(tagName(36), 100).optional() }),
  response: z.object({ uuid: wireUuid, tags: z.array(z.string()) }),
})

const address = z.string().refine(isIpAddress, 'must be an address')
const MOST_ADDRESSES = 10_000
/** Blocks end with the agent, or by their time. */
export const executeNodePlugin = endpoint({
  ...since27,
  name: 'executeNodePlugin',
  title: 'Block Addresses on Nodes',
  access: 'nodes.write',
  method: 'POST',
  path: '/api/node-plugins/executor',
  body: z.object({
    command: z.discriminatedUnion('command', [
      z.object({
        command: z.literal('blockIps'),
        ips: wireList(
          z.object({ ip: address, timeout: wireInt.min(0, 'must not be negative').describe('seconds; 0: for ever') }),
          MOST_ADDRESSES,
        ),
      }),
      z.object({ command: z.literal('unblockIps'), ips: wireList(address, MOST_ADDRESSES) }),
      z.object({ command: z.literal('recreateTables') }),
    ]),
    targetNodes: z.discriminatedUnion('target', [
      z.object({ target: z.literal('allNodes') }),
      z.object({ target: z.literal('specificNodes'), nodeUuids: wireList(wireUuid, MOST_PLUGINS) }),
    ]),
  }),
  response: eventSent.extend({
    nodes: z
      .array(z.object({ nodeUuid: wireUuid, nodeName: z.string(), error: z.string().nullable() }))
      .optional()
      .describe('what became of it on each node (own addition)'),
  }),
})

/** Own addition: what these filters would block now, of connected clients and of addresses that subscriptions were asked from. */
export const previewNodePlugin = endpoint({
  name: 'previewNodePlugin',
  title: 'Preview Node Plugin',
  tag,
  access: 'users.read',
  method: 'POST',
  path: '/api/x/node-plugins/preview',
  body: z.object({ uuid: wireUuid.optional(), pluginConfig }),
  response: z.object({
    blocked: z.array(
      z.object({
        ip: z.string(),
        network: z.string().describe('the entry that blocks it'),
        username: z.string(),
        userUuid: wireUuid,
        isConnected: z.boolean().describe('false: a subscription was asked for from there lately'),
        nodes: z.array(z.string()),
      }),
    ),
    total: wireInt.describe('how many there are; a part of them is listed'),
    nodesRead: wireInt,
    nodesUnread: wireInt.describe('that could not say who is connected'),
  }),
  bodyMegabytes: 4,
})
