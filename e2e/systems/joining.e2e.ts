import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { expect, test } from '@playwright/test'
import pg from 'pg'
import type { Api } from '../stage/api-client.ts'
import { signedIn, startPanel, type Panel } from '../stage/panel.ts'
import { until } from '../stage/processes.ts'
import { plainProfile, seeding, type Seeding } from '../stage/seeding.ts'
import { BUILD_LIMIT_MS, builtNodeFiles } from './built-release.ts'
import { makeNetwork, removeNetwork, startMachine, type MachineOptions, type NodeMachine } from './joining-machine.ts'

// A machine becomes a node by one line: fresh Debian in containers that reach nothing but the panel.

const WAIT_MS = 90_000
const PORT = 2222
const MOST_MEGABYTES = 120
const INSTALLED = '/opt/causeway-node/current'
const LEFT =
  'ls -d /opt/causeway-node/* /etc/causeway /var/lib/causeway-node /etc/systemd/system/causeway-node.service 2>/dev/null; id -u causeway-node 2>/dev/null; true'

let folder: string
let gateway: string
let panel: Panel
let call: Api
let seed: Seeding
let profile: api.ConfigProfile
let squad: api.InternalSquad
const machines: NodeMachine[] = []

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  folder = mkdtempSync(path.join(tmpdir(), 'causeway-joining-'))
  const built = builtNodeFiles()
  cpSync(built, path.join(folder, path.basename(built)))
  gateway = makeNetwork()
  panel = await startPanel({
    env: { HOST: '0.0.0.0', NODE_FILES_DIR: folder, IS_HTTP_LOGGING_ENABLED: 'true', LOG_LEVEL: 'info' },
  })
  call = (await signedIn(panel)).api
  seed = seeding(call)
  profile = await seed.makeConfigProfile({ config: plainProfile('joining') })
  squad = await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  await Promise.all(Array.from({ length: 200 }, () => seed.makeUser({ activeInternalSquads: [squad.uuid] })))
})
test.afterEach(() => {
  for (const machine of machines.splice(0)) machine.stop()
})
test.afterAll(async () => {
  await panel?.close()
  removeNetwork()
  rmSync(folder, { recursive: true, force: true })
})

async function start(options?: MachineOptions): Promise<{ machine: NodeMachine; node: api.Node }> {
  const machine = await startMachine(options)
  machines.push(machine)
  return { machine, node: await seed.makeNode(profile, { address: machine.address, port: PORT }) }
}

/** The line, as the machine reaches the panel. */
async function lineOf({ uuid }: api.Node): Promise<string> {
  const { url } = await call(api.makeJoinCode, { uuid })
  return `curl -fsSL ${url.replace(panel.origin, `http://${gateway}:${panel.port}`)} | sh`
}

const joinOf = async ({ uuid }: api.Node) => (await call(api.getNodeJoin, { uuid })).join
const failureOf = async (node: api.Node) => (await joinOf(node))?.failure?.kind
const serving = (node: api.Node) =>
  until('the node serves its first user', async () => (await joinOf(node))?.steps.serving !== null, WAIT_MS)
const corePid = (machine: NodeMachine) => machine.run('pgrep -x xray').trim()

test('JOIN-001 JOIN-011 JOIN-012 the line makes a working node of a fresh Debian with systemd; twice it changes nothing; it is removed by one line', async () => {
  test.setTimeout(5 * WAIT_MS)
  const { machine, node } = await start({ options: ['--memory=512m'] })
  const began = performance.now()
  expect(machine.run(await lineOf(node))).toContain(`the agent listens on port ${PORT}`)
  await serving(node)
  const seconds = Math.round((performance.now() - began) / 1000)
  const { steps } = (await joinOf(node)) ?? {}
  const times = Object.values(steps ?? {}).map((at) => Date.parse(at ?? ''))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(machine.run('systemctl show causeway-node -p User --value').trim()).toBe('causeway-node')
  expect(machine.run('stat -c %a:%U /var/lib/causeway-node /var/lib/causeway-node/identity.json').trim().split('\n')).toEqual([
    '700:causeway-node',
    '600:causeway-node',
  ])
  const [, level = '10'] =
    /exposure level for \S+: ([\d.]+)/.exec(machine.run('systemd-analyze security causeway-node --no-pager | tail -1')) ?? []
  expect(Number(level)).toBeLessThanOrEqual(3)

  const before = machine.run(
    `find /opt/causeway-node /etc/causeway /etc/systemd/system /usr/local/bin -printf '%p %T@\\n' | sort; cat /var/lib/causeway-node/identity.json`,
  )
  const pids = machine.run('pgrep -x xray; systemctl show causeway-node -p MainPID')
  expect(machine.run(await lineOf(node))).toContain('Nothing was changed.')
  expect(
    machine
      .run(
        `find /opt/causeway-node /etc/causeway /etc/systemd/system /usr/local/bin -printf '%p %T@\\n' | sort; cat /var/lib/causeway-node/identity.json`,
      )
      .replace(/\/opt\/causeway-node [\d.]+\n/, ''),
  ).toBe(before.replace(/\/opt\/causeway-node [\d.]+\n/, ''))
  expect(machine.run('pgrep -x xray; systemctl show causeway-node -p MainPID')).toBe(pids)

  await until('the core runs with all users', () => machine.attempt('causeway-node status').code === 0, WAIT_MS)
  // At rest: what the first start has compiled is kept.
  machine.run('systemctl restart causeway-node; sleep 10')
  const kilobytes = machine
    .run(
      "for p in $(pgrep -x xray) $(systemctl show causeway-node -p MainPID --value); do awk '/^VmRSS:/ { print $2 }' /proc/$p/status; done",
    )
    .trim()
    .split('\n')
    .map(Number)
  const megabytes = Math.round(kilobytes.reduce((sum, one) => sum + one, 0) / 1024)
  console.log(`joined in ${seconds} s; agent and core with 200 users take ${megabytes} MB (${kilobytes.join(' + ')} kB)`)
  expect(megabytes).toBeLessThanOrEqual(MOST_MEGABYTES)

  expect(machine.run('causeway-node status')).toContain(`own key, node ${node.uuid}`)
  expect(machine.run('causeway-node doctor')).toContain('Nothing is wrong on this node.')
  expect(machine.run('causeway-node logs -n 5')).toContain('node')
  machine.run('useradd plain')
  expect(machine.attempt('su plain -c "/usr/local/bin/causeway-node status"').text).toContain('with sudo')
  expect(machine.run('causeway-node uninstall')).toContain('Agent and core are gone from this machine.')
  expect(machine.run(LEFT).trim()).toBe('/etc/causeway')
  expect(machine.attempt('pgrep -x xray').code).not.toBe(0)
})

test('JOIN-002 JOIN-003 no code and no key of a node stand in the log or the database of the panel', async () => {
  const { machine, node } = await start()
  const line = await lineOf(node)
  machine.run(line)
  await serving(node)
  const code = /join\/(\S+)/.exec(line)?.[1] ?? 'none'
  const log = readFileSync(panel.process.logFile, 'utf8')
  expect(log).toContain('/join/***/certificate')
  expect(log).not.toContain(code)
  const key = machine
    .run(
      `${INSTALLED}/node/bin/node -p 'JSON.parse(require("fs").readFileSync("/var/lib/causeway-node/identity.json")).nodeKeyPem.split("\\n")[1]'`,
    )
    .trim()
  expect(key.length).toBeGreaterThan(40)
  expect(log).not.toContain(key)
  const client = new pg.Client(panel.databaseUrl)
  await client.connect()
  const { rows: tables } = await client.query(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  for (const { name } of tables) {
    const { rowCount } = await client.query(
      `select from "${name}" t where t::text like '%' || $1 || '%' or t::text like '%' || $2 || '%'`,
      [code, key],
    )
    expect([name, rowCount]).toEqual([name, 0])
  }
  await client.end()
  expect(machine.attempt(line).text).toContain('404')
})

test('JOIN-005 a changed byte and a cut connection end with a sentence, leave nothing, and the same line works afterwards', async () => {
  test.setTimeout(5 * WAIT_MS)
  const { machine, node } = await start()
  const line = await lineOf(node)
  machine.run(line.replace('| sh', '> /root/join'))
  const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? '')
  const bytes = readFileSync(file)
  const changed = Buffer.from(bytes)
  changed.writeUInt8(changed.readUInt8(1_000_000) ^ 1, 1_000_000)
  writeFileSync(file, changed)
  const digest = machine.attempt('sh /root/join')
  expect([digest.code, digest.text]).toEqual([1, expect.stringContaining('are not those that the panel has')])
  expect(await failureOf(node)).toBe('digest')
  expect(machine.run(LEFT).trim()).toBe('')
  writeFileSync(file, bytes)
  // It is killed in the middle: the file is there in part.
  machine.run(
    '(setsid sh /root/join > /dev/null 2>&1 &) ; for i in $(seq 200); do ls /opt/causeway-node/.new.*/files.tar.gz > /dev/null 2>&1 && break; sleep 0.02; done; pkill -9 -x sh; pkill -9 -x curl; true',
  )
  expect(machine.run(LEFT).trim()).toBe('')
  // The panel dies while the files come.
  machine.run(
    '(setsid sh /root/join > /root/said 2>&1 &) ; for i in $(seq 200); do ls /opt/causeway-node/.new.*/files.tar.gz > /dev/null 2>&1 && break; sleep 0.02; done',
  )
  await panel.process.kill()
  await until('the script has ended', () => machine.attempt('pgrep -f /root/join').code !== 0, WAIT_MS)
  expect(machine.run('cat /root/said')).toContain('Not done: The files could not be downloaded.')
  expect(machine.run(`${LEFT}; ls -A /opt/causeway-node`).trim()).toBe('')
  await panel.restart()
  machine.run(line)
  await serving(node)
})

test('JOIN-007 what a machine lacks is said in a sentence, and nothing is left', async () => {
  test.setTimeout(5 * WAIT_MS)
  const { machine, node } = await start({ options: ['--tmpfs', '/opt:size=100m'] })
  machine.run((await lineOf(node)).replace('| sh', '> /join; chmod 755 /join'))
  const fails = async (script: string, sentence: string, kind: api.JoinFailure) => {
    const { code, text } = machine.attempt(script)
    expect([code, text]).toEqual([1, expect.stringMatching(`Not done: ${sentence}`)])
    expect(await failureOf(node)).toBe(kind)
    expect(machine.run(`${LEFT}; ls -A /opt/causeway-node 2> /dev/null || true`).trim()).toBe('')
  }
  await fails('su nobody -s /bin/sh -c "sh /join"', 'This needs root.', 'noRoot')
  await fails('setarch i686 sh /join', 'A node runs on processors of 64 bits', 'architecture')
  await fails('sed "s/^BYTES_X64=.*/&; ARCH=; DIGEST_X64=/" /join | sh', 'The panel has no files for', 'architecture')
  await fails(
    'sed "s/^MADE_AT=.*/MADE_AT=$(($(date +%s) - 7320))/" /join | sh',
    'The clock of this machine is wrong by 2 h 2 min.',
    'clock',
  )
  await fails('sed "s#/lib64/ld-linux-x86-64.so.2#/lib64/none#" /join | sh', 'This system has no GNU C library', 'system')
  await fails(
    'mkdir /few; ln -sf $(command -v curl) $(command -v sh) $(command -v id) $(command -v mktemp) $(command -v rm) $(command -v tr) $(command -v cut) /few; PATH=/few sh /join',
    'Neither sha256sum nor openssl',
    'tools',
  )
  machine.run('systemd-socket-activate -l 2222 /bin/cat > /dev/null 2>&1 &')
  machine.run('until grep -q :08AE /proc/net/tcp /proc/net/tcp6; do sleep 0.1; done')
  await fails('sh /join', 'Port 2222 is taken by systemd-socket', 'portTaken')
  machine.run('pkill -f systemd-socket-activate')
  await fails('sh /join', '/opt/causeway-node has 99 MB free, and 3.. MB are needed', 'diskFull')
})

test('JOIN-007 without systemd it says what to run, and that works', async () => {
  test.setTimeout(3 * WAIT_MS)
  const { machine, node } = await start({ hasSystemd: false })
  const said = machine.run(await lineOf(node))
  expect(said).toContain('This system has no systemd')
  const command = /^ {2}(su -s .*)$/m.exec(said)?.[1] ?? 'false'
  machine.run(`(setsid ${command} > /root/agent.log 2>&1 &)`)
  await serving(node)
  expect(machine.run('causeway-node status')).toContain(`own key, node ${node.uuid}`)
  expect(machine.attempt('causeway-node logs').text).toContain('Without systemd')
})

test('JOIN-008 a node with a secret key joins while its core serves on', async () => {
  test.setTimeout(3 * WAIT_MS)
  const { machine, node } = await start()
  machine.run(await lineOf(node))
  await serving(node)
  machine.run('causeway-node uninstall')
  const { uuid, address, port } = node
  await call(api.deleteNode, { uuid })
  const other = await seed.makeNode(profile, { address, port: port ?? PORT })
  // As a package and a copied key make it.
  machine.run((await lineOf(other)).replace('| sh', '> /join'))
  const { pubKey } = await call(api.getNodePublicKey, {})
  machine.run(`mkdir -p /etc/causeway; printf 'SECRET_KEY="%s"\nLOG_LEVEL=warn\n' '${pubKey}' > /etc/causeway/causeway-node.env`)
  machine.run(
    `sed -e '/^  make_identity$/d' -e 's/^ *grep -v .*/cat $SETTINGS/' -e '/identity.json/d' /join > /with-key; sh /with-key`,
  )
  await until('the node is connected', async () => (await call(api.getNode, { uuid: other.uuid })).isConnected, WAIT_MS)
  expect((await call(api.getNodeJoin, { uuid: other.uuid })).identity.kind).toBe('secretKey')
  const core = corePid(machine)
  machine.run(await lineOf(other))
  await serving(other)
  await until(
    'its own key counts',
    async () => (await call(api.getNodeJoin, { uuid: other.uuid })).identity.kind === 'ownKey',
    WAIT_MS,
  )
  expect(corePid(machine)).toBe(core)
  expect(machine.run('cat /etc/causeway/causeway-node.env')).toBe(
    `LOG_LEVEL=warn\nNODE_PORT=${PORT}\nPANEL_URL=http://${gateway}:${panel.port}\n`,
  )
})

test('a new version comes by the same line while users stay connected, and one that does not start is the old one again', async () => {
  test.setTimeout(5 * WAIT_MS)
  const { machine, node } = await start()
  machine.run(await lineOf(node))
  await serving(node)
  const core = corePid(machine)
  const version = () => machine.run('readlink /opt/causeway-node/current').trim()
  const first = version()
  const file = path.join(folder, readdirSync(folder).find((name) => name.endsWith('.tar.gz')) ?? '')
  const good = readFileSync(file)
  const tree = mkdtempSync(path.join(tmpdir(), 'causeway-broken-'))
  execFileSync('tar', ['-xzf', file, '-C', tree])
  const [name = ''] = readdirSync(tree)
  const main = path.join(tree, name, 'apps/agent/src/run.ts')
  const text = readFileSync(main, 'utf8')
  const pack = (changed: string) => {
    writeFileSync(main, changed)
    execFileSync('tar', ['--use-compress-program=gzip -1', '-cf', file, '-C', tree, name])
  }
  pack(`throw new Error('broken on purpose')\n${text}`)
  const broken = machine.attempt((await lineOf(node)).replace('| sh', "| sed 's/^LONGEST_START=.*/LONGEST_START=5/' | sh"))
  expect([broken.code, broken.text]).toEqual([1, expect.stringContaining('The version before it runs again.')])
  expect(await failureOf(node)).toBe('notRunning')
  expect(version()).toBe(first)
  await until('the node is connected', async () => (await call(api.getNode, { uuid: node.uuid })).isConnected, WAIT_MS)
  expect(corePid(machine)).toBe(core)

  pack(`${text}\n// newer\n`)
  machine.run(await lineOf(node))
  await serving(node)
  expect(version()).not.toBe(first)
  expect(machine.run('ls /opt/causeway-node | wc -l').trim()).toBe('2')
  expect(corePid(machine)).toBe(core)
  writeFileSync(file, good)
  rmSync(tree, { recursive: true })
})

test('JOIN-001 a machine that the panel cannot call joins, and is reached over connections that its agent holds', async () => {
  test.setTimeout(4 * WAIT_MS)
  const machine = await startMachine()
  machines.push(machine)
  const node = await seed.makeNode(profile, { address: 'behind-nat.invalid', port: PORT })
  const { url } = await call(api.makeJoinCode, { uuid: node.uuid, isCalling: true })
  const line = `curl -fsSL ${url.replace(panel.origin, `http://${gateway}:${panel.port}`)} | sh`
  expect(machine.run(line)).toContain(`the agent calls http://${gateway}:${panel.port}`)
  await serving(node)
  expect(machine.run(await lineOf(node))).toContain('Nothing was changed.')
  const core = corePid(machine)
  const isConnected = async () => (await call(api.getNode, { uuid: node.uuid })).isConnected
  machine.run('systemctl restart causeway-node')
  await until('the node is back', isConnected, WAIT_MS)
  const began = performance.now()
  await panel.restart()
  await until('the node is back', isConnected, WAIT_MS)
  const { uuid } = await seed.makeUser({ activeInternalSquads: [squad.uuid] })
  const client = new pg.Client(panel.databaseUrl)
  await client.connect()
  const taken = `select from "acknowledgedUsers" a join "nodes" n on n."id" = a."nodeId" join "users" u on u."id" = a."userId"
    where n."uuid" = $1 and u."uuid" = $2`
  await until('the new user is on the node', async () => (await client.query(taken, [node.uuid, uuid])).rowCount === 1, WAIT_MS)
  await client.end()
  console.log(
    `after a restart of the panel a new user was on a calling node in ${Math.round((performance.now() - began) / 1000)} s`,
  )
  await call(api.deleteUser, { uuid })
  expect(corePid(machine)).toBe(core)
  expect(machine.run('causeway-node doctor')).toContain('Nothing is wrong on this node.')
})

test('JOIN-006 a port that is closed, and an agent that does not run, are told apart', async () => {
  test.setTimeout(3 * WAIT_MS)
  const { machine, node } = await start({ options: ['--cap-add=NET_ADMIN'] })
  machine.run(await lineOf(node))
  await serving(node)
  machine.run('systemctl stop causeway-node')
  await call(api.makeJoinCode, { uuid: node.uuid })
  const stopped = await lineOf(node)
  // Signed anew, so that the server looks for it again; the service is not started.
  machine.run(stopped.replace('| sh', '> /join'))
  expect(
    machine.attempt(
      `sed 's/^  systemctl restart causeway-node.*/  systemctl stop causeway-node/; s/^LONGEST_START=.*/LONGEST_START=2/' /join | sh`,
    ).text,
  ).toContain('does not listen on port')
  expect(await failureOf(node)).toBe('notRunning')
  await until('the server says that nothing listens', async () => (await joinOf(node))?.unreached === 'refused', WAIT_MS)

  // Packets for the panel are dropped from the moment of the start, as a firewall does.
  machine.run((await lineOf(node)).replace('| sh', '> /join'))
  machine.run(`sed 's#^  systemctl restart causeway-node#  ip route add blackhole ${gateway}; &#' /join | sh`)
  await until('the server says that the port is closed', async () => (await joinOf(node))?.unreached === 'closed', WAIT_MS)
  machine.run(`ip route del blackhole ${gateway}`)
  await serving(node)
})
