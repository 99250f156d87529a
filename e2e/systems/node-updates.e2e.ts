import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import { expect, test } from '@playwright/test'
import type { Api } from '../stage/api-client.ts'
import { signedIn, startPanel, type Panel } from '../stage/panel.ts'
import { until } from '../stage/processes.ts'
import { geoIpFile } from '../stage/geo-files.ts'
import { seeding } from '../stage/seeding.ts'
import { BUILD_LIMIT_MS, builtNodeFiles, replaceIn } from './built-release.ts'
import { makeNetwork, removeNetwork, startMachine, type NodeMachine } from './joining-machine.ts'

// Two nodes with an older release are updated from the panel while a user streams through one of them.

const WAIT_MS = 240_000
const [INBOUND, SOCKS, TARGET] = [8443, 20_080, 20_081]
const [OLD_AGENT, OLD_XRAY] = ['0.1.0', '26.1.1']
const PAGE_BYTES = 1_000_000
/** A page that is answered at once, and one that goes on, a line at a time, until there is a file. */
const WEBSITE = `const { existsSync } = require('node:fs')
require('node:http').createServer((request, response) => {
  if (request.url !== '/slow') return response.end('x'.repeat(${PAGE_BYTES}))
  const timer = setInterval(() => {
    response.write('line\\n')
    if (existsSync('/root/enough')) clearInterval(timer), response.end('end\\n')
  }, 200)
}).listen(${TARGET}, '127.0.0.1')`
/** What is read where an update does not end. */
const LOG_END = 'journalctl -u causeway-node -n 25 --no-pager -o cat'
const THROUGH = `curl -s -S -m 600 --socks5-hostname 127.0.0.1:${SOCKS} http://127.0.0.1:${TARGET}`

test.describe.configure({ mode: 'serial' })
let folder: string
let good: string
let served: string
let gateway: string
let panel: Panel
let call: Api
let user: api.User
let profile: api.ConfigProfile
let machine: NodeMachine
let first: api.Node
let second: api.Node
const machines: NodeMachine[] = []

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  folder = mkdtempSync(path.join(tmpdir(), 'causeway-updates-'))
  good = builtNodeFiles()
  served = path.join(folder, path.basename(good))
  gateway = makeNetwork()
  pack('old', (tree) => {
    replaceIn(path.join(tree, 'package.json'), `"version": "${versionOf(tree)}"`, `"version": "${OLD_AGENT}"`)
    const xray = path.join(tree, 'engine/build/xray')
    renameSync(xray, `${xray}.real`)
    writeFileSync(
      xray,
      `#!/bin/sh\n[ "$1" = version ] && echo "Xray ${OLD_XRAY} (older)" && exit\nexec "$(dirname "$0")/xray.real" "$@"\n`,
    )
    chmodSync(xray, 0o755)
  })
  panel = await startPanel({ env: { HOST: '0.0.0.0', NODE_FILES_DIR: folder, ROLLOUT_WATCH_SECONDS: '5' } })
  call = (await signedIn(panel)).api
  const seed = seeding(call)
  profile = await seed.makeConfigProfile()
  const squad = await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  user = await seed.makeUser({ activeInternalSquads: [squad.uuid] })
  for (let count = 0; count < 2; count++) machines.push(await startMachine())
  const nodes: api.Node[] = []
  for (const one of machines) {
    const node = await seed.makeNode(profile, { address: one.address, port: 2222 })
    await join(one, node)
    nodes.push(node)
  }
  for (const node of nodes) await until('the node is connected', async () => (await nodeOf(node)).isConnected, WAIT_MS)
  ;[first, second] = nodes as [api.Node, api.Node] // two machines
  machine = machines[0] as NodeMachine // as above
  startClient(machine, user)
  await until('traffic passes', () => machine.attempt(`${THROUGH}/ | wc -c`).text.trim() === String(PAGE_BYTES), WAIT_MS)
})
test.afterAll(async () => {
  for (const one of machines) one.stop()
  await panel?.close()
  removeNetwork()
  rmSync(folder, { recursive: true, force: true })
})

async function join(one: NodeMachine, { uuid }: api.Node): Promise<void> {
  const { url } = await call(api.makeJoinCode, { uuid })
  one.run(`curl -fsSL ${url.replace(panel.origin, `http://${gateway}:${panel.port}`)} | sh`)
}

/** Has the panel carry the built release with something changed in it. */
function pack(name: string, change: (tree: string) => void): void {
  const tree = path.join(folder, name)
  execFileSync('mkdir', [tree])
  execFileSync('tar', ['-xzf', good, '-C', tree, '--strip-components=1'])
  change(tree)
  execFileSync('tar', ['--use-compress-program=gzip -1', '-cf', `${served}.new`, '-C', folder, name])
  renameSync(`${served}.new`, served)
  rmSync(tree, { recursive: true })
}

const versionOf = (tree: string): string => JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8')).version
const nodeOf = ({ uuid }: api.Node) => call(api.getNode, { uuid })
const corePid = (one: NodeMachine) => one.attempt('pgrep -f "[r]un -c /var/lib/causeway-node"').text.trim()
const agentPid = (one: NodeMachine) => one.run('systemctl show causeway-node -p MainPID --value').trim()
const updates = () => call(api.getNodeUpdates, {})

async function ended(): Promise<api.NodeUpdate> {
  await until('the update has ended', async () => (await updates()).last?.endedAt !== null, WAIT_MS).catch(async (error) => {
    console.log(JSON.stringify((await updates()).last), machines.map((one) => one.attempt(LOG_END).text).join('\n'))
    throw error
  })
  const { last } = await updates()
  if (!last) throw new Error('there is no update')
  return last
}

/** A user's device and a website, on the machine itself. */
function startClient(one: NodeMachine, { vlessUuid }: api.User): void {
  const config = {
    log: { loglevel: 'warning' },
    inbounds: [{ listen: '127.0.0.1', port: SOCKS, protocol: 'socks', settings: { auth: 'noauth', udp: false } }],
    outbounds: [
      {
        protocol: 'vless',
        settings: { vnext: [{ address: '127.0.0.1', port: INBOUND, users: [{ id: vlessUuid, encryption: 'none' }] }] },
      },
    ],
  }
  const program = '/opt/causeway-node/current'
  one.run(`cat > /root/client.json <<'END'\n${JSON.stringify(config)}\nEND`)
  one.run(`cat > /root/website.cjs <<'END'\n${WEBSITE}\nEND`)
  one.run(`systemd-run --unit=client ${program}/engine/build/xray run -c /root/client.json`)
  one.run(`systemd-run --unit=website ${program}/node/bin/node /root/website.cjs`)
}

test('JOIN-009 agents are updated one first while a user streams; one that does not come up is the old one again by itself', async () => {
  test.setTimeout(4 * WAIT_MS)
  const cores = machines.map(corePid)
  const agents = machines.map(agentPid)
  machine.run(
    `systemd-run --unit=slow sh -c '${THROUGH}/slow > /root/slow 2>&1; echo "ended with $?" >> /root/slow'; ` +
      `systemd-run --unit=quick sh -c 'while [ ! -e /root/enough ]; do ${THROUGH}/ 2>&1 | wc -c >> /root/quick; done'`,
  )
  pack('broken', (tree) => {
    const main = path.join(tree, 'apps/agent/src/run.ts')
    writeFileSync(main, `throw new Error('broken on purpose')\n${readFileSync(main, 'utf8')}`)
  })
  expect((await updates()).nodes).toMatchObject(
    [first, second].map(({ uuid }) => ({ uuid, agentVersion: OLD_AGENT, isUpdatable: true, older: ['agent', 'core'] })),
  )
  await call(api.startNodeUpdate, { part: 'agent' })
  const failed = await ended()
  expect([failed.state, failed.error]).toEqual(['failed', expect.stringContaining('It ended by itself (code 1).')])
  // Its user makes the first node the one that proves something.
  expect(failed.nodes.map(({ uuid, state }) => [uuid, state])).toEqual([
    [first.uuid, 'failed'],
    [second.uuid, 'waiting'],
  ])
  expect(machines.map(agentPid)).toEqual(agents)

  copyFileSync(good, served)
  const beganAt = performance.now()
  await call(api.startNodeUpdate, { part: 'agent' })
  const done = await ended()
  console.log(`two agents were updated in ${Math.round((performance.now() - beganAt) / 1000)} s`)
  expect([done.state, done.error]).toEqual(['done', null])
  expect((await updates()).nodes.map(({ older }) => older)).toEqual([['core'], ['core']])
  expect(machines.map(corePid)).toEqual(cores)
  machine.run('touch /root/enough')
  await until('the stream has ended', () => machine.attempt('grep "ended with" /root/slow').code === 0, WAIT_MS)
  expect(machine.run('sort /root/slow | uniq -c | sed "s/^ *//"').trim().split('\n')).toEqual([
    '1 end',
    '1 ended with 0',
    expect.stringMatching(/^\d+ line$/),
  ])
  expect(machine.run('sort /root/quick | uniq').trim()).toBe(String(PAGE_BYTES))
})

test('JOIN-010 Xray is updated on its own, its user reconnects, and every byte is in the ledger', async () => {
  test.setTimeout(4 * WAIT_MS)
  const cores = machines.map(corePid)
  const used = async () => (await call(api.getUser, { uuid: user.uuid })).userTraffic?.usedTrafficBytes ?? 0
  const steady = async () => {
    let before = await used()
    const isSame = async () => {
      const last = before
      before = await used()
      return before === last
    }
    await until('the ledger rests', isSame, WAIT_MS)
    return before
  }
  machine.run('sleep 20')
  const usedBefore = await steady()
  const pages = () =>
    (machine.attempt('cat /root/pages').text.match(/^\d+$/gm) ?? []).map(Number).filter((bytes) => bytes === PAGE_BYTES).length
  // The user loads pages without end: after an update the server counts the users that are online again.
  machine.run(
    `systemd-run --unit=again sh -c 'while [ ! -e /root/over ]; do ${THROUGH}/ 2> /dev/null | wc -c >> /root/pages; sleep 1; done'`,
  )
  await until('pages arrive', () => pages() > 1, WAIT_MS)
  await call(api.startNodeUpdate, { part: 'core' })
  await until('another core runs', () => corePid(machine) !== cores[0] && corePid(machine) !== '', WAIT_MS)
  const pagesBefore = pages()
  await until('the user is back', () => pages() > pagesBefore + 1, WAIT_MS)
  const done = await ended()
  expect([done.state, done.error]).toEqual(['done', null])
  expect((await updates()).nodes.map(({ older }) => older)).toEqual([[], []])
  machine.run('touch /root/over; while systemctl is-active -q again; do sleep 1; done; sleep 20')
  const received = Number(machine.run(`awk '{ sum += $1 } END { printf "%d", sum }' /root/pages`))
  const booked = (await steady()) - usedBefore
  console.log(`${received} bytes arrived, ${booked} are in the ledger`)
  expect(booked).toBeGreaterThanOrEqual(received)
  // Requests, and what was on the way when the old core ended.
  expect(booked).toBeLessThan(received * 1.01 + PAGE_BYTES)
})

test('JOIN-010 geo files reach nodes as an update, are refused where they lack a list, and come with a node that joins', async () => {
  test.setTimeout(6 * WAIT_MS)
  const upload = async (...countries: string[]) => {
    const content = geoIpFile(countries)
    const piece = { bytes: content.length, offset: 0, content: content.toString('base64') }
    await call(api.uploadGeoFile, { name: 'geoip.dat', ...piece })
    return (await call(api.getGeoFiles, {})).version
  }
  const held = async () => (await updates()).nodes.map(({ geoVersion }) => geoVersion)
  // Its user is online all the time, so that the first node proves something.
  machine.run(`systemd-run --unit=on sh -c 'while [ ! -e /root/off ]; do ${THROUGH}/ > /dev/null 2>&1; sleep 1; done'`)
  expect(await held()).toEqual(['', ''])
  const version = await upload('IR')
  expect((await updates()).nodes.every(({ older }) => older.includes('geo'))).toBe(true)
  const cores = machines.map(corePid)
  await call(api.startNodeUpdate, { part: 'geo' })
  const done = await ended()
  expect([done.state, done.error, done.version]).toEqual(['done', null, version])
  expect(await held()).toEqual([version, version])
  expect(machines.map(corePid)).not.toEqual(cores)

  const rule = { type: 'field', ip: ['geoip:ir'], outboundTag: 'BLOCK' }
  const { config } = await call(api.getConfigProfile, { uuid: profile.uuid })
  const written = config as { outbounds: object[]; routing?: { rules?: object[] } } // as seeded
  const outbounds = [
    ...written.outbounds.filter((one) => !('tag' in one && one.tag === 'BLOCK')),
    { tag: 'BLOCK', protocol: 'blackhole' },
  ]
  const routing = { ...written.routing, rules: [...(written.routing?.rules ?? []), rule] }
  const before = machines.map(corePid)
  await call(api.updateConfigProfile, { uuid: profile.uuid, config: { ...written, outbounds, routing } })
  const isStarted = (pid: string, index: number) => pid !== '' && pid !== before[index]
  await until('both run the rule', () => machines.map(corePid).every(isStarted), WAIT_MS)
  for (const node of [first, second]) await until('the node is connected', async () => (await nodeOf(node)).isConnected, WAIT_MS)

  const running = machines.map(corePid)
  await upload('CN')
  expect((await call(api.getGeoFiles, {})).missing).toEqual([{ file: 'geoip.dat', list: 'ir', profiles: [profile.name] }])
  await call(api.startNodeUpdate, { part: 'geo' })
  const failed = await ended()
  expect([failed.state, failed.error]).toEqual(['failed', expect.stringContaining('geoip.dat lacks the list "ir"')])
  expect(await held()).toEqual([version, version])
  expect(machines.map(corePid)).toEqual(running)

  const next = await upload('CN', 'IR')
  const newcomer = await startMachine()
  machines.push(newcomer)
  const third = await seeding(call).makeNode(profile, { address: newcomer.address, port: 2222 })
  await join(newcomer, third)
  await until('the third node runs the rule', async () => (await nodeOf(third)).isConnected, WAIT_MS)
  expect(await held()).toEqual([version, version, next])
  machine.run('touch /root/off')
})
