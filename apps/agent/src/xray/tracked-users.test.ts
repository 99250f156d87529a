import type { HashPayload } from '@causeway/contract/agent'
import { HashedSet } from '@causeway/xray'
import { describe, expect, it } from 'vitest'
import type { Client } from './clients.ts'
import { restartReason, TrackedUsers } from './tracked-users.ts'

const hash = (...ids: string[]) => new HashedSet(ids).hash
const vless = (email: string, id: string): Client => ({ protocol: 'vless', email, level: 0, hashId: id, id, flow: '' })

const config = {
  inbounds: [
    {
      tag: 'A',
      protocol: 'vless',
      settings: {
        clients: [
          { id: 'u1', email: 'alice' },
          { id: 'u2', email: 'bob' },
        ],
      },
    },
    { tag: 'B', protocol: 'trojan', settings: { clients: [{ id: 'u1', email: 'alice', password: 'p' }] } },
    { tag: 'C', protocol: 'shadowsocks', settings: { clients: [] } },
    { tag: 'D', protocol: 'http' },
  ],
}
const tracked = () => new TrackedUsers(config, 'profile', ['A', 'B', 'NOT_THERE'])
const inboundsOf = (users: TrackedUsers) => Object.fromEntries(users.hashes.inbounds.map(({ tag, hash: text }) => [tag, text]))

describe('TrackedUsers', () => {
  it('counts the ids of the inbounds the server named', () => {
    expect(tracked().hashes).toEqual({
      emptyConfig: 'profile',
      inbounds: [
        { tag: 'A', usersCount: 2, hash: hash('u1', 'u2') },
        { tag: 'B', usersCount: 1, hash: hash('u1') },
      ],
    })
  })

  it('knows every inbound a user may be in, also those without users', () => {
    expect(tracked().tags).toEqual(['A', 'B', 'C'])
  })

  it('follows users added and removed, and drops an inbound that became empty', () => {
    const users = tracked()
    users.apply({ kind: 'add', tag: 'C', client: vless('carol', 'u3') })
    users.apply({ kind: 'remove', tag: 'B', username: 'Alice' })
    users.apply({ kind: 'remove', tag: 'A', username: 'bob' })
    expect(inboundsOf(users)).toEqual({ A: hash('u1'), C: hash('u3') })
    expect(users.tags).toEqual(['A', 'B', 'C'])
  })

  it('exchanges the id of a user who is re-keyed', () => {
    const users = tracked()
    users.apply({ kind: 'remove', tag: 'A', username: 'alice' })
    users.apply({ kind: 'add', tag: 'A', client: vless('alice', 'u9') })
    expect(inboundsOf(users)['A']).toBe(hash('u2', 'u9'))
    users.apply({ kind: 'add', tag: 'A', client: vless('alice', 'u8') })
    expect(inboundsOf(users)['A']).toBe(hash('u2', 'u8'))
  })

  it('is not changed by removing who is not there', () => {
    const users = tracked()
    users.apply({ kind: 'remove', tag: 'A', username: 'nobody' })
    users.apply({ kind: 'remove', tag: 'NOT_THERE', username: 'alice' })
    expect(users.hashes).toEqual(tracked().hashes)
  })

  it('remembers inbounds it first hears of when a user is added', () => {
    const users = tracked()
    users.apply({ kind: 'add', tag: 'LATER', client: vless('alice', 'u1') })
    expect(users.tags).toContain('LATER')
  })
})

describe('restartReason', () => {
  const inbounds = [
    { tag: 'A', usersCount: 1, hash: 'x' },
    { tag: 'B', usersCount: 1, hash: 'y' },
  ]
  const running: HashPayload = { emptyConfig: 'one', inbounds }

  it.each<[string, HashPayload, string | undefined]>([
    ['the same', running, undefined],
    ['the same in another order', { ...running, inbounds: inbounds.toReversed() }, undefined],
    [
      'another count, which is informative only',
      { ...running, inbounds: inbounds.map((one) => ({ ...one, usersCount: 7 })) },
      undefined,
    ],
    ['another config', { ...running, emptyConfig: 'two' }, 'the configuration changed'],
    ['one inbound less', { ...running, inbounds: inbounds.slice(1) }, 'other inbounds have users'],
    [
      'one inbound more',
      { ...running, inbounds: [...inbounds, { tag: 'C', usersCount: 1, hash: 'z' }] },
      'other inbounds have users',
    ],
    [
      'another inbound instead',
      { ...running, inbounds: [{ tag: 'C', usersCount: 1, hash: 'x' }, ...inbounds.slice(1)] },
      'the users of inbound A changed',
    ],
    [
      'other users',
      { ...running, inbounds: [...inbounds.slice(0, 1), { tag: 'B', usersCount: 1, hash: 'z' }] },
      'the users of inbound B changed',
    ],
  ])('for %s', (_, wanted, expected) => {
    expect(restartReason(running, wanted)).toBe(expected)
  })
})
