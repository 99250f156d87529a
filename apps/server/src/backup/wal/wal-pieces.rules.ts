// The write-ahead log of PostgreSQL in pieces, each a file at a target. Everything that is to be known of a piece is its name.

/** A position in the log: bytes since its beginning. */
export type Lsn = bigint

/** The log of one database since it was first sent; another one begins where the log was not followed for a time. */
export interface WalPlace {
  chain: string
  lsn: Lsn
}

export interface WalPiece {
  file: string
  chain: string
  from: Lsn
  to: Lsn
  /** What was acknowledged before is in the log up to here. */
  at: Date
}

const NAME = /^causeway-wal-([0-9a-f]{16})-([0-9a-f]{16})-([0-9a-f]{16})-(\d{13})\.age$/
/** Names of replication slots, which keep what is not yet sent. */
export const SLOT = 'causeway_wal_'
/** How long ago a moment may be that can be restored. */
const WAL_DAYS = 7
const DAY_MS = 86_400_000

/** The beginning of every chain of an installation. */
export function ownerOf(installation: string): string {
  return installation.slice(0, 8)
}

export function nameOfPiece({ chain, from, to, at }: Omit<WalPiece, 'file'>): string {
  return `causeway-wal-${chain}-${hex(from)}-${hex(to)}-${at.getTime()}.age`
}

/** Pieces among the files of a target, the oldest first. */
export function piecesAmong(files: readonly { name: string }[]): WalPiece[] {
  return files
    .flatMap(({ name: file }) => {
      const [, chain, from, to, at] = NAME.exec(file) ?? []
      if (chain === undefined) return []
      return [{ file, chain, from: BigInt(`0x${from}`), to: BigInt(`0x${to}`), at: new Date(Number(at)) }]
    })
    .toSorted((one, other) => Number(one.from - other.from) || Number(one.to - other.to))
}

/** The position that PostgreSQL writes as `16/B374D848`. */
export function lsnOf(text: string): Lsn {
  const [high = '', low = ''] = text.split('/')
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function textOfLsn(lsn: Lsn): string {
  return `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase()
}

/** The file of `pg_wal` that holds a position. */
export function segmentOf(lsn: Lsn, timeline: number, segmentBytes: number): string {
  const number = lsn / BigInt(segmentBytes)
  const perFile = 2n ** 32n / BigInt(segmentBytes)
  return [BigInt(timeline), number / perFile, number % perFile]
    .map((part) => part.toString(16).toUpperCase().padStart(8, '0'))
    .join('')
}

/** Pieces that lead on from a backup without a gap, up to the last one sent by `until`. */
export function piecesAfter(all: readonly WalPiece[], { chain, lsn }: WalPlace, until: Date = new Date(8.64e15)): WalPiece[] {
  const found: WalPiece[] = []
  let end = lsn
  for (const piece of all) {
    if (piece.chain !== chain || piece.to <= end) continue
    if (piece.from > end || piece.at > until) break
    found.push(piece)
    end = piece.to
  }
  return found
}

/** The first later piece of the same chain, behind one that is missing; undefined where none is. */
export function pieceBehindGap(all: readonly WalPiece[], { chain, lsn }: WalPlace): WalPiece | undefined {
  const end = piecesAfter(all, { chain, lsn }).at(-1)?.to ?? lsn
  return all.find((piece) => piece.chain === chain && piece.from > end)
}

/** Where the pieces begin that lead without a gap to a position; the position itself where none do. */
export function runUpTo(all: readonly WalPiece[], { chain, lsn }: WalPlace): Lsn {
  let from = lsn
  for (const piece of all.filter((each) => each.chain === chain).toReversed())
    if (piece.from < from && piece.to >= from) from = piece.from
  return from
}

/** Pieces of an installation that no backup of it needs, of those that lead to the last days. */
export function piecesNoLongerKept(
  all: readonly WalPiece[],
  installation: string,
  backupsTakenAt: readonly Date[],
  now: Date,
): WalPiece[] {
  const since = now.getTime() - WAL_DAYS * DAY_MS
  const times = backupsTakenAt.map((at) => at.getTime())
  // The newest backup before the window leads into it.
  const leading = Math.max(...times.filter((at) => at <= since))
  const first = Number.isFinite(leading) ? leading : Math.min(since, ...times)
  return all.filter(({ chain, at }) => chain.startsWith(ownerOf(installation)) && at.getTime() < first)
}

function hex(lsn: Lsn): string {
  return lsn.toString(16).padStart(16, '0')
}
