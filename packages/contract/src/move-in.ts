import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireInt, wireText, wireUuid } from './wire.ts'

// Moving in from another installation through the running server. All of this is our own addition.

const tag = 'Moving in'

/** Panels that can be imported from, by the words of `causeway import`. */
export const moveInPanels = ['remnawave', 'marzban', '3x-ui'] as const
export type MoveInPanel = (typeof moveInPanels)[number]

/** Kinds of things that an import brings, and rules by which it settles what differs. The importers give their words. */
export const moveInKinds = [
  'keys',
  'admin',
  'apiToken',
  'oldLinks',
  'subscriptionSettings',
  'subscriptionTemplate',
  'pageConfig',
  'externalSquad',
  'snippet',
  'sharedList',
  'nodePlugin',
  'provider',
  'profile',
  'inbound',
  'squad',
  'node',
  'nodeMetadata',
  'nodeTrafficReset',
  'nodeUsage',
  'billingNode',
  'billingRecord',
  'host',
  'user',
  'userMetadata',
  'member',
  'device',
  'userTrafficReset',
  'userUsage',
  'subscriptionRequest',
] as const
export type MoveInKind = (typeof moveInKinds)[number]
export const moveInRules = [
  'nameTaken',
  'tagTwice',
  'staleInbound',
  'inboundWithoutProfile',
  'inboundWithoutRecord',
  'hostWithoutInbound',
  'impossibleValue',
  'missingReference',
  'resetStrategy',
  'usageSum',
  'tokenToRenew',
  'secretUnproven',
  'adminLeftOut',
  'moreThanOne',
  'keysMissing',
  'nameChanged',
  'sameLink',
  'otherKey',
  'firstUse',
  'madeProfile',
  'nodeToInstall',
  'inboundOff',
  'unreadableInbound',
  'nextPlan',
  'linkPath',
  'unknownTemplate',
  'hostSquads',
  'notCarried',
] as const
export type MoveInRule = (typeof moveInRules)[number]

/** A piece of an upload in Base64: 2 MB of a file. */
const MAX_PIECE_CHARACTERS = 2_800_000
/** Bytes of a file that a caller sends in one request. */
export const UPLOAD_PIECE_BYTES = 2_000_000

const counts = z.partialRecord(z.enum(moveInKinds), z.number()).describe('lines by kind')
const secret = wireText(1000).nullable().optional()

export const moveInReport = z.object({
  version: z.string(),
  source: z.string().optional().describe('name of the file, or address of the database without credentials'),
  isDryRun: z.boolean(),
  counts,
  findings: z.array(
    z.object({
      rule: z.enum(moveInRules),
      sentence: z.string().describe('the rule in English'),
      count: z.number(),
      examples: z.array(z.string()).describe('the first of them'),
    }),
  ),
})
export type MoveInReport = z.output<typeof moveInReport>

const movedNode = z.object({
  uuid: wireUuid,
  name: z.string(),
  countryCode: z.string(),
  isDisabled: z.boolean(),
  isConnected: z.boolean(),
  isConnecting: z.boolean(),
  isNodeOnline: z.boolean(),
  xrayVersion: z.string().nullable(),
  nodeVersion: z.string().nullable(),
  message: z.string().nullable().describe('why it is not connected'),
  bytes: z.number().nullable().describe('booked since the start; null before it'),
})
export type MovedNode = z.output<typeof movedNode>

export const moveIn = z.object({
  obstacle: z.string().nullable().describe('why this installation takes no import'),
  upload: z.object({ name: z.string(), bytes: z.number(), receivedBytes: z.number() }).nullable(),
  running: z
    .object({
      isDryRun: z.boolean(),
      startedAt: wireInstant,
      counts,
      finishing: z
        .object({ done: z.number(), total: z.number() })
        .nullable()
        .describe('indexes that are built, once all lines are written; null before'),
      isCancelled: z.boolean().describe('it ends as soon as it can'),
    })
    .nullable(),
  panel: z.enum(moveInPanels).nullable(),
  source: z.string().nullable().describe('name of the file, or address of the database without credentials'),
  report: moveInReport.nullable().describe('of the last rehearsal or import'),
  reportedAt: wireInstant.nullable(),
  failure: z.string().nullable().describe('why the last rehearsal or import failed'),
  stoppedAt: wireInstant.nullable().describe('when the old panel was said to be stopped'),
  importedAt: wireInstant.nullable(),
  isHeld: z.boolean().describe('this server leaves the nodes alone'),
  startedAt: wireInstant.nullable().describe('when this server took the nodes over'),
  endedAt: wireInstant.nullable(),
  nodes: z.array(movedNode),
})
export type MoveIn = z.output<typeof moveIn>

export const getMoveIn = endpoint({
  name: 'getMoveIn',
  title: 'Get Move In',
  tag,
  access: 'moveIn.read',
  method: 'GET',
  path: '/api/x/move-in',
  response: moveIn,
})

/** Sends a file in pieces, each where the last one ended; the first one replaces the file before. */
export const uploadMoveInFile = endpoint({
  name: 'uploadMoveInFile',
  title: 'Upload File',
  tag,
  access: 'moveIn.write',
  method: 'PUT',
  path: '/api/x/move-in/file',
  body: z.object({
    name: wireText(200).min(1),
    bytes: wireInt.min(1),
    offset: wireInt.min(0),
    content: z.base64().max(MAX_PIECE_CHARACTERS),
  }),
  bodyMegabytes: 4,
  response: z.object({ receivedBytes: z.number() }),
})

export const deleteMoveInFile = endpoint({
  name: 'deleteMoveInFile',
  title: 'Delete File',
  tag,
  access: 'moveIn.write',
  method: 'DELETE',
  path: '/api/x/move-in/file',
  response: z.object({ isDeleted: z.boolean() }),
})

/** Begins a rehearsal or an import. Secrets and passwords are kept in memory alone, until it ends. */
export const runMoveIn = endpoint({
  name: 'runMoveIn',
  title: 'Import Installation',
  tag,
  access: 'moveIn.write',
  method: 'POST',
  path: '/api/x/move-in/actions/run',
  body: z.object({
    panel: z.enum(moveInPanels),
    isDryRun: z.boolean(),
    databaseUrl: wireText(2000).nullable().optional().describe('of the old database; absent: the uploaded file'),
    sessionSecret: secret.describe('JWT_AUTH_SECRET of the old panel'),
    tokenSecret: secret.describe('JWT_API_TOKENS_SECRET of the old panel'),
    xrayConfig: wireText(2_000_000)
      .nullable()
      .optional()
      .describe('the configuration of the core, where a panel has it in a file'),
    address: wireText(253).nullable().optional().describe('that clients reach the old server at'),
    linkPath: wireText(100).nullable().optional().describe('path of old links; absent: sub'),
  }),
  bodyMegabytes: 4,
  response: z.object({ isStarted: z.boolean() }),
})

/** Where the moment of moving is: `release` gives the nodes back to the old panel. `cancel` ends a run that is under way. */
export const moveInMarks = ['stopped', 'start', 'release', 'end', 'cancel'] as const

export const markMoveIn = endpoint({
  name: 'markMoveIn',
  title: 'Go On Moving In',
  tag,
  access: 'moveIn.write',
  method: 'POST',
  path: '/api/x/move-in/actions/mark',
  body: z.object({ mark: z.enum(moveInMarks) }),
  response: z.object({ isDone: z.boolean() }),
})
