import { z } from 'zod'
import { renamedTags } from './config-profiles.ts'
import { endpoint } from './endpoint.ts'
import { wireList, wireObject, wireUuid } from './wire.ts'

const named = z.object({ uuid: wireUuid, name: z.string() })
const affected = z.object({
  some: z.number().describe('active users that lose a way in and keep another'),
  all: z.number().describe('active users that lose their last way in'),
  online: z.number().describe('of both, how many were seen within the last minute'),
})

/** What a change would do to the fleet and its users. Own addition. */
export const plan = z.object({
  problems: z.array(z.string()).describe('why the change would be refused'),
  notes: z.array(z.string()).describe('what to know of the inbounds that it adds or changes'),
  inbounds: z.array(
    z.object({
      tag: z.string(),
      change: z.enum(['added', 'removed', 'changed', 'renamed']),
      before: z.string().nullable().describe('the former tag of one that is renamed'),
    }),
  ),
  likelyRenamed: z
    .array(z.object({ from: z.string(), to: z.string() }))
    .describe('what seems to go on under another tag, and is not said to'),
  hosts: z.array(
    named.extend({
      loses: z.enum(['inbound', 'itself', 'users']).describe('users: it leaves the subscriptions of some active users'),
    }),
  ),
  squads: z.array(named.extend({ tags: z.array(z.string()).describe('inbounds that it loses') })),
  nodes: z.array(
    named.extend({
      tags: z.array(z.string()).describe('inbounds that it loses'),
      core: z.enum(['keeps', 'restarts', 'stops']).describe('what becomes of a core that runs'),
      isConnected: z.boolean(),
    }),
  ),
  users: affected.describe('by the ways that nodes offer; for hosts, by the entries of subscriptions'),
})
export type Plan = z.output<typeof plan>

const byUuid = z.object({ uuid: wireUuid })
const byUuids = z.object({ uuids: wireList(wireUuid, 10_000) })
const ofHosts = z.object({
  isDisabled: z.boolean().optional(),
  isHidden: z.boolean().optional(),
  inboundUuid: wireUuid.nullable().optional(),
})

export const planChange = endpoint({
  name: 'planChange',
  title: 'Plan Change',
  tag: 'Config profiles',
  access: 'profiles.read',
  method: 'POST',
  path: '/api/x/plan',
  body: z
    .object({
      saveProfile: byUuid.extend({ config: wireObject, renamed: renamedTags.optional() }).optional(),
      deleteProfile: byUuid.optional(),
      saveSquad: byUuid.extend({ inbounds: wireList(wireUuid, 10_000) }).optional(),
      deleteSquad: byUuid.optional(),
      saveHost: byUuid.extend(ofHosts.shape).optional(),
      saveHosts: byUuids.extend(ofHosts.shape).optional(),
      deleteHost: byUuid.optional(),
      deleteHosts: byUuids.optional(),
      saveNode: byUuid
        .extend({
          isDisabled: z.boolean().optional(),
          profileUuid: wireUuid.optional(),
          inbounds: wireList(wireUuid, 10_000).optional(),
        })
        .optional(),
      saveNodes: byUuids.extend({ isDisabled: z.boolean() }).optional(),
      deleteNode: byUuid.optional(),
    })
    .refine((change) => Object.values(change).filter((one) => one !== undefined).length === 1, 'must name exactly one change'),
  response: plan,
  bodyMegabytes: 4,
})
