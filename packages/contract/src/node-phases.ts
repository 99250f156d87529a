import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireUuid } from './wire.ts'

/** So many changes are told, the newest. */
export const PHASES_TOLD = 2000
/** So long they are kept. */
export const PHASES_KEPT_DAYS = 30

/** The last one: no server of the installation looked after the node. */
export const NODE_PHASES = ['connected', 'restarting', 'connecting', 'agentAway', 'coreDown', 'disabled', 'unwatched'] as const
export type NodePhase = (typeof NODE_PHASES)[number]

export const listNodePhases = endpoint({
  name: 'listNodePhases',
  title: 'List Node Phases',
  tag: 'Nodes Controller',
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/nodes/:uuid/phases',
  params: z.object({ uuid: wireUuid }),
  response: z.object({
    now: wireInstant,
    phases: z
      .array(
        z.object({
          beganAt: wireInstant,
          phase: z.enum(NODE_PHASES),
          reason: z.string().nullable().describe('a sentence, as it was shown when the phase began'),
        }),
      )
      .describe(
        `oldest first; each lasts until the next one; of the last ${PHASES_KEPT_DAYS} days, with the one that was under way before them. Two of connected in a row: the core ended by itself and was started again.`,
      ),
  }),
})
