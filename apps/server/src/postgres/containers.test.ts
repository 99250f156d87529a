import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'

// Two containers of one machine share the folder and nothing else: each has processes, a network, shared memory and mounts
// of its own, as `docker run -v data:/data` twice.

const CONTAINER = ['--net', '--pid', '--ipc', '--uts', '--mount', '--fork', '--kill-child', '--mount-proc']
const canContain = process.getuid?.() === 0 && spawnSync('unshare', [...CONTAINER, 'true']).status === 0

let dataDir = ''
const running: ChildProcess[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'causeway-containers-'))
  await chmod(dataDir, 0o755)
})
afterEach(async () => {
  for (const container of running.splice(0)) await end(container)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})

describe.runIf(canContain)('two containers on one data folder', () => {
  test('the second is refused by name, and nothing that was acknowledged is lost', async () => {
    const first = await startContainer('harbour')
    if (!('url' in first)) throw new Error(first.refusal)
    const client = new pg.Client({ connectionString: first.url })
    client.on('error', () => {})
    await client.connect()
    await client.query('create table kept (n int)')
    let acknowledged = 0
    const write = async (count: number) => {
      for (let index = 0; index < count; index++) {
        await client.query('insert into kept values ($1)', [acknowledged])
        acknowledged++
      }
    }
    const [second] = await Promise.all([startContainer('island'), write(300)])
    expect(second).toMatchObject({
      refusal: expect.stringMatching(/^Another Causeway \(process \d+ on harbour, since .* UTC\) is using the data folder/),
    })
    await write(100)
    await client.end()
    await end(first.container)
    const third = await startContainer('island')
    if (!('url' in third)) throw new Error(third.refusal)
    expect(await countKept(third.url)).toBe(acknowledged)
  }, 120_000)

  test('a database whose server was killed in its container is not started twice, and taken over inside of it', async () => {
    const first = await startContainer('harbour', 'setInterval(() => {}, 1000)')
    if (!('url' in first)) throw new Error(first.refusal)
    await execute(first.url, 'create table kept (n int); insert into kept values (7)')
    first.container.stdin?.write('kill\n') // the server of the container is killed; its database and its init live on
    await once(first.lines, 'line')
    expect(await startContainer('island')).toMatchObject({
      refusal: expect.stringMatching(/still runs as process \d+ of its container, out of reach from here \(island\)/),
    })
    expect(await countKept(first.url)).toBe(1)
    const again = once(first.lines, 'line')
    first.container.stdin?.write('start\n')
    const [line] = await again
    expect(line).toContain('postgres://')
    expect(await countKept(first.url)).toBe(1)
  }, 120_000)
})

/** The init of a container: starts a server, kills it and starts another when it is told to. */
const INIT = `
  while :; do
    "$NODE" --input-type=module -e "$SERVER" & server=$!
    while read -r word; do
      case "$word" in
        kill) kill -9 $server; wait $server; echo killed;;
        start) break;;
      esac
    done
    [ "$word" = start ] || exit
  done`

type Started = { url: string; container: ChildProcess; lines: ReturnType<typeof createInterface> } | { refusal: string }

async function startContainer(name: string, after = ''): Promise<Started> {
  const server = `import { startEmbeddedPostgres } from ${JSON.stringify(path.join(import.meta.dirname, 'embedded-postgres.ts'))}
    const options = { dataDir: ${JSON.stringify(dataDir)}, settings: { shared_buffers: '32MB' }, orphanPatienceMs: 1000 }
    console.log(await startEmbeddedPostgres(options).then(({ url }) => url, (error) => error.message))
    setInterval(() => {}, 1000)
    ${after}`
  const container = spawn('unshare', [...CONTAINER, 'sh', '-c', `hostname ${name}; ${INIT}`], {
    env: { ...process.env, NODE: process.execPath, SERVER: server },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  running.push(container)
  const lines = createInterface({ input: container.stdout })
  const [line]: unknown[] = await once(lines, 'line')
  const said = String(line)
  if (said.startsWith('postgres://')) return { url: said, container, lines }
  await end(container)
  return { refusal: said }
}

/** A container ends with its init, and everything in it. */
async function end(container: ChildProcess): Promise<void> {
  if (container.exitCode !== null || container.signalCode !== null) return
  container.kill('SIGKILL')
  await once(container, 'exit')
}

async function countKept(url: string): Promise<number> {
  const [row] = await execute(url, 'select count(*)::int as n from kept')
  return row?.n ?? 0
}

async function execute(url: string, sql: string): Promise<{ n: number }[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<{ n: number }>(sql)).rows
  } finally {
    await client.end()
  }
}
