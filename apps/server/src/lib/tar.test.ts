import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { tarEnd, tarFile } from './tar.ts'

it('files are unpacked as they were', () => {
  const contents = { 'geo/version': 'one\n', 'geo/full.dat': 'x'.repeat(512), 'geo/none.dat': '' }
  const pieces = Object.entries(contents).flatMap(([name, text]) => [...tarFile(name, Buffer.from(text))])
  const archive = Buffer.concat([...pieces, tarEnd()])
  const ask = (...args: string[]) => execFileSync('tar', args, { input: archive, encoding: 'utf8' })
  expect(ask('-tf', '-').trim().split('\n')).toEqual(Object.keys(contents))
  for (const [name, text] of Object.entries(contents)) expect(ask('-xOf', '-', name)).toBe(text)
})
