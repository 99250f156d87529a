import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireUuid } from './wire.ts'

// How a node joins by one line. The script and its files are served below /join (docs/joining.md); these are for administrators.

/** Steps of joining, in their order. The first four are told by the script, the others are seen by the server. */
export const JOIN_STEPS = ['fetched', 'downloaded', 'signed', 'installed', 'reached', 'started', 'serving'] as const
export type JoinStep = (typeof JOIN_STEPS)[number]

/** Why a script ended before its end. */
export const JOIN_FAILURES = [
  'noRoot',
  'system',
  'architecture',
  'tools',
  'clock',
  'diskFull',
  'download',
  'digest',
  'portTaken',
  'certificate',
  'anotherPackage',
  'noService',
  'notRunning',
  'interrupted',
] as const
export type JoinFailure = (typeof JOIN_FAILURES)[number]

/** Why the server cannot call a node whose agent has called it. */
export const UNREACHED_REASONS = ['closed', 'refused', 'otherProgram', 'certificate', 'name', 'notCalling', 'other'] as const
export type UnreachedReason = (typeof UNREACHED_REASONS)[number]

const tag = 'Nodes'
const byUuid = z.object({ uuid: wireUuid })
const step = wireInstant.nullable()

export const makeJoinCode = endpoint({
  name: 'makeJoinCode',
  title: 'Make Join Code',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/x/nodes/:uuid/join-code',
  params: byUuid,
  body: z.object({
    isCalling: z
      .boolean()
      .optional()
      .describe(
        'the agent calls the panel and holds the connection, where the panel cannot call it; unless given, as the node is',
      ),
  }),
  response: z.object({
    code: z.string().describe('shown once; stored as a hash'),
    expiresAt: wireInstant,
    url: z.string().describe('address of the script'),
    lines: z.object({
      curl: z.string(),
      wget: z.string(),
      proxy: z.string().describe('for a machine that reaches the panel through an HTTP proxy'),
    }),
  }),
  status: 201,
})

export const getNodeJoin = endpoint({
  name: 'getNodeJoin',
  title: 'Get Node Join',
  tag,
  access: 'nodes.read',
  method: 'GET',
  path: '/api/x/nodes/:uuid/join',
  params: byUuid,
  response: z.object({
    identity: z.object({
      kind: z
        .enum(['secretKey', 'joining', 'ownKey', 'revoked'])
        .describe('`secretKey`: the certificate names no node; `joining`: one is signed and was not seen yet'),
      isCalling: z.boolean().describe('the agent calls the panel and holds the connection'),
      endsAt: wireInstant.nullable().describe('of the newest certificate that was signed for the key of the node'),
    }),
    join: z
      .object({
        madeAt: wireInstant,
        expiresAt: wireInstant,
        isCalling: z.boolean().describe('the agent is to call the panel'),
        steps: z.object({
          fetched: step,
          downloaded: step,
          signed: step,
          installed: step,
          reached: step,
          started: step,
          serving: step,
        }),
        failure: z
          .object({ kind: z.enum(JOIN_FAILURES), detail: z.string().nullable(), at: wireInstant })
          .nullable()
          .describe('why the script ended'),
        unreached: z.enum(UNREACHED_REASONS).nullable().describe('why the server cannot call the node, while it cannot'),
      })
      .nullable()
      .describe('of the newest code; null when none was made'),
    missing: z.array(z.string()).describe('processors that this panel has no files for'),
  }),
})
export type NodeJoin = z.output<typeof getNodeJoin.response>

export const revokeNodeCertificate = endpoint({
  name: 'revokeNodeCertificate',
  title: 'Revoke Node Certificate',
  tag,
  access: 'nodes.write',
  method: 'POST',
  path: '/api/x/nodes/:uuid/actions/revoke-certificate',
  params: byUuid,
  response: z.object({ revoked: z.number().describe('certificates that count no more') }),
})
