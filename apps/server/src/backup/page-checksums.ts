import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import path from 'node:path'

// The checksum that PostgreSQL keeps in each page of its files, as its own tool for copies looks at it (checksum_impl.h).

const PAGE_BYTES = 8192
const PAGES_OF_FILE = 2 ** 17
const CHECKSUM_AT = 8
const LANES = 32
const PRIME = 16_777_619

// prettier-ignore
const BEGINNINGS = Uint32Array.of(
  0x5b1f36e9, 0xb8525960, 0x02ab50aa, 0x1de66d2a, 0x79ff467a, 0x9bb9f8a3, 0x217e7cd2, 0x83e13d2c,
  0xf8d4474f, 0xe39eb970, 0x42c6ae16, 0x993216fa, 0x7b093b5d, 0x98daff3c, 0xf718902a, 0x0b1c9cdb,
  0xe58f764b, 0x187636bc, 0x5d7b3bb1, 0xe73de7de, 0x92bec979, 0xcca6c0b2, 0x304a0979, 0x85aa43d4,
  0x783125bb, 0x6ca8eaa2, 0xe407eac6, 0x4b5cfc3e, 0x9fbf8c76, 0x15ca20be, 0xf2ca9fd3, 0x959bd756,
)

export interface PageCheck {
  onRead: (name: string, at: number, bytes: Buffer) => void
  /** Pages that are not as they were written, looked at once more. */
  damaged: () => string[]
}

/**
 * Looks at the pages of a database that is copied. One that is being written meanwhile may be read half; the log has it whole,
 * if it has changed since the copy began.
 */
export function checkPages(data: string, begunAt: bigint): PageCheck {
  const suspects: { name: string; at: number; number: number }[] = []
  return {
    onRead: (name, from, bytes) => {
      const first = firstPageOf(name)
      if (first === undefined || from % PAGE_BYTES !== 0) return // being lengthened
      for (let at = 0; at + PAGE_BYTES <= bytes.length; at += PAGE_BYTES) {
        const number = first + (from + at) / PAGE_BYTES
        if (!isWhole(bytes.subarray(at, at + PAGE_BYTES), number)) suspects.push({ name, at: from + at, number })
      }
    },
    damaged: () =>
      suspects
        .filter(({ name, at, number }) => {
          const page = readPage(path.join(data, name), at)
          return page && !isWhole(page, number) && changedAt(page) < begunAt
        })
        .map(({ name, number }) => `${name}, page ${number}`),
  }
}

/** None where the table has become shorter, or has gone. */
function readPage(file: string, at: number): Buffer | undefined {
  if (!existsSync(file)) return undefined
  const page = Buffer.alloc(PAGE_BYTES)
  const fd = openSync(file, 'r')
  try {
    return readSync(fd, page, 0, PAGE_BYTES, at) === PAGE_BYTES ? page : undefined
  } finally {
    closeSync(fd)
  }
}

/** Which files have pages, and where their first one stands in the table that they are a part of; `base/5/16384_fsm.1`. */
function firstPageOf(name: string): number | undefined {
  const part = /^(?:base\/\d+|global)\/\d+(?:_(?:fsm|vm|init))?(?:\.(\d+))?$/.exec(name)
  return part ? Number(part[1] ?? 0) * PAGES_OF_FILE : undefined
}

/** Whether a page is as it was written. */
function isWhole(page: Buffer, number: number): boolean {
  return isNew(page) || page.readUInt16LE(CHECKSUM_AT) === checksumOf(page, number)
}

/** Where in the log the page was changed last. */
function changedAt(page: Buffer): bigint {
  return (BigInt(page.readUInt32LE(0)) << 32n) | BigInt(page.readUInt32LE(4))
}

/** Made room for, and not yet written. */
function isNew(page: Buffer): boolean {
  return page.readUInt16LE(14) === 0
}

function checksumOf(page: Buffer, number: number): number {
  const words = new Uint32Array(PAGE_BYTES / 4)
  new Uint8Array(words.buffer).set(page)
  words[CHECKSUM_AT / 4] = (words[CHECKSUM_AT / 4] ?? 0) & 0xffff0000
  const sums = Int32Array.from(BEGINNINGS)
  const add = (lane: number, word: number): void => {
    const mixed = (sums[lane] ?? 0) ^ word
    sums[lane] = Math.imul(mixed, PRIME) ^ (mixed >>> 17)
  }
  for (let at = 0; at < words.length; at++) add(at % LANES, words[at] ?? 0)
  for (let round = 0; round < 2; round++) for (let lane = 0; lane < LANES; lane++) add(lane, 0)
  let sum = number
  for (const lane of sums) sum ^= lane
  return ((sum >>> 0) % 65_535) + 1
}
