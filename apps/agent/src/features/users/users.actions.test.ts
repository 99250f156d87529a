import type { UserChange } from '@causeway/contract/agent'
import { Code, ConnectError } from '@connectrpc/connect'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addBody, ALICE, BOB, hashesOf, nodeConfig } from '../../../test/node.ts'
import type { XrayApi } from '../../xray/api.ts'
import { type ClientChange, xrayConfig } from '../../xray/config.ts'
import { TrackedUsers } from '../../xray/tracked-users.ts'
import { changeUsers } from './users.actions.ts'

const adding = (name: string): UserChange => ({ kind: 'add', ...filled(addBody({ name, uuid: BOB.uuid })) })
const removing = (username: string): UserChange => ({ kind: 'remove', username, hashData: { vlessUuid: ALICE.uuid } })

/** The real Xray cannot be made to hang or fail at will; what it does otherwise is proven against it in agent.test.ts. */
function makeCore({
  call = () => Promise.resolve(),
  record = () => undefined,
}: {
  call?: () => Promise<void>
  record?: () => void
}) {
  const config = xrayConfig.parse(nodeConfig({ vless: 1, trojan: 2, shadowsocks: 3 }, [ALICE]))
  const { emptyConfig, inbounds } = hashesOf([ALICE])
  const calls = { addUser: vi.fn<XrayApi['addUser']>(call), removeUser: vi.fn<XrayApi['removeUser']>(call) }
  let queue: Promise<unknown> = Promise.resolve()
  return {
    calls,
    // Only these two are called here.
    running: { coreId: 'one', startedAt: new Date(), process: { pid: 1, started: '1' }, api: calls as unknown as XrayApi },
    tracked: new TrackedUsers(
      config,
      emptyConfig,
      inbounds.map(({ tag }) => tag),
    ),
    record: vi.fn<(changes: readonly ClientChange[]) => void>(record),
    exclusive<T>(work: () => Promise<T>): Promise<T> {
      const done = queue.then(work)
      queue = done.catch(() => undefined)
      return done
    },
  }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('changing users', () => {
  it('asks a core that hangs once, not for each of thousands of users', async () => {
    const core = makeCore({ call: () => Promise.reject(new ConnectError('the operation timed out', Code.DeadlineExceeded)) })
    const results = await changeUsers(
      core,
      Array.from({ length: 1000 }, (_, index) => adding(`user${index}`)),
    )
    expect(results).toHaveLength(1000)
    expect(results.every(({ success, failures }) => !success && failures?.length)).toBe(true)
    expect(core.calls.removeUser.mock.calls.length).toBeLessThan(100)
    expect(core.calls.addUser).not.toHaveBeenCalled()
    expect(results[500]).toMatchObject({ error: 'Xray does not answer.' })
  })

  it('goes on after a user that Xray refuses', async () => {
    const core = makeCore({ call: () => Promise.reject(new ConnectError('proxy/vless: refused', Code.Unknown)) })
    await changeUsers(core, [removing('alice'), removing('bob')])
    expect(core.calls.removeUser).toHaveBeenCalledTimes(6)
  })

  it('does not take the old key of a user for the new one, where the old could not be taken away', async () => {
    const core = makeCore({})
    core.calls.removeUser.mockImplementation((tag) => (tag === 'SS_C' ? Promise.reject(new Error('busy')) : Promise.resolve()))
    const results = await changeUsers(core, [adding('alice')])
    expect(results).toMatchObject([{ success: true, failures: [{ tag: 'SS_C', error: 'busy' }] }])
    expect(core.calls.addUser.mock.calls.map(([tag]) => tag)).toEqual(['VLESS_A', 'TROJAN_B'])
  })

  it('does nothing for a caller that has given up waiting', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const core = makeCore({})
    const held = Promise.withResolvers<void>()
    const work = core.exclusive(() => held.promise)
    const late = changeUsers(core, [removing('alice')])
    vi.advanceTimersByTime(46_000)
    const inTime = changeUsers(core, [removing('bob')])
    held.resolve()
    await work
    expect(await late).toMatchObject([{ success: false, error: expect.stringContaining('too long') }])
    expect(await inTime).toMatchObject([{ success: true, failures: [] }])
    expect(core.calls.removeUser).toHaveBeenCalledTimes(3)
  })

  it('says of each user that the change could not be noted down', async () => {
    const full = () => {
      throw new Error('ENOSPC: no space left on device')
    }
    const core = makeCore({ record: full })
    const results = await changeUsers(core, [removing('alice'), adding('bob')])
    expect(results).toMatchObject([
      { success: false, error: expect.stringContaining('ENOSPC') },
      { success: false, error: expect.stringContaining('ENOSPC') },
    ])
    // In force all the same: nobody is cut off because a disk is full.
    expect(core.calls.addUser).toHaveBeenCalledTimes(3)
  })
})

/** With the level that the contract fills in. */
function filled({ data, hashData }: ReturnType<typeof addBody>) {
  return { data: data.map((access) => ({ ...access, level: 0 })), hashData }
}
