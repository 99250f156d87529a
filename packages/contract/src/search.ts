import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { userStatus } from './users.ts'
import { wireUuid } from './wire.ts'

/** The longest text that is looked for: room for a pasted subscription link. */
export const SEARCH_MAX_LENGTH = 500

const named = z.object({ uuid: wireUuid, name: z.string() })

/** By what a user was found. */
const userSearchMatch = z.enum(['username', 'email', 'telegramId', 'shortUuid', 'uuid', 'key', 'description'])

/** Finds users and things by what people know of them, best matches first. Own addition. */
export const searchAll = endpoint({
  name: 'searchAll',
  title: 'Search',
  tag: 'Search',
  access: 'users.read',
  method: 'GET',
  path: '/api/x/search',
  query: z.object({
    text: z
      .string()
      .max(SEARCH_MAX_LENGTH, `must have at most ${SEARCH_MAX_LENGTH} characters`)
      .describe(
        'part of a name, an e-mail address, a Telegram ID, a short uuid, a whole subscription link, or a VLESS link or its key',
      ),
  }),
  response: z.object({
    users: z.array(
      z.object({
        uuid: wireUuid,
        username: z.string(),
        status: userStatus,
        match: userSearchMatch,
        value: z.string().describe('what matched, as it is written'),
      }),
    ),
    nodes: z.array(
      named.extend({ address: z.string(), countryCode: z.string(), isDisabled: z.boolean(), isConnected: z.boolean() }),
    ),
    hosts: z.array(z.object({ uuid: wireUuid, remark: z.string(), address: z.string(), isDisabled: z.boolean() })),
    internalSquads: z.array(named),
    externalSquads: z.array(named),
    configProfiles: z.array(named),
  }),
})
