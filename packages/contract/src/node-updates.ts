import { z } from 'zod'
import { nodePart } from './agent-parts.ts'
import { endpoint } from './endpoint.ts'
import { rolloutNode, rolloutState } from './rollouts.ts'
import { wireDateTime, wireInstant, wireList, wireUuid } from './wire.ts'

// Updates of the agent, of Xray and of geo files on nodes: to one node first, which is watched, then to the others in waves. Own addition.

/** As many nodes as one update names. */
const MOST_NODES = 1000

const nodeUpdate = z.object({
  uuid: wireUuid,
  part: nodePart.describe('`core` is Xray, `geo` the lists of its rules; both restart it'),
  version: z.string(),
  state: rolloutState.describe('failed, takenBack: its nodes have the part that they had before'),
  isPaused: z.boolean(),
  beginsAt: wireInstant.nullable().describe('nothing is begun before'),
  actorName: z.string().nullable(),
  error: z.string().nullable().describe('why it failed, in a sentence'),
  startedAt: wireInstant,
  endedAt: wireInstant.nullable(),
  nodes: z.array(rolloutNode).describe('in the order of their turns'),
})
export type NodeUpdate = z.output<typeof nodeUpdate>

const tag = 'Nodes'
const byUuid = z.object({ uuid: wireUuid })
const access = 'nodes.write'

export const getNodeUpdates = endpoint({
  name: 'getNodeUpdates',
  title: 'Get Node Updates',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/node-updates',
  response: z.object({
    carried: z.object({
      agent: z.string().describe('version that this server brings'),
      core: z.string(),
      geo: z.string().nullable().describe('of the geo files that were uploaded; null without any'),
      processors: z.array(z.string()).describe('for which it has the files of agent and Xray'),
    }),
    nodes: z.array(
      z.object({
        uuid: wireUuid,
        name: z.string(),
        countryCode: z.string(),
        agentVersion: z.string().nullable(),
        coreVersion: z.string().nullable(),
        geoVersion: z.string().nullable().describe('empty where it has none from here; null where its agent takes none'),
        usersOnline: z.number(),
        isConnected: z.boolean(),
        isUpdatable: z.boolean().describe('false: its agent is updated by its own program, not from here'),
        older: z.array(nodePart).describe('parts that the server carries a newer version of, or other geo files'),
      }),
    ),
    last: nodeUpdate.nullable(),
  }),
})
export type NodeUpdates = z.output<typeof getNodeUpdates.response>

export const startNodeUpdate = endpoint({
  name: 'startNodeUpdate',
  title: 'Start Node Update',
  tag,
  access,
  method: 'POST',
  path: '/api/x/node-updates',
  body: z.object({
    part: nodePart,
    nodeUuids: wireList(wireUuid, MOST_NODES).optional().describe('unless given, every connected node with an older version'),
    beginsAt: wireDateTime.optional().describe('unless given, now'),
  }),
  response: nodeUpdate,
  status: 201,
})
export const pauseNodeUpdate = endpoint({
  name: 'pauseNodeUpdate',
  title: 'Pause Node Update',
  tag,
  access,
  method: 'POST',
  path: '/api/x/node-updates/:uuid/actions/pause',
  params: byUuid,
  response: nodeUpdate,
})
export const continueNodeUpdate = endpoint({
  name: 'continueNodeUpdate',
  title: 'Continue Node Update',
  tag,
  access,
  method: 'POST',
  path: '/api/x/node-updates/:uuid/actions/continue',
  params: byUuid,
  response: nodeUpdate,
})
export const takeBackNodeUpdate = endpoint({
  name: 'takeBackNodeUpdate',
  title: 'Take Back Node Update',
  tag,
  access,
  method: 'POST',
  path: '/api/x/node-updates/:uuid/actions/take-back',
  params: byUuid,
  response: nodeUpdate,
})
