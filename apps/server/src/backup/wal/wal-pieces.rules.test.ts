import { expect, test } from 'vitest'
import {
  lsnOf,
  nameOfPiece,
  pieceBehindGap,
  piecesAfter,
  piecesAmong,
  piecesNoLongerKept,
  runUpTo,
  segmentOf,
  textOfLsn,
} from './wal-pieces.rules.ts'

const CHAIN = 'aaaaaaaa00000001'
const OTHER = 'bbbbbbbb00000001'
const INSTALLATION = 'aaaaaaaa-0000-4000-8000-000000000000'
const at = (minute: number) => new Date(Date.UTC(2026, 10, 27, 4, minute))
const piece = (from: number, to: number, minute: number, chain = CHAIN) => ({
  name: nameOfPiece({ chain, from: BigInt(from), to: BigInt(to), at: at(minute) }),
})
const spans = (pieces: ReturnType<typeof piecesAmong>) => pieces.map(({ from, to }) => [Number(from), Number(to)])

test('a position is read and written as PostgreSQL does, and lies in the segment that it names', () => {
  expect(lsnOf('16/B374D848')).toBe(0x16_b374_d848n)
  expect(textOfLsn(0x16_b374_d848n)).toBe('16/B374D848')
  expect(segmentOf(lsnOf('16/B374D848'), 1, 2 ** 24)).toBe('0000000100000016000000B3')
  expect(segmentOf(lsnOf('16/B374D848'), 2, 2 ** 26)).toBe('00000002000000160000002C')
})

test('a piece is known by its name, and other files are none', () => {
  const files = [piece(20, 30, 2), { name: 'causeway-2026-11-27T04-30-00Z.tar.gz.age' }, piece(10, 20, 1)]
  expect(spans(piecesAmong(files))).toEqual([
    [10, 20],
    [20, 30],
  ])
  expect(piecesAmong(files)[0]?.at).toEqual(at(1))
})

test('what leads on from a backup ends at a gap, and at the moment that is asked for', () => {
  const all = piecesAmong([
    piece(0, 10, 1),
    piece(10, 20, 2),
    piece(12, 20, 3), // sent again after a start
    piece(20, 30, 4),
    piece(31, 40, 5),
    piece(15, 99, 1, OTHER),
  ])
  const from = { chain: CHAIN, lsn: 15n }
  expect(spans(piecesAfter(all, from))).toEqual([
    [10, 20],
    [20, 30],
  ])
  expect(spans(piecesAfter(all, from, at(3)))).toEqual([[10, 20]])
  expect(piecesAfter(all, { chain: CHAIN, lsn: 30n })).toEqual([])
  expect(pieceBehindGap(all, from)?.from).toBe(31n)
  expect(pieceBehindGap(all, { chain: CHAIN, lsn: 35n })).toBeUndefined()
  expect(pieceBehindGap(all, { chain: OTHER, lsn: 20n })).toBeUndefined()
})

test('a target has the log from the first piece that leads without a gap to where it ends', () => {
  const all = piecesAmong([piece(0, 10, 1), piece(11, 20, 2), piece(20, 30, 3), piece(25, 32, 4), piece(0, 99, 1, OTHER)])
  expect(runUpTo(all, { chain: CHAIN, lsn: 30n })).toBe(11n)
  expect(runUpTo(all, { chain: CHAIN, lsn: 40n })).toBe(40n)
})

test('pieces go once no backup of the last seven days needs them, and never those of another installation', () => {
  const day = (days: number) => new Date(Date.UTC(2026, 10, 27, 4) - days * 86_400_000)
  const now = day(0)
  const all = piecesAmong(
    [9, 8, 7, 6, 1].flatMap((days) =>
      [CHAIN, OTHER].map((chain) => ({
        name: nameOfPiece({ chain, from: BigInt(100 - days), to: BigInt(101 - days), at: day(days) }),
      })),
    ),
  )
  const gone = (...backups: Date[]) =>
    piecesNoLongerKept(all, INSTALLATION, backups, now).map(({ at: sent }) => (now.getTime() - sent.getTime()) / 86_400_000)
  expect(gone(day(8.5), day(7.5), day(1))).toEqual([9, 8])
  expect(gone(day(8.5), day(1))).toEqual([9])
  expect(gone(day(3))).toEqual([9, 8])
  expect(gone()).toEqual([9, 8])
})
