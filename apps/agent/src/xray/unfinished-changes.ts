import type { InboundUser } from '@causeway/contract/agent'
import type { XrayApi } from './api.ts'
import { type ClientChange, type ConfiguredClient, configuredClients, userTags, type XrayConfig } from './config.ts'
import { refusal } from './messages.ts'

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/**
 * An agent that was killed in the middle of a change has a core that did a little more than was noted down. What is in doubt is
 * taken out of the core; the server got no answer for it and sends it again. Gives the removals to note down.
 */
export async function undoUnfinished(api: XrayApi, config: XrayConfig): Promise<ClientChange[]> {
  const removals: ClientChange[] = []
  for (const tag of userTags(config)) {
    const actual = await api.inboundUsers(tag).catch((error: unknown) => {
      if (refusal(error).includes('not found')) return []
      throw error
    })
    for (const { username, isInCore } of doubtfulUsers(configuredClients(config, tag), actual)) {
      if (isInCore) await api.removeUser(tag, username)
      removals.push({ kind: 'remove', tag, username })
    }
  }
  return removals
}

/** Users that are only in the core, only noted down, or there with another key than noted down. */
export function doubtfulUsers(
  noted: readonly ConfiguredClient[],
  actual: readonly InboundUser[],
): { username: string; isInCore: boolean }[] {
  const inCore = new Map(actual.map((user) => [user.username.toLowerCase(), user]))
  const expected = new Map(noted.flatMap((client) => (client.email === undefined ? [] : [[client.email.toLowerCase(), client]])))
  const wrong = [...inCore.values()].filter((user) => {
    const client = expected.get(user.username.toLowerCase())
    return user.username !== '' && (!client || !hasSameKey(client, user))
  })
  const missing = [...expected.keys()].filter((name) => !inCore.has(name))
  return [
    ...wrong.map(({ username }) => ({ username, isInCore: true })),
    ...missing.map((username) => ({ username, isInCore: false })),
  ]
}

function hasSameKey(client: ConfiguredClient, user: InboundUser): boolean {
  if (user.uuid !== undefined) {
    // Xray makes a UUID of any other text, which cannot be compared with what the config says.
    return !UUID.test(client.id ?? '') || client.id?.toLowerCase() === user.uuid.toLowerCase()
  }
  return user.password === undefined || client.password === user.password
}
