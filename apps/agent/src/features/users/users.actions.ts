import type { AddUserBody, InboundAccess, RemoveUserBody, UserChange, UserChangeReply } from '@causeway/contract'
import type { XrayApi } from '../../xray/api.ts'
import { clientOf } from '../../xray/clients.ts'
import type { ClientChange } from '../../xray/config.ts'
import type { Core } from '../../xray/core.ts'
import { refusal } from '../../xray/messages.ts'

/** Users changed at the same time; each is several calls to the core, which answers them in parallel. */
const AT_ONCE = 16
const NOT_RUNNING: UserChangeReply = { success: false, error: 'Xray is not running.', failures: [] }

type Failures = NonNullable<UserChangeReply['failures']>

/** Changes users of the running core without a restart (nodes reference 6): in order for each user, side by side for many. */
export function changeUsers(core: Core, changes: readonly UserChange[]): Promise<UserChangeReply[]> {
  return core.exclusive(async () => {
    const { running } = core
    if (!running) return changes.map(() => NOT_RUNNING)
    const results: UserChangeReply[] = []
    const lines = [...Map.groupBy(changes.keys(), (index) => nameOf(changes[index])).values()]
    const work = async () => {
      for (let line = lines.pop(); line; line = lines.pop()) {
        for (const index of line) {
          const change = changes[index]
          if (change) results[index] = await changeUser(core, running.api, change)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return results
  })
}

function changeUser(core: Core, api: XrayApi, change: UserChange): Promise<UserChangeReply> {
  return change.kind === 'add' ? addUser(core, api, change) : removeUser(core, api, change)
}

/** Gives a user exactly the inbounds of the request: taken out of every other first, and out of those too, to be re-keyed. */
async function addUser(core: Core, api: XrayApi, { data, hashData }: AddUserBody): Promise<UserChangeReply> {
  const failures: Failures = []
  const tags = new Set([...(core.tracked?.tags ?? []), ...data.map(({ tag }) => tag)])
  for (const username of new Set(data.map((access) => access.username))) {
    failures.push(...(await removeEverywhere(core, api, username, tags)))
  }
  const outcomes = await Promise.all(data.map((access) => addTo(core, api, access, hashData.vlessUuid)))
  failures.push(...outcomes.filter((outcome) => typeof outcome === 'object'))
  const success = outcomes.includes('added')
  return { success, error: success ? null : (failures[0]?.error ?? null), failures }
}

/** Succeeds if the user is gone from at least one inbound, as the wire says; `failures` tells where it may still be. */
async function removeUser(core: Core, api: XrayApi, { username }: RemoveUserBody): Promise<UserChangeReply> {
  const tags = core.tracked?.tags ?? []
  const failures = await removeEverywhere(core, api, username, tags)
  const success = tags.length === 0 || failures.length < tags.length
  return { success, error: success ? null : (failures[0]?.error ?? null), failures }
}

async function removeEverywhere(core: Core, api: XrayApi, username: string, tags: Iterable<string>): Promise<Failures> {
  const removed: ClientChange[] = []
  const failures: Failures = []
  await Promise.all(
    Array.from(tags, async (tag) => {
      try {
        await api.removeUser(tag, username)
        removed.push({ kind: 'remove', tag, username })
      } catch (error) {
        failures.push({ tag, error: refusal(error) })
      }
    }),
  )
  core.record(removed)
  return failures
}

async function addTo(
  core: Core,
  api: XrayApi,
  access: InboundAccess,
  hashId: string,
): Promise<'added' | 'ignored' | Failures[number]> {
  const { tag } = access
  try {
    const client = clientOf(access, hashId)
    if (!client) return 'ignored'
    await api.addUser(tag, client)
    core.record([{ kind: 'add', tag, client }])
    return 'added'
  } catch (error) {
    return { tag, error: refusal(error) }
  }
}

/** Changes of one user keep their order; Xray compares names without regard to case. */
function nameOf(change: UserChange | undefined): string {
  const name = change?.kind === 'remove' ? change.username : change?.data[0]?.username
  return name?.toLowerCase() ?? ''
}
