import { z } from 'zod'
import { accentColor } from './accent.ts'
import { endpoint } from './endpoint.ts'
import { generation } from './generations.ts'
import { wireInstant, wireText } from './wire.ts'

/** Why a certificate was not got from its ACME directory. */
export const certificateFailure = z.enum([
  'rateLimited',
  'nameUnknown',
  'portClosed',
  'otherServer',
  'refused',
  'accountRefused',
  'directoryAway',
])
export type CertificateFailure = z.output<typeof certificateFailure>

/** A certificate that the server gets and renews itself. */
export const serverCertificate = z.object({
  name: z.string(),
  endsAt: wireInstant.nullable().describe('null while there is none yet'),
  failure: certificateFailure.nullable().describe('why the last try failed; the old certificate stays in use'),
  detail: z.string().nullable().describe('what the directory said'),
  attempts: z.number().describe('failed tries since the last certificate'),
  nextTryAt: wireInstant,
})
export type ServerCertificate = z.output<typeof serverCertificate>

/** Settings of the whole installation, equal for all its servers. */
const installationFields = z.object({
  timeZone: wireText(100).describe('IANA time zone whose days, weeks and months count for resets, usage by day and billing'),
  signInNetworks: z
    .array(wireText(50))
    .max(100)
    .describe('addresses and networks that administrators may sign in from; empty: all'),
  sessionGeneration: generation.describe('what programs speak that sign in by password'),
  isSecondFactorRequired: z.boolean().describe('an administrator without a second factor can only set one up'),
  isCutOffImmediate: z.boolean().describe('open connections of a user are closed when its access ends'),
  accent: accentColor
    .nullable()
    .describe("the colour of actions, in the dashboard and on the page of subscribers; null: the product's own"),
})
export const installation = installationFields.extend({
  timeZone: z.string(),
  signInNetworks: z.array(z.string()).optional(),
  sessionGeneration: generation.optional(),
  isSecondFactorRequired: z.boolean().optional(),
  isCutOffImmediate: z.boolean().optional(),
  accent: z.string().nullable().optional(),
  updatedAt: wireInstant,
  authorityExpiresAt: wireInstant.optional().describe('when the authority of the nodes ends, which is renewed years before'),
  clockDoubtedSince: wireInstant
    .optional()
    .describe('when the clock of the servers jumped; until it has been steady for a day nothing old is dropped'),
  certificates: z.array(serverCertificate).optional().describe('certificates of this server by ACME; none without it'),
  contacts: z
    .object({ email: z.boolean(), telegramId: z.boolean() })
    .optional()
    .describe('which of these any user has: lists show them by default'),
})
export type Installation = z.output<typeof installation>

const tag = 'Installation'

/** Own addition. */
export const getInstallation = endpoint({
  name: 'getInstallation',
  title: 'Get Installation',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/installation',
  response: installation,
})
/** Own addition. */
export const updateInstallation = endpoint({
  name: 'updateInstallation',
  title: 'Update Installation',
  tag,
  access: 'settings.write',
  method: 'PATCH',
  path: '/api/x/installation',
  body: installationFields.partial(),
  response: installation,
})
