import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { createConnection, type Connection } from 'mysql2/promise'
import { vi } from 'vitest'

// A real MariaDB, where one is installed, and copies of SQLite files in it.

const SERVER = '/usr/sbin/mariadbd'
export const hasMariadb = existsSync(SERVER) && existsSync('/usr/bin/mariadb-install-db')
const USER = 'panel'

export interface Mariadb {
  url(database: string): string
  run(statement: string): Promise<void>
  close(): Promise<void>
}

/** `password`: of its only account. */
export async function startMariadb(password: string): Promise<Mariadb> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-mariadb-'))
  const [data, socket] = [path.join(folder, 'data'), path.join(folder, 'socket')]
  const user = os.userInfo().username
  execFileSync('mariadb-install-db', [`--datadir=${data}`, `--user=${user}`, '--auth-root-authentication-method=normal'], {
    stdio: 'ignore',
  })
  const port = 20_000 + (process.pid % 20_000)
  const options = [`--datadir=${data}`, `--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1', `--user=${user}`]
  const server = spawn(SERVER, ['--no-defaults', ...options, '--innodb-buffer-pool-size=16M'], { stdio: 'ignore' })
  const connect = (): Promise<Connection> => createConnection({ socketPath: socket, user: 'root' })
  const root = await vi.waitFor(connect, { timeout: 30_000, interval: 200 })
  const run = async (statement: string) => void (await root.query(statement))
  await run(`create user '${USER}'@'127.0.0.1' identified by '${password}'`)
  await run(`grant all on *.* to '${USER}'@'127.0.0.1'`)
  return {
    url: (database) => `mysql+pymysql://${USER}:${password}@127.0.0.1:${port}/${database}`,
    run,
    close: async () => {
      await root.end()
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Statements that make the tables of a SQLite file elsewhere, with its types, and fill them. */
export function copyOf(file: string, kind: 'mysql' | 'postgres'): string[] {
  const source = new DatabaseSync(file, { readOnly: true })
  const quote = (name: string) => (kind === 'mysql' ? `\`${name}\`` : `"${name}"`)
  const tables = source.prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'`).all()
  const statements = tables.flatMap(({ name }) => {
    const table = String(name)
    const columns = source.prepare('select name, type from pragma_table_info(?)').all(table)
    const types = columns.map((column) => {
      const [at, type] = [String(column['name']), String(column['type'])]
      return { at, type: typeOf(at, type, kind), isFlag: type === 'numeric' }
    })
    const made = `create table ${quote(table)} (${types.map(({ at, type }) => `${quote(at)} ${type}`).join(', ')})`
    const statement = source.prepare(`select * from "${table}"`)
    statement.setReadBigInts(true)
    const rows = statement.all().map((row) => {
      const values = types.map(({ at, isFlag }) => literal(row[at] ?? null, isFlag && kind === 'postgres'))
      return `insert into ${quote(table)} values (${values.join(', ')})`
    })
    return [made, ...rows]
  })
  source.close()
  return statements
}

/** As these panels declare them: their times have no zone. */
function typeOf(column: string, type: string, kind: 'mysql' | 'postgres'): string {
  if (column.endsWith('_at') && type === 'text') return kind === 'mysql' ? 'datetime(6)' : 'timestamp'
  if (type === 'integer') return 'bigint'
  if (type === 'numeric') return kind === 'mysql' ? 'tinyint(1)' : 'boolean'
  if (type === 'real') return 'double precision'
  return kind === 'mysql' ? 'longtext character set utf8mb4' : 'text'
}

function literal(value: SQLOutputValue, isFlag: boolean): string {
  if (value === null) return 'null'
  if (value instanceof Uint8Array) throw new Error('These panels keep no bytes.')
  if (isFlag) return String(value) === '1' ? 'true' : 'false'
  if (typeof value === 'bigint' || typeof value === 'number') return String(value)
  return `'${String(value).replaceAll("'", "''")}'`
}
