import { expect, test } from 'vitest'
import { readCopyRow } from './copy-text.ts'
import { DumpScanner } from './dump-scanner.ts'

const dump = `--
-- PostgreSQL database dump
--
SET client_encoding = 'UTF8';
COPY public.admin (uuid, "role") FROM stdin;
\\.

COPY public.users (uuid, username, description) FROM stdin;
1\tone\ta\\tb\\nc\\\\d
2\ttwo\t\\N
\\.

COPY other.users (uuid) FROM stdin;
--
-- PostgreSQL database dump complete
--
`

test('rows are found wherever the text is cut into pieces', () => {
  for (const size of [1, 7, 50, dump.length]) {
    const scanner = new DumpScanner()
    const found = new Map<string, string[]>()
    for (let at = 0; at < dump.length; at += size)
      for (const { table, lines } of scanner.scan(dump.slice(at, at + size)))
        found.set(table, [...(found.get(table) ?? []), ...lines])
    scanner.finish()
    expect([...found.keys()]).toEqual(['admin', 'users'])
    expect(found.get('users')?.map((line) => readCopyRow(line, ['uuid', 'username', 'description']))).toEqual([
      { uuid: '1', username: 'one', description: 'a\tb\nc\\d' },
      { uuid: '2', username: 'two', description: null },
    ])
  }
})

test('a dump with the line ends of Windows has the same rows, and a text that is no dump is told as such', () => {
  const scanner = new DumpScanner()
  const found = scanner.scan(dump.replaceAll('\n', '\r\n'))
  scanner.finish()
  expect(found.map(({ table, lines }) => [table, lines])).toEqual([
    ['admin', []],
    ['users', ['1\tone\ta\\tb\\nc\\\\d', '2\ttwo\t\\N']],
  ])
  const other = new DumpScanner()
  other.scan('-----BEGIN CERTIFICATE-----\nMIIB\n')
  expect(() => other.finish()).toThrow('it is not a dump that pg_dump has written')
})

test('a row with another number of values is refused', () => {
  expect(() => readCopyRow('1\t2', ['uuid'])).toThrow('a row has 2 values, where the table has 1 columns')
})
