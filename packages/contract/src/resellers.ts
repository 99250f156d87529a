import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInt, wireList, wireText, wireUuid } from './wire.ts'

// Resellers: squads whose users some administrators and tokens see, and bounds of what those may promise. Own addition.

export const MAX_RESELLERS = 200
const MAX_SQUADS = 100
/** A hundred years. */
const MAX_DAYS = 36_500

const fields = z.object({
  name: wireText(60).min(1, 'must not be empty'),
  squads: wireList(wireUuid, MAX_SQUADS).refine((list) => list.length > 0, 'name at least one internal squad'),
  maxUsers: wireInt.min(0, 'must not be negative').nullable().describe('null: no bound'),
  maxBytes: wireInt.min(0, 'must not be negative').nullable().describe('sum of the traffic limits of its users; null: no bound'),
  maxDays: wireInt
    .min(1, 'must be at least 1')
    .max(MAX_DAYS, `must be at most ${MAX_DAYS}`)
    .nullable()
    .describe('longest expiry from now; null: no bound'),
})

/** Bounds of a reseller, and what it has promised. */
export const resellerRoom = fields.omit({ squads: true }).extend({ users: z.number(), promisedBytes: z.number() })
export type ResellerRoom = z.output<typeof resellerRoom>

/** The same for its own people, with what they may call: all else is refused to them. */
export const ownRoom = resellerRoom.extend({ opens: z.array(z.string()).describe('names of endpoints') })

export const reseller = resellerRoom.extend({
  uuid: wireUuid,
  squads: z.array(z.object({ uuid: wireUuid, name: z.string() })),
  usedBytes: z.number().describe('traffic of its users since their last reset'),
  lifetimeUsedBytes: z.number().describe('the same with what was used before resets; deleted users count no more'),
  unlimitedUsers: z.number(),
  endingThisWeek: z.number().describe('active users who expire within seven days'),
  admins: z.array(z.string()).describe('names of its administrators'),
  tokens: z.number(),
})
export type Reseller = z.output<typeof reseller>

const tag = 'Administrators'
const one = z.object({ uuid: wireUuid })
const isDeleted = z.object({ isDeleted: z.boolean() })

export const listResellers = endpoint({
  name: 'listResellers',
  title: 'Get Resellers',
  tag,
  access: 'admins.read',
  method: 'GET',
  path: '/api/x/resellers',
  response: z.object({ resellers: z.array(reseller) }),
})
export const createReseller = endpoint({
  name: 'createReseller',
  title: 'Create Reseller',
  tag,
  access: 'admins.write',
  creates: true,
  method: 'POST',
  path: '/api/x/resellers',
  body: fields,
  response: reseller,
  status: 201,
})
export const updateReseller = endpoint({
  name: 'updateReseller',
  title: 'Update Reseller',
  tag,
  access: 'admins.write',
  method: 'PATCH',
  path: '/api/x/resellers/:uuid',
  params: one,
  body: fields.partial(),
  response: reseller,
})
export const deleteReseller = endpoint({
  name: 'deleteReseller',
  title: 'Delete Reseller',
  tag,
  access: 'admins.write',
  method: 'DELETE',
  path: '/api/x/resellers/:uuid',
  params: one,
  response: isDeleted,
})
