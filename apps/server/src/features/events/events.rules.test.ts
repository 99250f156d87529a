import { EventEmitter } from 'node:events'
import { tokenPermissions, type LiveTopic, type Permission } from '@causeway/contract'
import { expect, test } from 'vitest'
import type { Holder } from '../../http/guards.ts'
import { heldBy, messageText, missedSince, toldAt, type Told } from './events.rules.ts'
import { Stream } from './stream.actions.ts'

const topics = (...names: LiveTopic[]) => new Set(names)

test('nobody hears of what they may not read', () => {
  expect(heldBy(new Set<Permission>(['users.read']), topics('users', 'devices', 'nodes'))).toEqual(topics('users', 'devices'))
  expect(heldBy(tokenPermissions, topics('tokens', 'hosts'))).toEqual(topics('hosts'))
  expect(heldBy(new Set(), 'all')).toBe('all')
})

test('the first change after a quiet while is told almost at once, of many in a row one now and then', () => {
  expect(toldAt('users', 1000, undefined)).toBe(1200)
  expect(toldAt('users', 50_000, 1200)).toBe(50_200)
  expect(toldAt('users', 2000, 1200)).toBe(21_200)
})

const kept: Told[] = [
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
  const holder: Holder = {
    kind: 'apiToken',
    uuid: null,
    name: null,
    address: null,
    userAgent: null,
    origin: null,
    permissions: tokenPermissions,
  }
  const stream = new Stream(outlet as never, holder, 0) // it uses no more of a response than this
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
