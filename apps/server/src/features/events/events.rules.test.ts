import { EventEmitter } from 'node:events'
import { tokenPermissions, type LiveTopic, type Permission } from '@causeway/contract'
import { expect, test } from 'vitest'
import { everyone } from '../../lib/scope.ts'
import type { Holder } from '../../http/guards.ts'
import { hasRoom, heldBy, messageText, missedSince, toldAt, type Message } from './events.rules.ts'
import { Stream } from './stream.actions.ts'

const topics = (...names: LiveTopic[]) => new Set(names)

test('nobody hears of what they may not read', () => {
  expect(heldBy(new Set<Permission>(['users.read']), topics('users', 'devices', 'nodes'))).toEqual(topics('users', 'devices'))
  expect(heldBy(tokenPermissions, topics('tokens', 'hosts'))).toEqual(topics('hosts'))
  expect(heldBy(new Set(), 'all')).toBe('all')
})

test.each([
  ['a tab finds one among many tabs', false, { all: 4999, byTokens: 4000, byHolder: 999 }, true],
  ['none is left in all', false, { all: 5000, byTokens: 0, byHolder: 0 }, false],
  ['an administrator has a thousand', false, { all: 1000, byTokens: 0, byHolder: 1000 }, false],
  ['a token has a hundred', true, { all: 100, byTokens: 100, byHolder: 100 }, false],
  ['a token finds its hundredth', true, { all: 99, byTokens: 99, byHolder: 99 }, true],
  ['all tokens together leave places to sessions', true, { all: 4000, byTokens: 4000, byHolder: 0 }, false],
  ['which tabs take', false, { all: 4000, byTokens: 4000, byHolder: 0 }, true],
])('places: %s', (_, isToken, taken, isRoom) => {
  expect(hasRoom(isToken, taken)).toBe(isRoom)
})

test('the first change after a quiet while is told almost at once, of many in a row one now and then', () => {
  expect(toldAt('users', 1000, undefined)).toBe(1200)
  expect(toldAt('users', 50_000, 1200)).toBe(50_200)
  expect(toldAt('users', 2000, 1200)).toBe(21_200)
})

const kept: Message[] = [
  { number: 7, changes: topics('users') },
  { number: 8, changes: topics('hosts') },
  { number: 9, changes: topics('users', 'nodes') },
]

test.each([
  ['a first visit misses nothing', undefined, undefined],
  ['nothing since', 'run:9', topics()],
  ['what was told since, by topic', 'run:7', topics('hosts', 'users', 'nodes')],
  ['the oldest that is kept is enough', 'run:6', topics('users', 'hosts', 'nodes')],
  ['too long ago', 'run:5', 'all'],
  ['another server', 'other:9', 'all'],
  ['ahead of what there was', 'run:10', 'all'],
  ['no id of ours', 'run', 'all'],
  ['nonsense', 'run:-1', 'all'],
] as const)('coming back: %s', (_, lastId, missed) => {
  expect(missedSince('run', kept, lastId)).toEqual(missed)
})

test('coming back to a server that has told nothing yet', () => {
  expect(missedSince('run', [], 'run:0')).toEqual(topics())
  expect(missedSince('run', [{ number: 1, changes: 'all' }], 'run:0')).toBe('all')
})

const caller = {
  kind: 'apiToken',
  scope: everyone,
  uuid: null,
  name: null,
  address: null,
  userAgent: null,
  origin: null,
} as const
const holding = (permissions: Holder['permissions']): Holder => ({ ...caller, permissions, endsAt: null })

/** A response whose reader takes nothing until asked to. */
function slowOutlet() {
  const written: string[] = []
  const outlet = Object.assign(new EventEmitter(), {
    isSlow: false,
    write: (text: string) => {
      written.push(text)
      return !outlet.isSlow
    },
    end: () => outlet,
    destroy: () => outlet,
  })
  return { outlet, written }
}

test('for a reader who is slow, changes are kept by topic only, and told in one message once there is room', () => {
  const { outlet, written } = slowOutlet()
  const stream = new Stream(outlet as never, holding(tokenPermissions), 0) // it uses no more of a response than this
  outlet.isSlow = true
  stream.tell('run:1', topics('users'))
  for (let number = 2; number < 1000; number++) stream.tell(`run:${number}`, topics('hosts', 'nodes'))
  stream.beat()
  stream.tell('run:1000', topics('tokens')) // not for this one
  expect(written).toEqual([messageText('run:1', topics('users'))])
  expect(stream.stalledForMs(performance.now() + 5000)).toBeGreaterThanOrEqual(5000)
  outlet.isSlow = false
  outlet.emit('drain')
  expect(written.slice(1)).toEqual([messageText('run:999', topics('hosts', 'nodes'))])
  expect(stream.stalledForMs(performance.now() + 5000)).toBe(0)
})

test('what a slow reader missed is told by the permissions of the moment when it catches up', () => {
  const { outlet, written } = slowOutlet()
  const stream = new Stream(outlet as never, holding(tokenPermissions), 0) // as above
  outlet.isSlow = true
  stream.tell('run:1', topics('users'))
  stream.tell('run:2', topics('billing', 'hosts'))
  stream.renew(stream.beginCheck(), holding(new Set<Permission>(['hosts.read'])), 1)
  outlet.isSlow = false
  outlet.emit('drain')
  expect(written.slice(1)).toEqual([messageText('run:2', topics('hosts'))])
})

test('while permissions are read again nothing is told, and an older reading does not count', () => {
  const { outlet, written } = slowOutlet()
  const stream = new Stream(outlet as never, holding(tokenPermissions), 0) // as above
  const older = stream.beginCheck()
  const newer = stream.beginCheck()
  stream.tell('run:1', topics('billing', 'users'))
  stream.renew(older, holding(tokenPermissions), 1)
  expect(written).toEqual([])
  stream.renew(newer, holding(new Set<Permission>(['users.read'])), 2)
  expect(written).toEqual([messageText('run:1', topics('users'))])
  stream.tell('run:2', topics('billing'))
  stream.end()
  stream.tell('run:3', topics('users'))
  expect(written).toHaveLength(1)
})
