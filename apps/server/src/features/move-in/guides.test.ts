import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeMarzbanFile, marzbanConfig } from '../../../test/marzban-source.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { query } from '../../../test/query.ts'
import { filledSource, SESSION_SECRET, TOKEN_SECRET, type SourceDatabase } from '../../../test/remnawave-source.ts'
import { makeXuiFile } from '../../../test/xui-source.ts'

// The guides are followed to the letter: every command that they give is run, in their order, beside the files that they name.

const ROOT = path.join(import.meta.dirname, '../../../../..')
const PROGRAM = path.join(ROOT, 'apps/server/src/causeway.ts')
const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-guides-'))
const file = (name: string) => path.join(folder, name)
let source: SourceDatabase
beforeAll(async () => {
  source = await filledSource()
  writeFileSync(file('session'), `${SESSION_SECRET}\n`)
  writeFileSync(file('tokens'), TOKEN_SECRET)
  makeMarzbanFile(file('copy.sqlite3'))
  writeFileSync(file('xray_config.json'), JSON.stringify(marzbanConfig))
  makeXuiFile(file('x-ui.db'))
})
afterAll(async () => {
  await source.drop()
  rmSync(folder, { recursive: true })
})

/** Commands that a guide gives, in its blocks and in its lines. */
function commandsOf(guide: string): string[][] {
  const text = readFileSync(path.join(ROOT, 'docs', guide), 'utf8')
  const lines = Array.from(
    text.matchAll(/^causeway (import .+)$|`causeway (import .+?)`/gm),
    ([, block, inline]) => block ?? inline,
  )
  return lines.map((line = '') =>
    line.replace('<address or dump>', source.url).replace('postgres://user:password@old/panel', source.url).split(' '),
  )
}

function run(line: readonly string[], databaseUrl: string): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM, ...line], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
      CAUSEWAY_CWD: folder,
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, said })))
}

test.each([
  ['MOVE-001', 'moving-in.md', 3, 9],
  ['MOVE-015', 'moving-in-marzban.md', 1, 4],
  ['MOVE-017', 'moving-in-3x-ui.md', 2, 4],
] as const)('%s the guide %s leads from the rehearsal to the import', async (_, guide, least, users) => {
  const target = await testDatabase()
  onTestFinished(() => target.drop())
  const commands = commandsOf(guide)
  expect(commands.length).toBeGreaterThanOrEqual(least)
  const [rehearsal] = commands.filter((line) => line.includes('--dry-run'))
  // The moment is the rehearsal without its last word, where the guide says so.
  const moment = rehearsal?.filter((word) => word !== '--dry-run') ?? []
  for (const line of [...commands, moment]) {
    const { code, said } = await run(line, target.url)
    expect([line.join(' '), code, said]).toEqual([line.join(' '), 0, said])
    expect(said).toContain(line.includes('--dry-run') ? 'This would come over; nothing was written:' : 'Imported from ')
  }
  expect(await query(target.url, 'select count(*)::int as "users" from "users"')).toEqual([{ users }])
})
