// How long an import takes from a database of the 2.1 generation with ten days of usage
// for each user, and the most memory its process takes. Source and target are one PostgreSQL, so that both share the machine.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/postgres/embedded-postgres.ts'

const ROOT = path.resolve(import.meta.dirname, '..')
const NODES = 10
const DAYS = 10
const MEMORY_EVERY_MS = 200
/** As scripts/package/files/causeway.sh starts it. */
const AS_RELEASED = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', '--heap-growing-percent=40']

interface MoveInFigures {
  users: number
  days: number
  seconds: number
  megabytes: number
}

const TARGET = { seconds: 300, megabytes: 300 }

/** Prints the figures. Gives whether the target was missed. */
export async function benchMoveIn(users: number): Promise<boolean> {
  const { days, seconds, megabytes } = await measureMoveIn(users)
  const minutes = `${(seconds / 60).toFixed(1)} min`
  console.log(
    `import of ${users.toLocaleString('en')} users with ${days.toLocaleString('en')} days of usage: ${minutes}, ${megabytes} MB`,
  )
  return seconds > TARGET.seconds || megabytes > TARGET.megabytes
}

async function measureMoveIn(users: number): Promise<MoveInFigures> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'causeway-move-in-'))
  chmodSync(dataDir, 0o711) // as root the database runs under an account of its own, which has to pass through here
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    const admin = await connected(postgres.url)
    for (const name of ['source', 'target']) await admin.query(`create database ${name}`)
    await admin.end()
    const [source, target] = [databaseOf(postgres.url, 'source'), databaseOf(postgres.url, 'target')]
    await fill(source, users)
    const begun = performance.now()
    const megabytes = await runImport(source, { DATABASE_URL: target, DATA_DIR: dataDir })
    const seconds = (performance.now() - begun) / 1000
    return { users, days: users * DAYS, seconds, megabytes }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Runs the program; gives the most megabytes it had. @throws Error when it fails */
async function runImport(source: string, env: Record<string, string>): Promise<number> {
  const args = [path.join(ROOT, 'apps/server/src/causeway.ts'), 'import', 'remnawave']
  const child = spawn(process.execPath, [...AS_RELEASED, ...args, source], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  let most = 0
  const timer = setInterval(() => (most = Math.max(most, megabytesOf(child.pid))), MEMORY_EVERY_MS)
  const code = await new Promise<number | null>((resolve) => child.on('exit', resolve))
  clearInterval(timer)
  if (code !== 0) throw new Error(`The import ended with ${code}.`)
  return most
}

function megabytesOf(pid = 0): number {
  try {
    const kilobytes = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Math.round(Number(kilobytes ?? 0) / 1024)
  } catch {
    return 0 // it has just ended
  }
}

function databaseOf(url: string, name: string): string {
  const parsed = new URL(url.replace('@/', '@socket/'))
  parsed.pathname = `/${name}`
  return parsed.href.replace('@socket/', '@/')
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

async function fill(url: string, users: number): Promise<void> {
  const client = await connected(url)
  await client.query(readFileSync(path.join(ROOT, 'apps/server/test/remnawave-schema.sql'), 'utf8'))
  await client.query(`
    insert into config_profiles (name, config) values ('Main', '{"inbounds":[{"tag":"A","port":443,"protocol":"vless","settings":{"clients":[]}}]}');
    insert into config_profile_inbounds (profile_uuid, tag, type, port, raw_inbound)
      select uuid, 'A', 'vless', 443, config->'inbounds'->0 from config_profiles;
    insert into internal_squads (name) values ('One'), ('Two');
    insert into internal_squad_inbounds select s.uuid, i.uuid from internal_squads s, config_profile_inbounds i;
    insert into nodes (name, address, active_config_profile_uuid)
      select 'Node ' || n, 'node-' || n || '.example', (select uuid from config_profiles) from generate_series(1, ${NODES}) n;
    insert into users (short_uuid, username, expire_at, trojan_password, vless_uuid, ss_password, email, description, telegram_id,
        used_traffic_bytes, lifetime_used_traffic_bytes, sub_last_opened_at, sub_last_user_agent, online_at)
      select substr(md5('s' || n) || md5(n::text), 1, 22), 'user_' || n, now() + interval '1 month', md5('t' || n), gen_random_uuid(), md5('p' || n),
        'user_' || n || '@example.com', 'customer ' || n, 1000000 + n, n, n * 10, now(), 'Happ/3.1', now()
      from generate_series(1, ${users}) n;
    insert into internal_squad_members select (select uuid from internal_squads where name = 'One'), uuid from users;
    insert into nodes_user_usage_history (node_uuid, user_uuid, download_bytes, upload_bytes, total_bytes, created_at)
      select n.uuid, u.uuid, 1000 + u.t_id, 100, 1100 + u.t_id, current_date - d
      from users u join generate_series(1, ${DAYS}) d on true
        join (select uuid, row_number() over () as place from nodes) n on n.place = 1 + (u.t_id + d) % ${NODES};
    insert into user_traffic_history (user_uuid, used_bytes) select uuid, 5 from users where t_id % 4 = 0;
    insert into hwid_user_devices (hwid, user_uuid) select 'device-' || t_id, uuid from users where t_id % 2 = 0;
  `)
  await client.query('vacuum (analyze)')
  await client.end()
}
