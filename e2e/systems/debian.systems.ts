import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, replaceIn, type BuiltRelease } from './built-release.ts'
import { bootDebian, type Machine } from './debian.ts'

// The Debian packages on a system that boots systemd, without Node and without a network.

const HEALTH = 'curl -sf -m 2 http://127.0.0.1:3000/health'
const JSON_HEADERS = `-H 'content-type: application/json' -H 'x-remnawave-client-type: browser'`
const ACCOUNT = `'{"username":"admin","password":"Correct4horse1"}'`
/** As many as are acknowledged at least, before an upgrade and after it. */
const WRITES = 1000
const LOADS = ['one', 'two', 'three', 'four']
const LOAD_MS = 300_000
const PAGE = 500
const LATER = '2098-01-01-later'

test.describe.configure({ mode: 'serial' })
let release: BuiltRelease
let machine: Machine

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
  machine = await bootDebian(release.folder)
})
test.afterAll(() => {
  machine?.stop()
  if (release) rmSync(release.folder, { recursive: true })
})

test('SHIP-003 the package installs without Node and network, serves, and survives a reboot', async () => {
  expect(machine.attempt('command -v node').code).not.toBe(0)
  machine.run(`dpkg -i /files/${path.basename(release.deb)}`)
  await healthy()
  expect(
    machine.run(`curl -s -o /dev/null -w '%{http_code}' ${JSON_HEADERS} -d ${ACCOUNT} http://127.0.0.1:3000/api/auth/register`),
  ).toBe('201')
  machine.run(`sed -i 's/^#LOG_LEVEL=$/LOG_LEVEL=warn/' /etc/causeway/causeway.env`)
  await machine.reboot()
  await healthy()
  expect(machine.run(`ps -o user= -C node | sort -u`).trim()).toMatch(/^(causeway)?$/)
  expect(machine.run('systemctl show causeway -p User --value').trim()).toBe('causeway')
  signIn()
})

test('SHIP-004 the unit of the server is exposed by 3.0 at most', () => {
  const said = machine.run('systemd-analyze security causeway --no-pager | tail -1')
  const [, level = '10'] = /exposure level for causeway.service: ([\d.]+)/.exec(said) ?? []
  expect(Number(level)).toBeLessThanOrEqual(3)
})

test('SHIP-003 SHIP-010 an upgrade under load loses no acknowledged write', async () => {
  test.setTimeout(4 * LOAD_MS)
  const file = await release.otherDeb('0.2.1', (program) => {
    addMigration(program, LATER, 'create table "later" ("id" integer);')
  })
  const load = LOADS.map((prefix) => machine.background(writeUsers(prefix, Infinity)))
  const count = () => LOADS.flatMap(acknowledged).length
  await until('1,000 writes are acknowledged', () => count() >= WRITES, LOAD_MS)
  const { code, text } = machine.attempt(`causeway upgrade /files/${path.basename(file)} 2>&1`)
  expect([code, text]).toEqual([0, expect.stringContaining('Upgraded from 0.2.0 to 0.2.1.')])
  const before = count()
  await until('1,000 more are acknowledged', () => count() >= before + WRITES, LOAD_MS)
  machine.run('touch /root/stop')
  await Promise.all(load)
  expect(machine.run(`dpkg-query -W -f '\${Version}' causeway`)).toBe('0.2.1')
  expect(machine.run('grep "^LOG_LEVEL" /etc/causeway/causeway.env').trim()).toBe('LOG_LEVEL=warn')
  const held = new Set(usernames())
  expect(LOADS.flatMap(acknowledged).filter((name) => !held.has(name))).toEqual([])
})

test('SHIP-010 a version that does not come up is taken back by itself, with its data', async () => {
  const file = await release.otherDeb('0.3.0', (program) => {
    addMigration(program, LATER, 'create table "later" ("id" integer);')
    addMigration(program, '2099-01-01-broken', 'drop table "users" cascade;')
    const applied = 'const applied = await migrate(url)'
    replaceIn(path.join(program, 'apps/server/src/main.ts'), applied, `${applied}\n  throw new Error('broken on purpose')`)
  })
  const before = usernames()
  const { code, text } = machine.attempt(`causeway upgrade --wait 60 /files/${path.basename(file)} 2>&1`)
  expect([code, text]).toEqual([1, expect.stringContaining('Version 0.2.1 serves again, with all that was acknowledged.')])
  await healthy()
  expect(machine.run(`dpkg-query -W -f '\${Version}' causeway`)).toBe('0.2.1')
  expect(usernames().toSorted()).toEqual(before.toSorted())
  machine.run(writeUsers('again', 3))
  expect(acknowledged('again')).toHaveLength(3)
})

test('SHIP-010 a changed byte and another processor are refused, and nothing stops', async () => {
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

test('SHIP-003 a removed package keeps its data and says where; purging removes them', () => {
  expect(machine.run('dpkg --remove causeway 2>&1')).toContain('Its data are kept in /var/lib/causeway.')
  expect(machine.run('ls /var/lib/causeway/master.key /etc/causeway/causeway.env')).toContain('master.key')
  expect(machine.attempt('systemctl is-active causeway').text.trim()).not.toBe('active')
  machine.run('dpkg --purge causeway')
  expect(machine.run('ls -d /var/lib/causeway /etc/causeway /usr/lib/causeway 2>&1 || true')).not.toMatch(/^\//m)
})

async function healthy(): Promise<void> {
  await until('the server answers', () => machine.attempt(HEALTH).code === 0, 120_000)
}

function addMigration(program: string, name: string, text: string): void {
  writeFileSync(path.join(program, `apps/server/src/db/migrations/${name}.sql`), `${text}\n`)
}

/** Leaves a token in /root/token. */
function signIn(): void {
  machine.run(
    `curl -sf ${JSON_HEADERS} -d ${ACCOUNT} http://127.0.0.1:3000/api/auth/login | grep -o '"accessToken":"[^"]*' | cut -d'"' -f4 > /root/token; test -s /root/token`,
  )
}

/** Notes what was acknowledged. A write that was refused is not made again. Without an end it goes on until there is a file. */
function writeUsers(prefix: string, count: number): string {
  const body = `"{\\"username\\":\\"${prefix}_$i\\",\\"expireAt\\":\\"2099-01-01T00:00:00Z\\"}"`
  const ask = `curl -s -m 20 -o /dev/null -w '%{http_code}' ${JSON_HEADERS} -H "authorization: Bearer $(cat /root/token)" -d ${body} http://127.0.0.1:3000/api/users`
  const end = count === Infinity ? '[ ! -e /root/stop ]' : `[ $i -lt ${count} ]`
  return `i=0; while ${end}; do i=$((i+1)); code=$(${ask}); if [ "$code" = 201 ]; then echo ${prefix}_$i >> /root/${prefix}; else sleep 0.2; fi; done`
}

function acknowledged(prefix: string): string[] {
  return machine.attempt(`cat /root/${prefix} 2>/dev/null`).text.split('\n').filter(Boolean)
}

function usernames(): string[] {
  const page = (start: number) =>
    machine.run(
      `curl -sf ${JSON_HEADERS} -H "authorization: Bearer $(cat /root/token)" 'http://127.0.0.1:3000/api/users?start=${start}&size=${PAGE}' | grep -o '"username":"[^"]*' | cut -d'"' -f4`,
    )
  const names: string[] = []
  for (;;) {
    const more = page(names.length).split('\n').filter(Boolean)
    names.push(...more)
    if (more.length < PAGE) return names
  }
}
