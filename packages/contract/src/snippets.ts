import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { saveReason } from './revisions.ts'
import { wireInstant, wireList, wireRecord, wireUuid } from './wire.ts'

// Parts of configurations that several profiles share, since 2.2. A profile names them in its lists or at its root.

/** Far above any real one. */
const MOST_ELEMENTS = 2000
/** Of one element: an outbound, a rule, or the members of a profile's root. */
const MOST_MEMBERS = 1000

export const snippetName = z
  .string()
  .min(2, 'must have at least 2 characters')
  .max(255, 'must have at most 255 characters')
  .regex(/^[A-Za-z0-9_\s-]+$/, 'may contain only letters, digits, underscores, dashes and spaces')

/** A snippet and the profiles that name it. Members besides `name` and `snippet` are own additions. */
export const snippet = z.object({
  name: z.string(),
  snippet: z.unknown(),
  uuid: wireUuid.optional(),
  updatedAt: wireInstant.optional(),
  profiles: z
    .array(
      z.object({
        uuid: wireUuid,
        name: z.string(),
        paths: z.array(z.string()).describe('where the profile names it, for example outbounds[1]'),
        nodes: z.number().describe('nodes that run the profile'),
      }),
    )
    .optional(),
})
export type Snippet = z.output<typeof snippet>

const tag = 'Snippets'
const snippets = z.object({ total: z.number(), snippets: z.array(snippet) })
const named = z.object({ name: snippetName })
const content = wireList(wireRecord(z.string(), z.unknown(), MOST_MEMBERS), MOST_ELEMENTS)

export const listSnippets = endpoint({
  name: 'listSnippets',
  title: 'Get Snippets',
  since: '2.2',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/snippets',
  response: snippets,
})
/** With the profiles that name it. Own addition. */
export const getSnippet = endpoint({
  name: 'getSnippet',
  title: 'Get Snippet',
  tag,
  access: 'profiles.read',
  method: 'GET',
  path: '/api/x/snippets/:uuid',
  params: z.object({ uuid: wireUuid }),
  response: snippet,
})
export const createSnippet = endpoint({
  name: 'createSnippet',
  creates: true,
  title: 'Create Snippet',
  since: '2.2',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/snippets',
  body: named.extend({ snippet: content }),
  response: snippets,
  status: 201,
  bodyMegabytes: 1,
})
/** Replaces its content. The nodes of the profiles that name it start anew with it. */
export const updateSnippet = endpoint({
  name: 'updateSnippet',
  title: 'Update Snippet',
  since: '2.2',
  tag,
  access: 'profiles.write',
  method: 'PATCH',
  path: '/api/snippets',
  body: named.extend({ snippet: content, reason: saveReason }),
  response: snippets,
  bodyMegabytes: 1,
})
export const deleteSnippet = endpoint({
  name: 'deleteSnippet',
  title: 'Delete Snippet',
  since: '2.2',
  tag,
  access: 'profiles.write',
  method: 'DELETE',
  path: '/api/snippets',
  body: named,
  response: snippets,
})
/** Has the nodes of the profiles that name it start anew. */
export const syncSnippet = endpoint({
  name: 'syncSnippet',
  title: 'Sync Snippet',
  since: '3.2',
  tag,
  access: 'profiles.write',
  method: 'POST',
  path: '/api/snippets/actions/sync',
  body: named,
  response: z.object({ eventSent: z.boolean() }),
})
/** Mistakes for which it would be refused, without saving it. Own addition. */
export const checkSnippet = endpoint({
  name: 'checkSnippet',
  title: 'Check Snippet',
  tag,
  access: 'profiles.read',
  method: 'POST',
  path: '/api/x/snippets/check',
  body: named.extend({ snippet: content }),
  response: z.object({
    problems: z.array(
      z.object({
        path: z.string().describe('in the snippet, for example [2].protocol'),
        message: z.string(),
        profile: z.string().nullable().describe('the profile that it spoils; null where the snippet itself is wrong'),
      }),
    ),
  }),
  bodyMegabytes: 1,
})
