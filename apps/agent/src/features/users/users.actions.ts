import { Code, ConnectError } from '@connectrpc/connect'
import type { AddUserBody, InboundAccess, RemoveUserBody, UserChange, UserChangeReply } from '@causeway/contract/agent'
import type { XrayApi } from '../../xray/api.ts'
import { clientOf } from '../../xray/clients.ts'
import type { ClientChange } from '../../xray/config.ts'
import type { Core } from '../../xray/core.ts'
import { refusal } from '../../xray/messages.ts'

/** Users changed at the same time; each is several calls to the core, which answers them in parallel. */
const AT_ONCE = 16
/** A caller that has waited this long for its turn has given up and will ask again. */
const LONGEST_WAIT_MS = 45_000
const NOT_RUNNING = failed('Xray is not running.')
const TOO_LATE = failed('Others kept Xray busy for too long.')

/** As much of the core as user changes need. */
type UsersCore = Pick<Core, 'running' | 'tracked' | 'record' | 'exclusive'>
type UsersApi = Pick<XrayApi, 'addUser' | 'removeUser'>
type Failures = NonNullable<UserChangeReply['failures']>

/**
 * Changes users of the running core without a restart (docs/wire.md 25): in order for each user, side by side for many.
 * A core that hangs is asked once and not for every change: the start request that would replace it waits behind them.
 */
export function changeUsers(core: UsersCore, changes: readonly UserChange[]): Promise<UserChangeReply[]> {
  const askedAt = performance.now()
  return core.exclusive(async () => {
    if (performance.now() - askedAt > LONGEST_WAIT_MS) return changes.map(() => TOO_LATE)
    const { running } = core
    if (!running) return changes.map(() => NOT_RUNNING)
    const api = givingUp(running.api)
    const results: UserChangeReply[] = []
    const lines = [...Map.groupBy(changes.keys(), (index) => nameOf(changes[index])).values()]
    const work = async () => {
      for (let line = lines.pop(); line; line = lines.pop()) {
        for (const index of line) {
          const change = changes[index]
          if (change?.kind === 'add') results[index] = await addUser(core, api, change)
          if (change?.kind === 'remove') results[index] = await removeUser(core, api, change)
        }
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return results
  })
}

/** Gives a user exactly the inbounds of the request: taken out of every other first, and out of those too, to be re-keyed. */
async function addUser(core: UsersCore, api: UsersApi, { data, hashData }: AddUserBody): Promise<UserChangeReply> {
  const failures: Failures = []
  const kept = new Set<string>()
  const tags = new Set([...(core.tracked?.tags ?? []), ...data.map(({ tag }) => tag)])
  for (const username of new Set(data.map((access) => access.username))) {
    const removal = await removeEverywhere(core, api, username, tags)
    for (const { tag } of removal.kept) kept.add(tag)
    failures.push(...removal.kept, ...removal.unnoted)
  }
  // Where the user could not be taken out, Xray would answer "already exists" and go on with the old key.
  const open = data.filter(({ tag }) => !kept.has(tag))
  const outcomes = await Promise.all(open.map((access) => addTo(core, api, access, hashData.vlessUuid)))
  failures.push(...outcomes.filter((outcome) => typeof outcome === 'object'))
  const success = outcomes.includes('added')
  return { success, error: success ? null : (failures[0]?.error ?? null), failures }
}

/** Succeeds if the user is gone from at least one inbound, as the wire says; `failures` tells where it may still be. */
async function removeUser(core: UsersCore, api: UsersApi, { username }: RemoveUserBody): Promise<UserChangeReply> {
  const tags = core.tracked?.tags ?? []
  const { kept, unnoted } = await removeEverywhere(core, api, username, tags)
  const failures = [...kept, ...unnoted]
  const success = tags.length === 0 || failures.length < tags.length
  return { success, error: success ? null : (failures[0]?.error ?? null), failures }
}

/** `kept`: where the user could not be taken out. `unnoted`: where the user is gone, but would be back in a restarted core. */
async function removeEverywhere(
  core: UsersCore,
  api: UsersApi,
  username: string,
  tags: Iterable<string>,
): Promise<{ kept: Failures; unnoted: Failures }> {
  const removed: ClientChange[] = []
  const kept: Failures = []
  await Promise.all(
    Array.from(tags, async (tag) => {
      try {
        await api.removeUser(tag, username)
        removed.push({ kind: 'remove', tag, username })
      } catch (error) {
        kept.push({ tag, error: refusal(error) })
      }
    }),
  )
  try {
    core.record(removed)
    return { kept, unnoted: [] }
  } catch (error) {
    return { kept, unnoted: removed.map(({ tag }) => ({ tag, error: refusal(error) })) }
  }
}

async function addTo(
  core: UsersCore,
  api: UsersApi,
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

/** The same calls, but none after one that got no answer in time. */
function givingUp(api: XrayApi): UsersApi {
  let isSilent = false
  const attempt = async (call: () => Promise<void>) => {
    if (isSilent) throw new Error('Xray does not answer.')
    try {
      await call()
    } catch (error) {
      isSilent ||= ConnectError.from(error).code === Code.DeadlineExceeded
      throw error
    }
  }
  return {
    addUser: (tag, client) => attempt(() => api.addUser(tag, client)),
    removeUser: (tag, username) => attempt(() => api.removeUser(tag, username)),
  }
}

function failed(error: string): UserChangeReply {
  return { success: false, error, failures: [] }
}

/** Changes of one user keep their order; Xray compares names without regard to case. */
function nameOf(change: UserChange | undefined): string {
  const name = change?.kind === 'remove' ? change.username : change?.data[0]?.username
  return name?.toLowerCase() ?? ''
}
