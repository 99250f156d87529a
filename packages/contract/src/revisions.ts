import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant, wireText, wireUuid } from './wire.ts'

export const REASON_MAX_LENGTH = 500
/** Why something is saved. */
export const saveReason = wireText(REASON_MAX_LENGTH).optional().describe('kept with the revision')

/** Contents of a config profile, a snippet or a template after a save. Own addition. */
export const revision = z.object({
  number: z.number().describe('counted from 1 for each thing'),
  at: wireInstant,
  actorKind: z.string().describe('admin, apiToken or system'),
  actorName: z.string().nullable(),
  reason: z.string().nullable().describe('why, where a reason was given'),
})
export type Revision = z.output<typeof revision>

const tag = 'Revisions'
const subject = z.object({ uuid: wireUuid })
const revisions = z.object({ revisions: z.array(revision).describe('newest first') })
const numbered = subject.extend({ number: z.coerce.number<number | string>().min(1).max(2_147_483_647) })
/** JSON or YAML, as it would stand in an editor. */
const whole = revision.extend({ content: z.string() })

export const listProfileRevisions = endpoint({
  name: 'listProfileRevisions',
  title: 'Get Revisions of Config Profile',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/revisions/profiles/:uuid',
  params: subject,
  response: revisions,
})
export const getProfileRevision = endpoint({
  name: 'getProfileRevision',
  title: 'Get Revision of Config Profile',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/revisions/profiles/:uuid/:number',
  params: numbered,
  response: whole,
})
export const listSnippetRevisions = endpoint({
  name: 'listSnippetRevisions',
  title: 'Get Revisions of Snippet',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/revisions/snippets/:uuid',
  params: subject,
  response: revisions,
})
export const getSnippetRevision = endpoint({
  name: 'getSnippetRevision',
  title: 'Get Revision of Snippet',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/revisions/snippets/:uuid/:number',
  params: numbered,
  response: whole,
})
export const listTemplateRevisions = endpoint({
  name: 'listTemplateRevisions',
  title: 'Get Revisions of Template',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/revisions/templates/:uuid',
  params: subject,
  response: revisions,
})
export const getTemplateRevision = endpoint({
  name: 'getTemplateRevision',
  title: 'Get Revision of Template',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/revisions/templates/:uuid/:number',
  params: numbered,
  response: whole,
})
export const listResponseRulesRevisions = endpoint({
  name: 'listResponseRulesRevisions',
  title: 'Get Revisions of Response Rules',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/revisions/response-rules/:uuid',
  params: subject,
  response: revisions,
})
export const getResponseRulesRevision = endpoint({
  name: 'getResponseRulesRevision',
  title: 'Get Revision of Response Rules',
  tag,
  access: 'settings.read',
  method: 'GET',
  path: '/api/x/revisions/response-rules/:uuid/:number',
  params: numbered,
  response: whole,
})
