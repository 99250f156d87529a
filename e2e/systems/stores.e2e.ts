import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createUser,
  getJob,
  getNode,
  listBackups,
  listUsers,
  makeBackup,
  tryBackupTarget,
  updateBackupTargets,
} from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { armor, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { openStore } from '../../apps/server/src/backup/stores/open-store.ts'
import { tryStore } from '../../apps/server/src/backup/stores/try-store.ts'
import { keyFileOf, listStored } from '../../apps/server/src/backup/shipping.ts'
import { piecesAmong } from '../../apps/server/src/backup/wal/wal-pieces.rules.ts'
import type { Api } from '../stage/api-client.ts'
import { xray } from '../stage/engine.ts'
import { signedIn, startPanel, type Panel } from '../stage/panel.ts'
import { root, until } from '../stage/processes.ts'
import { inDays, uniqueName } from '../stage/seeding.ts'
import { buildTrafficWorld, type TrafficWorld } from '../stage/traffic-world.ts'
import { KEYS, startObjectStore, type ObjectStore } from './object-stores.ts'

// Backups in real object stores, opened by Debian's age, and a machine that is rebuilt from them.

const PASSPHRASE = 'correct horse battery staple'
const LARGE_BYTES = 21 * 2 ** 20
const ROUNDS = Number(process.env['BURN_ROUNDS'] ?? 3)
const LIMIT_MS = 300_000
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-stores-'))
chmodSync(folder, 0o755)
const ending: (() => Promise<unknown>)[] = []

test.beforeAll(() => {
  if (spawnSync('age', ['--version']).status !== 0) execFileSync('apt-get', ['install', '-y', 'age'], { stdio: 'inherit' })
})
test.afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end()
})
test.afterAll(() => rmSync(folder, { recursive: true }))

for (const make of ['gofakes3', 'versitygw'] as const)
  test(`BACK-002 ${make} takes, lists, gives and deletes files in one part and in several, and keeps nothing of a cut one`, async () => {
    const { target } = await openObjectStore(make)
    const store = openStore(target)
    await tryStore(store)
    const large = randomBytes(LARGE_BYTES)
    await store.write('causeway-large', new Blob([large]).stream(), LARGE_BYTES)
    const chunks: Uint8Array[] = []
    for await (const chunk of await store.read('causeway-large')) chunks.push(chunk)
    expect(Buffer.concat(chunks).equals(large)).toBe(true)
    const parts = [large.subarray(0, LARGE_BYTES / 2), large.subarray(LARGE_BYTES / 2)]
    const cut = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        const part = parts.shift()
        if (part) controller.enqueue(new Uint8Array(part))
        else controller.error(new Error('cut off'))
      },
    })
    await expect(store.write('causeway-cut', cut, LARGE_BYTES)).rejects.toThrow('cut off')
    expect(await store.list()).toEqual([{ name: 'causeway-large', bytes: LARGE_BYTES }])
    const other = openStore({ ...target, bucket: 'nothing' })
    await expect(tryStore(other)).rejects.toThrow('There is no bucket at')
    await store.remove('causeway-large')
    expect(await store.list()).toEqual([])
  })

test('BACK-002 a store with an authority of its own is not trusted without it, and a wrong secret is told of', async () => {
  const { target } = await openObjectStore('versitygw')
  await expect(tryStore(openStore({ ...target, authority: null }))).rejects.toThrow('is signed by an unknown authority')
  await expect(tryStore(openStore({ ...target, secretAccessKey: 'other' }))).rejects.toThrow(
    'The secret access key is not the one',
  )
})

test('BACK-003 BACK-007 files open with Debian’s age by key and by passphrase', async () => {
  test.setTimeout(LIMIT_MS)
  const apart = path.join(folder, 'apart')
  mkdirSync(apart)
  const dataDir = path.join(folder, 'opened')
  const { panel, api } = await openPanel(dataDir)
  const { identity, recipient } = await setUpKey(api, { folder: apart })
  expect(await api(tryBackupTarget, { folder: apart })).toEqual({ failure: null })
  await api(createUser, { username: uniqueName('kept'), expireAt: inDays(30) })
  const name = await backUp(api)
  await panel.process.stop()
  const file = path.join(apart, `${name}.tar.gz.age`)
  const keyFile = path.join(folder, 'key.txt')
  writeFileSync(keyFile, `${identity}\n`)
  const listed = execFileSync('sh', ['-c', `age -d -i ${keyFile} ${file} | tar -tz`]).toString()
  expect(listed.split('\n')).toEqual(expect.arrayContaining([`${name}/master.key`, `${name}/backup.json`]))
  // age asks for a passphrase at a terminal alone.
  const locked = path.join(apart, keyFileOf(recipient))
  const opened = path.join(folder, 'opened.tar.gz')
  execFileSync('script', ['-qec', `age -d -o ${opened} -i ${locked} ${file}`, '/dev/null'], { input: `${PASSPHRASE}\n` })
  expect(execFileSync('tar', ['-tzf', opened]).toString()).toBe(listed)
})

test(`BACK-012 a machine that burns under load ${ROUNDS} times is rebuilt from store and passphrase, and lacks exactly what came after`, async () => {
  test.setTimeout(LIMIT_MS * (ROUNDS + 1))
  const { target } = await openObjectStore('versitygw')
  const authority = path.join(folder, 'authority.pem')
  writeFileSync(authority, target.authority ?? '')
  const dataDir = path.join(folder, 'burning')
  const opened = await openPanel(dataDir)
  const { panel, api, token } = opened
  const { id: _, kind: __, ...store } = target
  await setUpKey(api, { store })
  let world: TrafficWorld | undefined
  if (xray !== '') {
    world = await buildTrafficWorld(panel, token, xray)
    const built = world
    ending.push(() => built.close())
  }
  const core = world?.agent.core()?.pid
  const figures: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const load = startWrites(api, `round${round}`)
    await sleep(1000)
    const name = await backUp(api)
    const [backup] = (await api(listBackups, {})).backups.filter((each) => each.name === name)
    const takenAt = Date.parse(backup?.takenAt ?? '')
    // One more is being made, or is on its way, when the fire comes.
    await api(makeBackup, {})
    await sleep(Math.random() * 6000)
    await burn(panel, dataDir)
    const written = await load.end()
    expect(existsSync(dataDir)).toBe(false)

    const begun = performance.now()
    mkdirSync(dataDir, { mode: 0o755 })
    const said = await restoreFrom(target.endpoint, authority, dataDir)
    await panel.restart()
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const moment = Date.parse(`${/as of ([\d-]+ [\d:]+) UTC/.exec(said)?.[1]?.replace(' ', 'T')}Z`)
    expect(moment).toBeGreaterThanOrEqual(Math.floor(takenAt / 1000) * 1000)
    const restored = await usernames(api)
    const [latest] = (await openStoreList(target)).slice(0, 1)
    const exact = latest ?? takenAt
    const lost = written.filter(({ name: username }) => !restored.has(username))
    expect(lost.filter(({ doneAt }) => doneAt < exact)).toEqual([])
    expect(written.filter(({ name: username, begunAt }) => restored.has(username) && begunAt > exact)).toEqual([])
    figures.push(`round ${round}: ${written.length} written, ${lost.length} after the moment, serving again after ${seconds} s`)
    if (world) {
      const { uuid } = world.node
      await until('the node is connected', async () => (await api(getNode, { uuid })).isConnected, 60_000)
      expect(world.agent.core()?.pid).toBe(core)
    }
  }
  console.log(figures.join('\n'))
})

test(`BACK-012 with its log a machine that burns ${ROUNDS} times loses the last minute at most, and is brought to a moment before an accident`, async () => {
  test.setTimeout(LIMIT_MS * (ROUNDS + 1))
  const { target } = await openObjectStore('versitygw')
  const authority = path.join(folder, 'authority-of-log.pem')
  writeFileSync(authority, target.authority ?? '')
  const dataDir = path.join(folder, 'followed')
  const { panel, api } = await openPanel(dataDir)
  const { id: _, kind: __, ...store } = target
  await setUpKey(api, { store, isLogSent: true })
  const figures: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    // The chain begins within seconds of the start; what is backed up before has none to lead on from it.
    await sleep(20_000)
    const load = startWrites(api, `followed${round}`)
    await backUp(api)
    const logOf = async () => (await api(listBackups, {})).targets?.states[0]?.log
    await until('the log leads on from the backup', async () => (await logOf())?.isRestorable, LIMIT_MS)
    const before = Date.now()
    await until('all of before is sent', async () => Date.parse((await logOf())?.sentUntil ?? '') > before, LIMIT_MS)
    const sentBy = Date.now()
    await sleep(Math.random() * 30_000)
    const burntAt = Date.now()
    await burn(panel, dataDir)
    const written = await load.end()
    const begun = performance.now()
    mkdirSync(dataDir, { mode: 0o755 })
    // The last round ends at the moment before, as after an accident.
    const end = round === ROUNDS ? new Date(sentBy) : undefined
    const said = await restoreFrom(target.endpoint, authority, dataDir, end && ['--until', end.toISOString()])
    await panel.restart()
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    const pieces = piecesAmong(await openStore(target).list()).filter(({ at }) => end === undefined || at <= end)
    const moment = Math.max(...pieces.map(({ at }) => at.getTime()))
    expect(said).toContain('pieces of the log of changes are added')
    const restored = await usernames(api)
    const lost = written.filter(({ name }) => !restored.has(name))
    expect(lost.filter(({ doneAt }) => doneAt < moment)).toEqual([])
    expect(moment).toBeGreaterThan((end?.getTime() ?? burntAt) - 60_000)
    if (end) expect(written.filter(({ name, begunAt }) => restored.has(name) && begunAt > end.getTime())).toEqual([])
    figures.push(
      `round ${round}: ${written.length} written, ${lost.length} after the log's end, ${((burntAt - moment) / 1000).toFixed(1)} s before the fire; serving again after ${seconds} s`,
    )
  }
  console.log(figures.join('\n'))
})

async function openObjectStore(make: Parameters<typeof startObjectStore>[0]): Promise<ObjectStore> {
  const store = await startObjectStore(make, folder)
  ending.push(() => store.stop())
  return store
}

async function openPanel(dataDir: string): Promise<{ panel: Panel; api: Api; token: string }> {
  mkdirSync(dataDir, { mode: 0o755 })
  const env = { DATA_DIR: dataDir, MASTER_KEY: '', OUTGOING_PRIVATE_HOSTS: '127.0.0.1,localhost' }
  const panel = await startPanel({ database: 'embedded', env })
  ending.push(() => panel.close())
  return { panel, ...(await signedIn(panel)) }
}

async function setUpKey(api: Api, targets: Parameters<typeof api<typeof updateBackupTargets>>[1]) {
  const identity = await generateX25519Identity()
  const recipient = await identityToRecipient(identity)
  const encrypter = new Encrypter()
  encrypter.setPassphrase(PASSPHRASE)
  encrypter.setScryptWorkFactor(14)
  const lockedKey = armor.encode(await encrypter.encrypt(`${identity}\n`))
  await api(updateBackupTargets, { recipient, lockedKey, ...targets })
  return { identity, recipient }
}

async function backUp(api: Api): Promise<string> {
  const { jobId } = await api(makeBackup, {})
  let percent = 0
  const job = await until(
    'the backup is made',
    async () => {
      const found = await api(getJob, { id: jobId })
      percent = found.done
      return found.finishedAt === null ? undefined : found
    },
    LIMIT_MS,
  ).catch((error: unknown) => {
    throw new Error(`It is at ${percent} %.`, { cause: error })
  })
  expect([job.status, job.error]).toEqual(['done', null])
  return (await api(listBackups, {})).backups[0]?.name ?? ''
}

interface Written {
  name: string
  begunAt: number
  doneAt: number
}

/** Makes users one after another until it is ended, and notes those that were acknowledged. */
function startWrites(api: Api, prefix: string) {
  let isOver = false
  const written: Written[] = []
  const writing = (async () => {
    for (let n = 1; !isOver; n++) {
      const [name, begunAt] = [`${prefix}_${n}`, Date.now()]
      await api(createUser, { username: name, expireAt: inDays(30) }).then(
        () => written.push({ name, begunAt, doneAt: Date.now() }),
        () => sleep(100),
      )
    }
  })()
  return {
    end: async () => {
      isOver = true
      await writing
      return written
    },
  }
}

/** The server, its database and what makes a backup end at once, and all of the data folder is gone. */
async function burn(panel: Panel, dataDir: string): Promise<void> {
  const pid = Number(readFileSync(path.join(dataDir, 'postgres/pg18/postmaster.pid'), 'utf8').split('\n')[0])
  const children = spawnSync('pgrep', ['-P', String(panel.process.pid)])
    .stdout.toString()
    .split('\n')
    .filter(Boolean)
    .map(Number)
  await panel.process.kill()
  for (const each of [pid, ...children])
    try {
      process.kill(each, 'SIGKILL')
    } catch {
      // it has ended with the server
    }
  await until('the database has ended', () => !existsSync(`/proc/${pid}`) || undefined)
  await sleep(500)
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}

/** The command as on a bare machine: it asks for the passphrase. */
function restoreFrom(endpoint: string, authority: string, dataDir: string, more: string[] = []): Promise<string> {
  const place = ['s3://backups/panel/one', '--endpoint', endpoint, '--ca', authority]
  const line = ['restore', ...place, '--backup', 'latest', '--yes', ...more]
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    AWS_ACCESS_KEY_ID: KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: KEYS.secretAccessKey,
  }
  const child = spawn(process.execPath, [path.join(root, 'apps/server/src/causeway.ts'), ...line], { env })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stdin.end(`${PASSPHRASE}\n`)
  return new Promise((resolve, reject) => child.once('close', (code) => (code === 0 ? resolve(text) : reject(new Error(text)))))
}

/** Moments of the backups that the store holds, the newest first, to the millisecond. */
async function openStoreList(target: ObjectStore['target']): Promise<number[]> {
  return (await listStored(openStore(target))).map(({ takenAt }) => takenAt.getTime())
}

async function usernames(api: Api): Promise<Set<string>> {
  const names = new Set<string>()
  for (;;) {
    const { users } = await api(listUsers, { start: names.size, size: 500 })
    for (const { username } of users) names.add(username)
    if (users.length < 500) return names
  }
}
