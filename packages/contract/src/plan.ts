import { z } from 'zod'
import { followingHosts, renamedTags } from './config-profiles.ts'
import { endpoint } from './endpoint.ts'
import { hostFields } from './hosts.ts'
import { linkPart, misfit } from './links.ts'
import { snippetName } from './snippets.ts'
import { wireInt, wireList, wireObject, wireUuid } from './wire.ts'

const named = z.object({ uuid: wireUuid, name: z.string() })
const affected = z.object({
  some: z.number().describe('active users that lose a way in and keep another'),
  all: z.number().describe('active users that lose their last way in'),
  online: z.number().describe('of both, how many were seen within the last minute'),
  unsure: z
    .number()
    .describe('active users of whom it cannot be told: it depends on where hosts lead, or on what stands before the node'),
  reread: z.number().describe('active users who keep their ways in, but whose app has to read the subscription again for some'),
  cut: z.number().describe('users online on nodes whose core restarts or stops'),
})

/** The effect of a change on the fleet and its users. Own addition. */
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
  follows: z
    .array(
      named.extend({
        changes: z.array(z.object({ part: linkPart, from: z.string(), to: z.string() })),
        isChosen: z.boolean().describe('the change names it among followingHosts'),
      }),
    )
    .describe('hosts that say what their inbound does now and would not any more; a save that names them changes them with it'),
  overrides: z
    .array(named.extend({ misfits: z.array(misfit) }))
    .describe('hosts that say something else than their inbound does afterwards, in a part that the change concerns'),
  unsureHosts: z.array(named).describe('hosts of which it cannot be told whether they lead to a node that runs their inbound'),
  squads: z.array(named.extend({ tags: z.array(z.string()).describe('inbounds that it loses') })),
  nodes: z.array(
    named.extend({
      tags: z.array(z.string()).describe('inbounds that it loses'),
      core: z
        .enum(['keeps', 'restarts', 'stops', 'unknown'])
        .describe('what becomes of a core that runs; unknown: the node moves, and what runs at its new address cannot be told'),
      isConnected: z.boolean().describe('a node that is away gets the change when it is back'),
      usersOnline: z.number().describe('users whom it last served, seen within the last minute'),
    }),
  ),
  users: affected
    .nullable()
    .describe(
      'by the inbounds that nodes open to them, and by the entries of their subscriptions that lead in; null without `users.read`',
    ),
})
export type Plan = z.output<typeof plan>

const byUuid = z.object({ uuid: wireUuid })
const byUuids = z.object({ uuids: wireList(wireUuid, 10_000) })
const ofHosts = z.object({
  isDisabled: z.boolean().optional(),
  isHidden: z.boolean().optional(),
  inboundUuid: wireUuid.nullable().optional(),
  ...hostFields
    .pick({ address: true, port: true, path: true, host: true, sni: true, securityLayer: true, overrideSniFromAddress: true })
    .partial().shape,
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
      saveProfile: byUuid
        .extend({ config: wireObject, renamed: renamedTags.optional(), followingHosts: followingHosts.optional() })
        .optional(),
      deleteProfile: byUuid.optional(),
      saveSnippet: z.object({ name: snippetName, snippet: wireList(wireObject, 2000) }).optional(),
      saveSquad: byUuid.extend({ inbounds: wireList(wireUuid, 10_000) }).optional(),
      deleteSquad: byUuid.optional(),
      /** Every user becomes a member. */
      fillSquad: byUuid.optional(),
      emptySquad: byUuid.optional(),
      saveHost: byUuid.extend(ofHosts.shape).optional(),
      saveHosts: byUuids.extend(ofHosts.shape).optional(),
      deleteHost: byUuid.optional(),
      deleteHosts: byUuids.optional(),
      saveNode: byUuid
        .extend({
          isDisabled: z.boolean().optional(),
          profileUuid: wireUuid.optional(),
          inbounds: wireList(wireUuid, 10_000).optional(),
          address: z.string().optional(),
          port: wireInt.nullable().optional(),
        })
        .optional(),
      saveNodes: byUuids.extend({ isDisabled: z.boolean() }).optional(),
      deleteNode: byUuid.optional(),
    })
    .refine((change) => Object.values(change).filter((one) => one !== undefined).length === 1, 'must name exactly one change'),
  response: plan,
  bodyMegabytes: 4,
})
