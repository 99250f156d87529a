import { spawn, type ChildProcess } from 'node:child_process'
import { chmod, cp, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { query } from '../../test/query.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

describe('the embedded database', () => {
  it('keeps its data in a folder whose path has a space and is too long for a socket', async () => {
    const dataDir = path.join(await temporaryFolder(), 'a folder', 'x'.repeat(90))
    const first = await startEmbeddedPostgres({ dataDir, settings })
    await query(first.url, 'create table kept (n int); insert into kept values (7)')
    await first.stop()
    const notices: string[] = []
    const onNotice = (sentence: string) => notices.push(sentence)
    const second = await startEmbeddedPostgres({ dataDir, settings, slowStartMs: 1, onNotice })
    expect(await query(second.url, 'select n from kept')).toEqual([{ n: 7 }])
    await second.stop()
    expect(notices).toEqual(['The embedded PostgreSQL is starting still. After a crash that may take minutes.'])
  })

  it('is taken over, still running, after its server was killed', async () => {
    const dataDir = await temporaryFolder()
    const killed = runApart(dataDir)
    const url = await firstLine(killed)
    await query(url, 'create table kept (n int); insert into kept values (7)')
    killed.kill('SIGKILL')
    await new Promise((resolve) => killed.once('exit', resolve))
    const next = await startEmbeddedPostgres({ dataDir, settings })
    expect(next.isAdopted).toBe(true)
    expect(await query(next.url, 'select n from kept')).toEqual([{ n: 7 }])
    await next.stop()
  })

  it('is started again when it is killed itself or asked to stop by somebody else, and has lost nothing', async () => {
    const dataDir = await temporaryFolder()
    const notices: string[] = []
    const running = await startEmbeddedPostgres({ dataDir, settings, onNotice: (sentence) => notices.push(sentence) })
    await query(running.url, 'create table kept (n int); insert into kept values (7)')
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    await expect.poll(() => query(running.url, 'select n from kept').catch(() => []), { timeout: 10_000 }).toEqual([{ n: 7 }])
    expect(notices).toEqual([
      'The embedded PostgreSQL has died and is being started again.',
      'The embedded PostgreSQL runs again.',
    ])
    // As long as we are connected it would wait for us to leave, and let nobody in.
    const staying = new pg.Client({ connectionString: running.url })
    staying.on('error', () => {})
    await staying.connect()
    const asked = await postmasterPid(dataDir)
    process.kill(asked, 'SIGTERM')
    await expect.poll(() => query(running.url, 'select n from kept').catch(() => []), { timeout: 10_000 }).toEqual([{ n: 7 }])
    expect(await postmasterPid(dataDir)).not.toBe(asked)
    await running.stop()
  })

  it('says why it does not start, and does so once the reason is gone', async () => {
    const dataDir = await temporaryFolder()
    const refusal = startEmbeddedPostgres({ dataDir, settings: { ...settings, shared_buffers: 'plenty' } })
    await expect(refusal).rejects.toThrow(/did not start\. PostgreSQL says:\n.*invalid value for parameter "shared_buffers"/)
    const next = await startEmbeddedPostgres({ dataDir, settings })
    await next.stop()
  })

  it('leaves no database running behind a start that fails', async () => {
    const dataDir = await temporaryFolder()
    const first = await startEmbeddedPostgres({ dataDir, settings })
    await query(first.url.replace('/causeway?', '/postgres?'), 'drop database causeway')
    await first.stop()
    const readOnly = { ...settings, default_transaction_read_only: 'on' }
    await expect(startEmbeddedPostgres({ dataDir, settings: readOnly })).rejects.toThrow('read-only transaction')
    await expect(postmasterPid(dataDir)).rejects.toThrow('ENOENT')
  })

  it('starts after server and database were both killed', async () => {
    const dataDir = await temporaryFolder()
    const killed = runApart(dataDir)
    await firstLine(killed)
    killed.kill('SIGKILL')
    process.kill(await postmasterPid(dataDir), 'SIGKILL')
    const next = await startEmbeddedPostgres({ dataDir, settings })
    expect(await query(next.url, 'select 1 as n')).toEqual([{ n: 1 }])
    await next.stop()
  })

  it('refuses a second process on the same data folder with a sentence that names the first', async () => {
    const dataDir = await temporaryFolder()
    const running = await startEmbeddedPostgres({ dataDir, settings })
    const refusal = startEmbeddedPostgres({ dataDir, settings })
    await expect(refusal).rejects.toThrow(`Another Causeway (process ${process.pid} on ${os.hostname()}, since 20`)
    await expect(refusal).rejects.toThrow(
      `UTC) is using the data folder ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
    )
    await running.stop()
    const again = await startEmbeddedPostgres({ dataDir, settings })
    await again.stop()
  })

  it('keeps to itself what it writes, and quotes nothing that is stored', async () => {
    const dataDir = await temporaryFolder()
    const running = await startEmbeddedPostgres({ dataDir, settings })
    await query(running.url, 'create table kept (link text primary key)')
    await query(running.url, "insert into kept values ('bearer-secret')")
    const twice = query(running.url, "insert into kept values ('bearer-secret')")
    await expect(twice).rejects.toThrow('duplicate key')
    const log = path.join(dataDir, 'postgres/postgres.log')
    expect(await readFile(log, 'utf8')).not.toContain('bearer-secret')
    const modeOf = async (name: string) => ((await stat(path.join(dataDir, name))).mode & 0o077).toString(8)
    for (const name of ['postgres/postgres.log', 'server.lock', 'server.json', 'database.lock', 'postgres/pg18', 'postgres/run'])
      expect(`${name} ${await modeOf(name)}`).toBe(`${name} 0`)
    expect((await stat(path.join(dataDir, 'postgres'))).mode & 0o066).toBe(0)
    await running.stop()
  })

  it.runIf(process.getuid?.() === 0)(
    'moves to a system folder when root keeps the data where no other account may enter',
    async () => {
      const home = await temporaryFolder()
      await chmod(home, 0o700)
      const dataDir = path.join(home, 'data')
      const notices: string[] = []
      const running = await startEmbeddedPostgres({ dataDir, settings, onNotice: (sentence) => notices.push(sentence) })
      const root = (await readFile(path.join(dataDir, 'postgres-folder'), 'utf8')).trim()
      folders.push(root)
      expect(notices.join()).toContain(`the database is kept in ${root}`)
      expect(await query(running.url, 'select 1 as n')).toEqual([{ n: 1 }])
      await running.stop()
      const again = await startEmbeddedPostgres({ dataDir, settings })
      await query(again.url, 'create table kept (n int); insert into kept values (7)')
      await again.stop()

      // A backup has its database inside, whoever owns that. The one that it takes the place of stays where it is.
      const backup = path.join(home, 'backup')
      await cp(path.join(root, 'pg18'), path.join(backup, 'postgres/pg18'), { recursive: true })
      await chmod(path.join(backup, 'postgres/pg18'), 0o755)
      await rename(dataDir, path.join(home, 'before'))
      await rename(backup, dataDir)
      const restored = await startEmbeddedPostgres({ dataDir, settings })
      const other = (await readFile(path.join(dataDir, 'postgres-folder'), 'utf8')).trim()
      folders.push(other)
      expect(other).toBe(`${root}-2`)
      expect(await query(restored.url, 'select n from kept')).toEqual([{ n: 7 }])
      await restored.stop()
      expect(await readdir(path.join(dataDir, 'postgres'))).toEqual([])
      expect(await readdir(root)).toContain('pg18')
    },
  )
})

const settings = { fsync: 'off', shared_buffers: '32MB' }

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'causeway-embedded-'))
  // Others may pass through, or the database's own account could not reach its data.
  await chmod(folder, 0o755)
  folders.push(folder)
  return folder
}

function runApart(dataDir: string): ChildProcess {
  const source = `import { startEmbeddedPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded-postgres.ts'))}
    const { url } = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } })
    console.log(url)
    setInterval(() => {}, 1000)`
  return spawn(process.execPath, ['--input-type=module', '-e', source], { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (chunk: Buffer) => resolve(chunk.toString().trim()))
    child.once('exit', () => reject(new Error('it ended before it said anything')))
  })
}

async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await readFile(path.join(dataDir, 'postgres/pg18/postmaster.pid'), 'utf8')).split('\n')[0])
}
