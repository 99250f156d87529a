import { z } from 'zod'
import { followingHosts, renamedTags } from './config-profiles.ts'
import { endpoint } from './endpoint.ts'
import { saveReason } from './revisions.ts'
import { wireInstant, wireList, wireObject, wireUuid } from './wire.ts'

// A new revision of a config profile that goes to one node first, is watched there, and then to the others in waves. Own addition.

export const rolloutState = z.enum(['running', 'done', 'failed', 'takenBack'])
export type RolloutState = z.output<typeof rolloutState>

export const rolloutNodeState = z.enum(['waiting', 'skipped', 'starting', 'watched', 'unproven', 'good', 'failed'])
export type RolloutNodeState = z.output<typeof rolloutNodeState>

export const rolloutFailure = z.enum(['core', 'away', 'restarted', 'users', 'bytes', 'update'])
export type RolloutFailure = z.output<typeof rolloutFailure>

export const rolloutNode = z.object({
  uuid: wireUuid,
  name: z.string(),
  countryCode: z.string(),
  wave: z.number().describe('counted from 1'),
  state: rolloutNodeState.describe(
    'skipped: not connected when its turn came; it gets the revision at the end like any other; unproven: its core runs, and ' +
      'no user has used the node since, so it is watched on',
  ),
  usersBefore: z.number().describe('the most users online at a time in the last minutes before its core was started'),
  usersBack: z.number().describe('the most that were online at a time since then'),
  failure: rolloutFailure
    .nullable()
    .describe(
      'core: it did not start or stopped; away: the node answered no more; restarted: the core ended by itself and was ' +
        'started again; users: too few came back; bytes: nothing was received through it; update: the part did not come up, and the one before is in force',
    ),
  said: z.string().nullable().describe('what the core or the agent said'),
})
export type RolloutNode = z.output<typeof rolloutNode>

export const rollout = z.object({
  uuid: wireUuid,
  profileUuid: wireUuid.describe('of the profile, or of the snippet'),
  profileName: z.string(),
  isOfSnippet: z.boolean().optional(),
  profileUpdatedAt: wireInstant.describe('when the profile was last saved'),
  state: rolloutState.describe('done: the profile holds the revision; failed, takenBack: all nodes run what they ran before'),
  isPaused: z.boolean().describe('what was begun goes on being watched, and nothing new is begun'),
  isProofWaived: z.boolean().describe('it goes on although no user has shown yet that the revision works'),
  reason: z.string().nullable(),
  actorKind: z.string(),
  actorName: z.string().nullable(),
  error: z.string().nullable().describe('why it failed, in a sentence'),
  startedAt: wireInstant,
  endedAt: wireInstant.nullable(),
  nodes: z.array(rolloutNode).describe('in the order of their turns'),
})
export type Rollout = z.output<typeof rollout>

const prepared = z.object({
  watchSeconds: z.number().describe('how long each node is watched'),
  hasEngine: z.boolean().describe('the server can try a configuration itself, for agents that cannot'),
  first: wireUuid
    .nullable()
    .describe('which the server would choose: the fewest users in the last minutes, but at least one where any node has one'),
  nodes: z
    .array(
      z.object({
        uuid: wireUuid,
        name: z.string(),
        countryCode: z.string(),
        usersOnline: z.number(),
        usersRecently: z.number().describe('the most users online at a time in the last minutes, also before a restart'),
        testsConfig: z.boolean().describe('its agent tries a configuration with the real core before it ends the one that runs'),
      }),
    )
    .describe('connected nodes of the profile'),
})

const tag = 'Config profiles'
const byUuid = z.object({ uuid: wireUuid })

export const listRollouts = endpoint({
  name: 'listRollouts',
  title: 'Get Roll-outs',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/rollouts',
  response: z.object({ rollouts: z.array(rollout).describe('the last one of each profile and snippet') }),
})
export const getRolloutConfig = endpoint({
  name: 'getRolloutConfig',
  title: 'Get Configuration of Roll-out',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/rollouts/:uuid/config',
  params: byUuid,
  response: z.object({ config: z.unknown() }),
})
/** The choice before a roll-out of a snippet. */
export const prepareSnippetRollout = endpoint({
  name: 'prepareSnippetRollout',
  title: 'Prepare Roll-out of Snippet',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/snippets/:uuid/rollouts/nodes',
  params: byUuid,
  response: prepared,
})
/** The next content of a snippet goes to one node first, whatever profile that runs. */
export const startSnippetRollout = endpoint({
  name: 'startSnippetRollout',
  title: 'Start Roll-out of Snippet',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/snippets/:uuid/rollouts',
  params: byUuid,
  body: z.object({
    snippet: wireList(wireObject, 2000),
    reason: saveReason,
    firstNodeUuid: wireUuid.optional().describe('unless given, the one that prepareSnippetRollout names'),
  }),
  response: rollout,
  status: 201,
  bodyMegabytes: 4,
})
/** The choice before a roll-out: its first node. */
export const prepareRollout = endpoint({
  name: 'prepareRollout',
  title: 'Prepare Roll-out',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/config-profiles/:uuid/rollouts/nodes',
  params: byUuid,
  response: prepared,
})
export const startRollout = endpoint({
  name: 'startRollout',
  title: 'Start Roll-out',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/config-profiles/:uuid/rollouts',
  params: byUuid,
  body: z.object({
    config: wireObject,
    renamed: renamedTags.optional(),
    followingHosts: followingHosts.optional().describe('changed when the profile takes the revision'),
    reason: saveReason,
    firstNodeUuid: wireUuid.optional().describe('unless given, the one that prepareRollout names'),
  }),
  response: rollout,
  status: 201,
  bodyMegabytes: 4,
})
export const pauseRollout = endpoint({
  name: 'pauseRollout',
  title: 'Pause Roll-out',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/rollouts/:uuid/actions/pause',
  params: byUuid,
  response: rollout,
})
export const continueRollout = endpoint({
  name: 'continueRollout',
  title: 'Continue Roll-out',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/rollouts/:uuid/actions/continue',
  params: byUuid,
  response: rollout,
})
/** While no user has shown that the revision works, a roll-out waits; this has it go on without. */
export const waiveRolloutProof = endpoint({
  name: 'waiveRolloutProof',
  title: 'Go On Without Proof',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/rollouts/:uuid/actions/waive-proof',
  params: byUuid,
  response: rollout,
})
export const takeBackRollout = endpoint({
  name: 'takeBackRollout',
  title: 'Take Back Roll-out',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/x/rollouts/:uuid/actions/take-back',
  params: byUuid,
  response: rollout,
})
