import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, replaceIn, type BuiltRelease } from './built-release.ts'
import { bootDebian, type Machine } from './debian.ts'
import { startLoad, usernames } from './load.ts'

// `causeway upgrade` on Debian: under load, with a version that is broken, and with power that is lost at each step.

const HEALTH = 'curl -sf -m 2 http://127.0.0.1:3000/health'
/** As many as are acknowledged at least, before an upgrade and after it. */
const WRITES = 1000
const CLIENTS = 4
const LOAD_MS = 300_000
const POWER_MS = 180_000
const LATER = '2098-01-01-later'
const PLAN = 'var/lib/causeway-upgrade/plan.json'

test.describe.configure({ mode: 'serial' })
let release: BuiltRelease
let machine: Machine
/** Packages of newer versions. All but the broken one have the same migrations, so that each can follow each. */
let packages: { first: string; second: string; broken: string; slow: string }

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
  const withMigration = (program: string) => addMigration(program, LATER, 'create table "later" ("id" integer);')
  packages = {
    first: await release.otherDeb('0.2.1', withMigration),
    second: await release.otherDeb('0.2.2', withMigration),
    broken: await release.otherDeb('0.3.0', (program) => {
      withMigration(program)
      addMigration(program, '2099-01-01-broken', 'drop table "users" cascade;')
      const applied = 'const applied = await migrateDatabase(url, config, log)'
      replaceIn(path.join(program, 'apps/server/src/main.ts'), applied, `${applied}\n  throw new Error('broken on purpose')`)
    }),
    slow: await release.otherDeb('0.4.0', (program) => {
      withMigration(program)
      addMigration(program, '2099-01-02-slow', 'select pg_sleep(25);')
    }),
  }
  machine = await bootDebian(release.folder)
  machine.run(`dpkg -i /files/${path.basename(release.deb)}`)
  await healthy()
  machine.run(`sed -i 's/^#LOG_LEVEL=$/LOG_LEVEL=info/' /etc/causeway/causeway.env`)
  machine.signIn()
})
test.afterAll(() => {
  machine?.stop()
  if (release) rmSync(release.folder, { recursive: true })
})

test('SHIP-003 SHIP-010 an upgrade under load loses no acknowledged write and refuses no request', async () => {
  test.setTimeout(4 * LOAD_MS)
  const load = startLoad(machine, 'load', CLIENTS)
  await until('1,000 writes are acknowledged', () => load.acknowledged().length >= WRITES, LOAD_MS)
  const begun = Date.now()
  const { code, text } = upgradeTo(packages.first)
  const seconds = Math.round((Date.now() - begun) / 1000)
  expect([code, text]).toEqual([0, expect.stringContaining('Upgraded from 0.2.0 to 0.2.1.')])
  const before = load.acknowledged().length
  await until('1,000 more are acknowledged', () => load.acknowledged().length >= before + WRITES, LOAD_MS)
  await load.end()
  expect(machine.run('grep "^LOG_LEVEL" /etc/causeway/causeway.env').trim()).toBe('LOG_LEVEL=info')
  const held = new Set(usernames(machine))
  expect(load.acknowledged().filter((name) => !held.has(name))).toEqual([])
  expect(load.refused()).toEqual([])
  console.log(`The upgrade took ${seconds} s; the longest request waited ${load.longestSeconds()} s.`)
})

test('SHIP-010 a version that does not come up is taken back by itself, with its data', async () => {
  const before = usernames(machine)
  const { code, text } = upgradeTo(packages.broken, '--wait 40')
  expect([code, text]).toEqual([1, expect.stringContaining('Version 0.2.1 serves again, with all that was acknowledged.')])
  await healthy()
  expect(installedVersion()).toBe('0.2.1')
  expect(usernames(machine).toSorted()).toEqual(before.toSorted())
  await nothingIsLeft()
})

test('SHIP-010 a changed byte and another processor are refused, and nothing stops', () => {
  const pid = machine.run('systemctl show causeway -p MainPID --value')
  const file = path.join(release.folder, 'changed.deb')
  const bytes = readFileSync(release.deb)
  bytes.writeUInt8(bytes.readUInt8(100_000) ^ 1, 100_000)
  writeFileSync(file, bytes)
  writeFileSync(`${file}.minisig`, readFileSync(`${release.deb}.minisig`))
  expect(machine.attempt('causeway upgrade /files/changed.deb')).toEqual({
    code: 1,
    text: expect.stringContaining('is not what was signed'),
  })
  const node = machine.attempt(`causeway upgrade /files/${path.basename(release.nodeDeb)}`)
  expect(node).toEqual({ code: 1, text: expect.stringContaining('is the package causeway-node, not causeway.') })
  expect(machine.run('systemctl show causeway -p MainPID --value')).toBe(pid)
})

/** So long after the step has begun, power is lost: at once, and in the middle of its work. */
const LOSSES = [
  { step: 'stop', afterMs: 0 },
  { step: 'backup', afterMs: 1500 },
  { step: 'install', afterMs: 0 },
  { step: 'install', afterMs: 2000 },
  { step: 'watch', afterMs: 1500 },
]
for (const { step, afterMs } of LOSSES) {
  test(`SHIP-010 power that is lost ${afterMs} ms after the step "${step}" has begun leaves one version with all data`, async () => {
    test.setTimeout(2 * POWER_MS)
    machine.signIn()
    const before = usernames(machine)
    const file = installedVersion() === '0.2.1' ? packages.second : packages.first
    await losePower(file, step, afterMs)
    const version = /_(0\.2\.\d)_/.exec(file)?.[1]
    expect(installedVersion()).toBe(version)
    expect(machine.run(`${HEALTH} > /dev/null && causeway --version | head -1`)).toContain(`Causeway ${version}`)
    machine.signIn()
    expect(usernames(machine).toSorted()).toEqual(before.toSorted())
    await nothingIsLeft()
  })
}

for (const { step, afterMs } of [
  { step: 'back', afterMs: 0 },
  { step: 'back', afterMs: 4000 },
]) {
  test(`SHIP-010 power that is lost ${afterMs} ms after going back has begun leaves the old version with its data`, async () => {
    test.setTimeout(2 * POWER_MS)
    machine.signIn()
    const [before, version] = [usernames(machine), installedVersion()]
    await losePower(packages.broken, step, afterMs, '--wait 20')
    expect(installedVersion()).toBe(version)
    machine.signIn()
    expect(usernames(machine).toSorted()).toEqual(before.toSorted())
    await nothingIsLeft()
  })
}

test('SHIP-010 a migration that takes longer than the limit is told while it runs, and is no failure', async () => {
  test.setTimeout(POWER_MS)
  const upgrading = machine.background(`causeway upgrade --wait 12 /files/${path.basename(packages.slow)} > /root/slow 2>&1`)
  await until('causeway health tells it', () => machine.attempt('causeway health').text.includes('Migration 1 of 1'), POWER_MS)
  expect(machine.run('systemctl show causeway -p StatusText --value')).toContain(
    'Migration 1 of 1 of the database (2099-01-02-slow)',
  )
  expect(await upgrading).toBe(0)
  const said = machine.run('cat /root/slow')
  expect(said).toContain('Migration 1 of 1 of the database (2099-01-02-slow), ')
  expect(said).toContain(' to 0.4.0.')
  expect(machine.run('journalctl -u causeway --no-pager | grep "migrating the database"')).toContain('"count":1')
})

/** Begins an upgrade, ends all of the machine at the step, boots, and waits until the upgrade has come to its end. */
async function losePower(file: string, step: string, afterMs: number, options = ''): Promise<void> {
  void machine.background(`causeway upgrade ${options} /files/${path.basename(file)}`)
  const plan = path.join(machine.files, PLAN)
  await until(`the step is ${step}`, () => readFileSync(plan, 'utf8').includes(`"step":"${step}"`), POWER_MS)
  await sleep(afterMs)
  machine.cutPower()
  await machine.boot()
  await until('the upgrade is at its end', () => machine.attempt(`test ! -e /${PLAN}`).code === 0, POWER_MS)
  await healthy()
}

function upgradeTo(file: string, options = ''): { code: number | null; text: string } {
  return machine.attempt(`causeway upgrade ${options} /files/${path.basename(file)} 2>&1`)
}

function installedVersion(): string {
  return machine.run(`dpkg-query -W -f '\${Version}' causeway`)
}

async function nothingIsLeft(): Promise<void> {
  const traces = '/var/lib/causeway-upgrade /usr/lib/causeway.upgrade /etc/systemd/system/causeway*'
  await until('nothing is left of the upgrade', () => machine.run(`ls -d ${traces} 2>/dev/null || true`) === '')
}

async function healthy(): Promise<void> {
  await until('the server answers', () => machine.attempt(HEALTH).code === 0, 120_000)
}

function addMigration(program: string, name: string, text: string): void {
  writeFileSync(path.join(program, `apps/server/src/db/migrations/${name}.sql`), `${text}\n`)
}
