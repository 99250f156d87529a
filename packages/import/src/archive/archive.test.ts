import { expect, test } from 'vitest'
import { ArchiveReader, ArchiveWriter, type Checksum } from './archive.ts'
import type { Counts, Line } from './kinds.ts'

const at = '2026-01-31T12:00:00.000Z'
const [squad, user] = ['00000001-0000-4000-8000-000000000001', '00000002-0000-4000-8000-000000000002']
const lines: Line[] = [
  { kind: 'squad', uuid: squad, name: 'A "squad"', inbounds: [], viewPosition: 1, tags: [], createdAt: at, updatedAt: at },
  { kind: 'member', squad, user },
]
const facts = { madeAt: at, madeBy: 'Causeway 0.2.0' }

/** In the place of SHA-256: packages, and their tests, know no cryptography. */
function newChecksum(): Checksum {
  let sum = 7
  return {
    update: (text) => {
      for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_000_007
    },
    digest: () => String(sum),
  }
}

function archiveOf(given: Line[], counts: Counts): string[] {
  const writer = new ArchiveWriter(newChecksum())
  return [writer.begin({ ...facts, counts }), ...given.map((line) => writer.line(line)), writer.end()].map((line) =>
    line.trimEnd(),
  )
}

function read(texts: string[]): Line[] {
  const reader = new ArchiveReader(newChecksum())
  const found = texts.flatMap((text) => reader.read(text) ?? [])
  reader.finish()
  return found
}

const whole = archiveOf(lines, { squad: 1, member: 1 })

test('what is written is read again', () => {
  expect(read(whole)).toEqual(lines)
})

test.each([
  ['nothing', [], 'The archive is empty.'],
  ['no head', whole.slice(1), 'This is no archive of Causeway'],
  [
    'a newer form',
    [whole[0]?.replace('"version":2', '"version":3') ?? ''],
    'version 3 of its form, and this program reads version 2',
  ],
  ['no end', whole.slice(0, -1), 'cut off after line 3'],
  ['a line too few', [whole[0] ?? '', whole[1] ?? '', whole[3] ?? ''], 'Line 3 of the archive has another checksum'],
  ['counts that differ', archiveOf(lines, { squad: 2, member: 1 }), '1 lines of the kind squad, where its head names 2'],
  ['an unknown kind', [whole[0] ?? '', '{"kind":"spaceship"}'], 'Line 2 of the archive is of the unknown kind "spaceship"'],
  ['a wrong field', [whole[0] ?? '', whole[1]?.replace('"tags":[]', '"tags":7') ?? ''], 'Line 2 of the archive has a wrong tags'],
  ['no JSON', [whole[0] ?? '', '{'], 'Line 2 of the archive is no JSON'],
  ['something after the end', [...whole, whole[1] ?? ''], 'Line 5 of the archive stands after the end'],
])('an archive with %s is refused with the place', (_, texts, sentence) => {
  expect(() => read(texts)).toThrow(sentence)
})
