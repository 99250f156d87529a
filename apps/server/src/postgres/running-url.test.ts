import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { installedMajor } from './embedded-binaries.ts'
import { rootOf } from './embedded-folder.ts'
import { runningUrl } from './embedded-postgres.ts'

test('SHIP-010 a database that lost its power does not run, whatever its files say', async () => {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-running-'))
  try {
    const [data, sockets] = [path.join(rootOf(dataDir), `pg${installedMajor()}`), path.join(rootOf(dataDir), 'run')]
    for (const folder of [data, sockets]) mkdirSync(folder, { recursive: true })
    expect(await runningUrl(dataDir)).toBeUndefined()
    const lines = ['99999999', data, '1790000000', '5432', sockets, '', '  5432001         0', 'ready   ']
    writeFileSync(path.join(data, 'postmaster.pid'), `${lines.join('\n')}\n`)
    expect(await runningUrl(dataDir)).toBeUndefined()
    const postgres = createServer()
    await once(postgres.listen(path.join(sockets, '.s.PGSQL.5432')), 'listening')
    expect(await runningUrl(dataDir)).toContain(encodeURIComponent(sockets))
    postgres.close()
  } finally {
    rmSync(dataDir, { recursive: true })
  }
})
