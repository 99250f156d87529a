import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AddUserBody, RemoveUserBody } from '@causeway/contract'
import { emptyNodeConfig, HashedSet, NodeConfigBuilder } from '@causeway/xray'
import {
  changesHands,
  holdsIn,
  knownTo,
  outcomeOf,
  planChange,
  planComparison,
  type AcknowledgedUser,
  type Change,
  type CoreUsers,
  type WantedUser,
} from './delivery.rules.ts'

const inbounds = ['VLESS_A', 'TROJAN_B', 'SHADOW_C'].map((tag) => {
  const type = tag.startsWith('VLESS') ? 'vless' : tag.startsWith('TROJAN') ? 'trojan' : 'shadowsocks'
  return { tag, type, rawInbound: { tag, protocol: type, settings: {} } }
})
const uuidOf = (key: number) => `00000000-0000-4000-8000-${String(key).padStart(12, '0')}`
const user = (username: string, key: number, tags: string[], userId = key): WantedUser => ({
  userId,
  username,
  vlessUuid: uuidOf(key),
  trojanPassword: `trojan ${key}`,
  ssPassword: `ss ${key}`,
  tags,
})
const acknowledgedAs = ({ username, userId, vlessUuid, tags }: WantedUser): AcknowledgedUser => ({
  username,
  userId,
  vlessUuid,
  tags,
})

describe('what a node is told of a user', () => {
  const alice = user('alice', 1, ['VLESS_A', 'TROJAN_B'])

  it('is nothing when it knows already, in whatever order the inbounds come', () => {
    const known = { ...acknowledgedAs(alice), tags: ['TROJAN_B', 'VLESS_A'] }
    expect(planChange('alice', alice, known, inbounds)).toBeUndefined()
    expect(planChange('alice', undefined, undefined, inbounds)).toBeUndefined()
    expect(planChange('alice', undefined, { ...known, tags: [] }, inbounds)).toBeUndefined()
  })

  it('is all inbounds it shall have, with the uuid it had before when that changed', () => {
    const change = planChange('alice', alice, { ...acknowledgedAs(alice), vlessUuid: uuidOf(9) }, inbounds)
    expect(change).toMatchObject({ kind: 'add', body: { hashData: { vlessUuid: uuidOf(1), prevVlessUuid: uuidOf(9) } } })
    expect(change?.kind === 'add' && change.body.data.map((entry) => [entry.type, entry.tag])).toEqual([
      ['vless', 'VLESS_A'],
      ['trojan', 'TROJAN_B'],
    ])
  })

  it('leaves out what its agent does not know, and does not count as done then', () => {
    const more = [
      ...inbounds,
      { tag: 'VMESS_D', type: 'vmess', rawInbound: {} },
      { tag: 'HY_E', type: 'hysteria', rawInbound: {} },
      { tag: 'SS_F', type: 'shadowsocks', rawInbound: { settings: { method: '2022-blake3-aes-128-gcm' } } },
    ]
    const wanted = user('alice', 1, ['VLESS_A', 'VMESS_D', 'HY_E', 'SS_F'])
    const change = planChange('alice', wanted, undefined, more)
    if (change?.kind !== 'add') throw new Error('an addition expected')
    const typesFor = (capabilities: string[]) => {
      const told = knownTo(change, new Set(capabilities))
      return told.kind === 'add' ? told.body.data.map(({ type }) => type) : []
    }
    expect(typesFor(['users', 'vmess', 'hysteria', 'shadowsocks2022'])).toEqual(['vless', 'vmess', 'hysteria', 'shadowsocks2022'])
    expect(typesFor(['users', 'vmess'])).toEqual(['vless', 'vmess'])
    expect(typesFor([])).toEqual(['vless'])
    const told = knownTo(change, new Set())
    expect(outcomeOf(told, { success: true, error: null })).toBe('unsure')
    expect(outcomeOf(told, { success: true, error: null, failures: [] })).toBe('unsure')
    expect(holdsIn(told, new Map([['alice', new Map([['VLESS_A', uuidOf(1)]])]]))).toBe(false)
    expect(outcomeOf(change, { success: true, error: null, failures: [] })).toBe('holds')
  })

  it('is its removal under the uuid the node knows when nothing may remain', () => {
    const change = planChange('alice', undefined, acknowledgedAs(alice), inbounds)
    expect(change).toMatchObject({ kind: 'remove', body: { username: 'alice', hashData: { vlessUuid: uuidOf(1) } } })
  })

  it('is everything again when the name has gone to another user, even with the same key', () => {
    const heir = { ...alice, userId: 77 }
    expect(planChange('alice', heir, acknowledgedAs(alice), inbounds)).toMatchObject({ kind: 'add' })
    expect(changesHands(heir, acknowledgedAs(alice))).toBe(true)
    expect(changesHands(alice, acknowledgedAs(alice))).toBe(false)
    expect(changesHands(alice, undefined)).toBe(false)
  })
})

describe('comparing all users of a core with those it should have', () => {
  const alice = user('alice', 1, ['VLESS_A', 'TROJAN_B'])
  const has = (entries: Record<string, Record<string, string>>): CoreUsers =>
    new Map(Object.entries(entries).map(([name, tags]) => [name, new Map(Object.entries(tags))]))
  const right = { VLESS_A: uuidOf(1), TROJAN_B: 'trojan 1' }

  it.each<[string, CoreUsers, string[]]>([
    ['one who is as wanted', has({ alice: right }), []],
    ['one who is missing', has({}), ['add alice']],
    ['one who lacks an inbound', has({ alice: { VLESS_A: uuidOf(1) } }), ['add alice']],
    ['one with an old password', has({ alice: { ...right, TROJAN_B: 'old' } }), ['add alice']],
    ['one with an inbound too many', has({ alice: { ...right, SHADOW_C: 'ss 1' } }), ['add alice']],
    ['one whom nobody knows', has({ alice: right, mallory: { VLESS_A: uuidOf(6) } }), ['remove mallory']],
  ])('%s', (_, actual, expected) => {
    const changes = planComparison([alice], actual, new Map(), inbounds)
    expect(changes.map((change) => `${change.kind} ${change.username}`)).toEqual(expected)
  })

  it('takes names away before it gives names, as Xray knows alice and Alice as one', () => {
    const changes = planComparison([alice], has({ Alice: right }), new Map(), inbounds)
    expect(changes.map((change) => `${change.kind} ${change.username}`)).toEqual(['remove Alice', 'add alice'])
  })

  it('removes strangers by the uuid that the core shows', () => {
    const [change] = planComparison([], has({ mallory: { VLESS_A: uuidOf(6) } }), new Map(), inbounds)
    expect(change?.body.hashData.vlessUuid).toBe(uuidOf(6))
  })
})

describe('what an answer is worth', () => {
  const both = user('u', 1, ['VLESS_A', 'TROJAN_B'])
  const change = (wanted: WantedUser | undefined, before: string[]): Change => {
    const planned = planChange('u', wanted, { username: 'u', userId: 0, vlessUuid: uuidOf(5), tags: before }, inbounds)
    if (!planned) throw new Error('a change expected')
    return planned
  }
  const one = { ...both, tags: ['VLESS_A'] }

  it.each<[string, Change, Parameters<typeof outcomeOf>[1], ReturnType<typeof outcomeOf>]>([
    ['ours: no failures', change(both, []), { success: true, error: null, failures: [] }, 'holds'],
    ['ours: a failure', change(both, []), { success: true, error: null, failures: [{ tag: 'A', error: 'x' }] }, 'failed'],
    ['ours: no core', change(both, []), { success: false, error: 'Xray is not running.', failures: [] }, 'failed'],
    ['2.1: one inbound, yes', change(one, []), { success: true, error: null }, 'holds'],
    ['2.1: two inbounds, yes', change(both, []), { success: true, error: null }, 'unsure'],
    ['2.1: one left, yes', change(one, ['VLESS_A', 'TROJAN_B']), { success: true, error: null }, 'unsure'],
    ['2.1: no', change(one, []), { success: false, error: null }, 'unsure'],
    ['2.1: removed from one', change(undefined, ['VLESS_A']), { success: true, error: null }, 'holds'],
    ['2.1: removed from two', change(undefined, ['VLESS_A', 'TROJAN_B']), { success: true, error: null }, 'unsure'],
    ['2.1: knows no inbounds', change(undefined, ['VLESS_A']), { success: false, error: null }, 'unsure'],
  ])('%s', (_, told, reply, expected) => {
    expect(outcomeOf(told, reply)).toBe(expected)
  })

  it('is settled by what the core has', () => {
    const actual: CoreUsers = new Map([['u', new Map([['VLESS_A', uuidOf(1)]])]])
    expect(holdsIn(change(one, []), actual)).toBe(true)
    expect(holdsIn(change(both, []), actual)).toBe(false)
    expect(holdsIn(change(undefined, ['VLESS_A']), actual)).toBe(false)
    expect(holdsIn(change(undefined, ['VLESS_A']), new Map())).toBe(true)
  })
})

/** What agents of the 2.1 generation keep of inbounds: a tag is known while a user is in it (docs/wire.md 25). */
class AgentModel {
  readonly known = new Map<string, HashedSet>()
  readonly core: CoreUsers = new Map()

  tell(change: Change): void {
    if (change.kind === 'add') this.add(change.body)
    else this.remove(change.body)
  }

  add({ data, hashData }: AddUserBody): void {
    for (const { tag } of data) if (!this.known.has(tag)) this.known.set(tag, new HashedSet())
    this.leave(data[0]?.username ?? '', hashData.prevVlessUuid ?? hashData.vlessUuid)
    for (const access of data) {
      const users = this.core.get(access.username) ?? new Map<string, string>()
      this.core.set(
        access.username,
        users.set(access.tag, access.type === 'vless' ? access.uuid : 'password' in access ? access.password : ''),
      )
      const set = this.known.get(access.tag) ?? new HashedSet()
      this.known.set(access.tag, set)
      set.add(hashData.vlessUuid)
    }
  }

  remove({ username, hashData }: RemoveUserBody): void {
    this.leave(username, hashData.vlessUuid)
  }

  private leave(username: string, uuid: string): void {
    for (const [tag, set] of this.known) {
      this.core.get(username)?.delete(tag)
      set.remove(uuid)
      if (set.size === 0) this.known.delete(tag)
    }
    if (this.core.get(username)?.size === 0) this.core.delete(username)
  }

  get hashes() {
    return new Map([...this.known].map(([tag, set]) => [tag, set.hash]))
  }
}

describe('over any changes of users', () => {
  const names = ['alice', 'bob', 'carol']
  const tags = fc.subarray(inbounds.map((inbound) => inbound.tag))
  /** Each time, what one of the users shall have: keys are drawn anew when revoked, ids when recreated. */
  const edit = fc.record({ name: fc.constantFrom(...names), tags, isRevoked: fc.boolean(), isRecreated: fc.boolean() })
  const config = { inbounds: inbounds.map((inbound) => inbound.rawInbound) }

  it('a 2.1 agent ends with exactly the wanted users, and a start would find nothing to do', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 40 }), (edits) => {
        const agent = new AgentModel()
        const wanted = new Map<string, WantedUser>()
        const acknowledged = new Map<string, AcknowledgedUser>()
        let key = 1
        for (const { name, tags: allowed, isRevoked, isRecreated } of edits) {
          const last = acknowledged.get(name)
          const isNew = isRevoked || isRecreated || !last
          const next = isNew
            ? user(name, ++key, allowed, isRecreated || !last ? key : last.userId)
            : {
                ...user(name, 0, allowed, last.userId),
                vlessUuid: last.vlessUuid,
                trojanPassword: `t${last.vlessUuid}`,
                ssPassword: `s${last.vlessUuid}`,
              }
          if (allowed.length > 0) wanted.set(name, next)
          else wanted.delete(name)
          const change = planChange(name, wanted.get(name), last, inbounds)
          if (change) agent.tell(change)
          if (change?.kind === 'add') acknowledged.set(name, acknowledgedAs(change.user))
          if (change?.kind === 'remove' && last) acknowledged.set(name, { ...last, tags: [] })

          const builder = new NodeConfigBuilder(
            emptyNodeConfig(
              config,
              inbounds.map((inbound) => inbound.tag),
            ),
          )
          for (const one of wanted.values()) builder.add(one)
          const { hashes } = builder.build((text) => text)
          expect(agent.hashes).toEqual(new Map(hashes.inbounds.map((inbound) => [inbound.tag, inbound.hash])))
          const shape = (users: CoreUsers) => new Map([...users].map(([who, where]) => [who, new Set(where.keys())]))
          expect(shape(agent.core)).toEqual(new Map([...wanted.values()].map((one) => [one.username, new Set(one.tags)])))
        }
      }),
      { numRuns: 300 },
    )
  })

  it('a comparison brings any core to the wanted users', () => {
    // Keys are the users' own: a 2.1 agent forgets an inbound when one of two users of the same uuid leaves it.
    const keyOf = (name: string, key: number) => 10 * (names.indexOf(name) + 2) + key
    const someone = fc.record({ name: fc.constantFrom(...names, 'stranger'), key: fc.integer({ min: 1, max: 4 }), tags })
    fc.assert(
      fc.property(fc.array(someone, { maxLength: 8 }), fc.array(someone, { maxLength: 4 }), (present, should) => {
        const agent = new AgentModel()
        for (const { name, key, tags: where } of present) {
          const change = planChange(name, where.length > 0 ? user(name, keyOf(name, key), where) : undefined, undefined, inbounds)
          if (change) agent.tell(change)
        }
        const wanted = new Map(
          should
            .filter((one) => one.tags.length > 0)
            .map((one) => [one.name, user(one.name, keyOf(one.name, one.key), one.tags)]),
        )
        for (const change of planComparison([...wanted.values()], agent.core, new Map(), inbounds)) agent.tell(change)
        expect(planComparison([...wanted.values()], agent.core, new Map(), inbounds)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })
})
