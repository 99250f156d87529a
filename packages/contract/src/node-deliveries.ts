import { z } from 'zod'
import { nodePart } from './agent-parts.ts'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireUuid } from './wire.ts'

/** The obstacle of pending deliveries; the last one: there is none. */
export const DELIVERY_HOLDS = ['disabled', 'agentAway', 'coreDown', 'starting', 'refused', 'underWay'] as const
export type DeliveryHold = (typeof DELIVERY_HOLDS)[number]

const asked = z.object({ since: wireInstant }).nullable()

export const getNodeDeliveries = endpoint({
  name: 'getNodeDeliveries',
  title: 'Get Node Deliveries',
  tag: 'Nodes Controller',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/nodes/:uuid/deliveries',
  params: z.object({ uuid: wireUuid }),
  response: z.object({
    hold: z.enum(DELIVERY_HOLDS).nullable().describe('null where nothing waits'),
    configuration: asked.describe('a configuration, with which the core is started'),
    stop: asked.describe('the end of the core'),
    allUsers: asked.describe('the users as a whole, as after a change of many'),
    filters: asked.describe('what the agent filters'),
    filterProblem: z.string().nullable().describe('why the agent did not take them'),
    part: nodePart.nullable().describe('a program that is renewed'),
    single: z.object({
      added: z.number().describe('users that the node is to be told of one by one'),
      removed: z.number(),
      changed: z.number().describe('known to the node, with other inbounds or another key'),
      since: wireInstant.nullable().describe('when the oldest of them was asked for'),
      nextAttemptAt: wireInstant.nullable().describe('of those that failed'),
      problems: z
        .array(z.object({ text: z.string(), count: z.number() }))
        .describe('why some failed last, the most frequent first'),
    }),
  }),
})
