import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { StoreFailure, type Store } from '../stores/store.ts'
import { piecesAfter, piecesAmong } from './wal-pieces.rules.ts'
import type { WalReader } from './wal-reader.ts'
import { openWalShipping } from './wal-shipping.ts'

// A log in memory, of which every round of the test writes some, and targets that fail when they are told to.

const CHAIN = 'aaaaaaaa00000001'

function logOf() {
  const log = { end: 0n, released: 0n }
  const reader: WalReader = {
    chain: CHAIN,
    begin: 0n,
    end: async () => log.end,
    read: async (from) => {
      const to = log.end - from > 50n ? from + 50n : log.end
      return { from, to, at: new Date(), bytes: Buffer.alloc(Number(to - from)), hasMore: to < log.end }
    },
    release: async (before) => void (log.released = before),
  }
  return { log, reader }
}

function storeOf(place: string) {
  const files = new Map<string, number>()
  const state = { isAway: false }
  const work = <Result>(result: () => Result): Promise<Result> =>
    state.isAway ? Promise.reject(new StoreFailure(`${place} cannot be reached.`)) : Promise.resolve(result())
  const store: Store = {
    place,
    list: () => work(() => [...files].map(([name, bytes]) => ({ name, bytes }))),
    read: () => Promise.reject(new Error('not read here')),
    write: (name) => work(() => (files.set(name, 1), { bytes: 1, sha256: '' })),
    remove: (name) => work(() => void files.delete(name)),
    removeLeftovers: async () => {},
    close: async () => {},
  }
  return { store, state, pieces: () => piecesAmong([...files.keys()].map((name) => ({ name }))) }
}

test('BACK-011 a target that is away delays no other, and gets what it missed', async () => {
  const { log, reader } = logOf()
  const [near, far] = [storeOf('near'), storeOf('far')]
  const targets = [
    { id: 'near', store: near.store },
    { id: 'far', store: far.store },
  ]
  const shipping = openWalShipping(reader, targets, await recipient())
  log.end = 120n
  far.state.isAway = true
  const [atNear, atFar] = await shipping.round()
  expect(atNear).toMatchObject({ lsn: 0n, sentUntil: expect.any(Date), failure: null })
  expect(atFar).toMatchObject({ sentUntil: null, failure: 'far cannot be reached.' })
  expect([near.pieces().length, log.released]).toEqual([3, 0n])
  log.end = 200n
  far.state.isAway = false
  expect(await shipping.round()).toEqual([
    expect.objectContaining({ failure: null }),
    expect.objectContaining({ lsn: 0n, sentUntil: expect.any(Date), failure: null }),
  ])
  expect(log.released).toBe(200n)
  for (const each of [near, far]) expect(piecesAfter(each.pieces(), { chain: CHAIN, lsn: 0n }).at(-1)?.to).toBe(200n)
})

test('BACK-011 a target that is away for too long loses the log, says so, and has it again from there on', async () => {
  const { log, reader } = logOf()
  const far = storeOf('far')
  const target = [{ id: 'far', store: far.store }]
  const shipping = openWalShipping(reader, target, await recipient(), 100n)
  log.end = 10n
  await shipping.round()
  far.state.isAway = true
  log.end = 110n
  expect((await shipping.round())[0]).toMatchObject({ lsn: 0n, failure: 'far cannot be reached.' })
  log.end = 111n
  const [given] = await shipping.round()
  expect(given?.failure).toBe(
    'far cannot be reached. The log that waited for it was given up, to keep the disk of this server free. The next backup begins it again.',
  )
  expect(log.released).toBe(111n)
  far.state.isAway = false
  log.end = 150n
  expect((await shipping.round())[0]).toMatchObject({ lsn: 111n, failure: null })
  expect(piecesAfter(far.pieces(), { chain: CHAIN, lsn: 5n }).at(-1)?.to).toBe(10n)
  // A server that is started again finds out the same from what is there.
  const again = openWalShipping({ ...reader, begin: 150n }, target, await recipient())
  expect((await again.round())[0]).toMatchObject({ lsn: 111n })
})

test('BACK-011 a piece that was deleted at its target is noticed, and what is there is said to begin behind it', async () => {
  const { log, reader } = logOf()
  const near = storeOf('near')
  const shipping = openWalShipping(reader, [{ id: 'near', store: near.store }], await recipient())
  for (log.end = 10n; log.end < 100n; log.end += 10n) expect((await shipping.round())[0]).toMatchObject({ lsn: 0n })
  await near.store.remove(near.pieces()[3]?.file ?? '')
  for (let round = 0; round < 15; round++) await shipping.round()
  expect((await shipping.round())[0]).toMatchObject({ lsn: 40n, failure: null })
})

async function recipient(): Promise<string> {
  return identityToRecipient(await generateX25519Identity())
}
