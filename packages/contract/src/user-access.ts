import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { later } from './generations.ts'
import { misfit } from './links.ts'
import { wireId, wireInstant, wireUuid } from './wire.ts'

// Where a user can connect, and why or why not, step by step from the account to the app (own addition).

/** Findings of each step. */
const findings = {
  status: z.enum(['active', 'disabled', 'expired', 'limited']),
  expiry: z.enum(['ahead', 'endless', 'passed']),
  limit: z.enum(['unlimited', 'room', 'usedUp']),
  devices: z.enum(['unlimited', 'room', 'full']),
  squads: z.enum(['some', 'none']),
  inbounds: z.enum(['some', 'none', 'onNoNode']),
  hosts: z.enum(['some', 'forwarded', 'someAstray', 'allAstray', 'none']),
  nodes: z.enum(['all', 'some', 'onTheWay', 'none', 'allDown', 'noneThere']),
  subscription: z.enum(['opened', 'beforeChange', 'beforeRevoke', 'never']),
} as const

export type AccessStepName = keyof typeof findings
export type AccessFinding = { [Name in AccessStepName]: `${Name}.${z.output<(typeof findings)[Name]>}` }[AccessStepName]

/** Each finding by the name of its step and what was found there: `expiry.passed`. */
const finding = z.enum(
  // The names are made of the table above, which the type says and entries() forgets.
  Object.entries(findings).flatMap(([step, { options }]) => options.map((found) => `${step}.${found}`)) as [
    AccessFinding,
    ...AccessFinding[],
  ],
)

export const accessVerdict = z.enum(['good', 'warning', 'bad', 'follows'])
export type AccessVerdict = z.output<typeof accessVerdict>

const step = z.object({
  finding,
  verdict: accessVerdict.describe(
    'bad: nothing gets past this step; warning: works in part, or for some apps; follows: ends with a bad step before it',
  ),
  count: z.number().optional().describe('how many there are, or are taken'),
  of: z.number().optional().describe('of how many'),
})
export type AccessStep = z.output<typeof step>

const accessNode = z.object({
  uuid: wireUuid,
  name: z.string(),
  countryCode: z.string(),
  state: z
    .enum(['serving', 'userOff', 'disabled', 'disconnected', 'coreStopped', 'waiting'])
    .describe('serving: connected, and its agent has acknowledged this user with the keys and inbounds of now'),
  since: wireInstant.nullable().describe('when the state of the node last changed'),
  message: z.string().nullable().describe('what the node, or telling it, says of the trouble'),
})
export type AccessNode = z.output<typeof accessNode>

export const getUserAccess = endpoint({
  name: 'getUserAccess',
  userKeys: { uuid: 'id' },
  title: 'Get User Access',
  tag: 'Users',
  access: 'users.read',
  method: 'GET',
  path: '/api/x/users/:uuid/access',
  params: z.object({ uuid: wireUuid }),
  response: z.object({
    canConnect: z.boolean(),
    steps: z.array(step),
    astray: z
      .array(z.object({ uuid: wireUuid, remark: z.string(), misfits: z.array(misfit) }))
      .describe('hosts whose links do not lead into their inbound'),
    nodes: z.array(accessNode),
    subLastOpenedAt: wireInstant.nullable(),
    changedAt: wireInstant,
    madeBy: z.string().nullable().optional().describe('name of the administrator or token that made the user, while it is there'),
  }),
})

/** The nodes that a user's squads lead to. */
export const getUserAccessibleNodes = endpoint({
  name: 'getUserAccessibleNodes',
  userKeys: { uuid: 'id' },
  title: 'Get User Accessible Nodes',
  tag: 'Users',
  access: 'users.read',
  method: 'GET',
  path: '/api/users/:uuid/accessible-nodes',
  params: z.object({ uuid: wireUuid }),
  response: z.object({
    userUuid: wireUuid,
    userId: later('3.0', wireId),
    activeNodes: z.array(
      z.object({
        uuid: wireUuid,
        nodeName: z.string(),
        countryCode: z.string(),
        configProfileUuid: wireUuid,
        configProfileName: z.string(),
        activeSquads: z.array(z.object({ squadName: z.string(), activeInbounds: z.array(z.string()) })),
      }),
    ),
  }),
})
