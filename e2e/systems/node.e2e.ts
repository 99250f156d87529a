import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, type BuiltRelease } from './built-release.ts'
import { bootDebian, type Machine } from './debian.ts'

// The package of the node beside that of the server, on a Debian that boots systemd: real traffic through its Xray.

const [INBOUND, SOCKS, TARGET] = [20_443, 20_080, 20_081]
const WAIT_MS = 60_000
const LINES = 60
/** A page that takes half a minute, a line at a time, and another that is answered at once. */
const WEBSITE = `require('node:http').createServer((request, response) => {
  if (request.url !== '/slow') return response.end('quick')
  let line = 0
  const timer = setInterval(() => (response.write(++line + '\\n'), line === ${LINES} && (clearInterval(timer), response.end())), 500)
}).listen(${TARGET}, '127.0.0.1')`
const THROUGH = `curl -s -m 60 --socks5-hostname 127.0.0.1:${SOCKS} http://127.0.0.1:${TARGET}`

test.describe.configure({ mode: 'serial' })
let release: BuiltRelease
let machine: Machine

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
  machine = await bootDebian(release.folder)
  machine.run(`dpkg -i /files/${path.basename(release.deb)} /files/${path.basename(release.nodeDeb)}`)
  await until('the server answers', () => machine.attempt('causeway health').code === 0, 2 * WAIT_MS)
  machine.signIn()
})
test.afterAll(() => {
  machine?.stop()
  if (release) rmSync(release.folder, { recursive: true })
})

test('SHIP-004 the core of a node keeps serving while systemd restarts its agent, and when the agent is killed', async () => {
  test.setTimeout(5 * WAIT_MS)
  const node = makeNode()
  // Without its key the package has started nothing.
  expect(machine.attempt('systemctl is-active causeway-node').text.trim()).not.toBe('active')
  const { pubKey } = machine.api<{ pubKey: string }>('GET', 'keygen')
  machine.run(`sed -i 's|^#SECRET_KEY=$|SECRET_KEY=${pubKey}|' /etc/causeway/causeway-node.env; systemctl start causeway-node`)
  await until('the node is connected', () => isConnected(node), WAIT_MS)
  startClient()
  await until('traffic passes', () => machine.attempt(`${THROUGH}/`).text === 'quick', WAIT_MS)

  const core = corePid()
  expect(machine.run(`ps -o user= -p ${core}`).trim()).toContain('causew')
  const agent = agentPid()
  const slow = machine.background(`${THROUGH}/slow > /root/slow`)
  const asking = machine.background(
    `while [ ! -e /root/enough ]; do ${THROUGH}/ >> /root/quick || echo failed >> /root/quick; echo >> /root/quick; done`,
  )
  machine.run('systemctl restart causeway-node')
  await until('another agent runs', () => agentPid() !== agent)
  await until('the node is connected again', () => isConnected(node), WAIT_MS)
  machine.run(`kill -KILL ${agentPid()}`)
  await until('the node is connected once more', () => isConnected(node), WAIT_MS)
  machine.run('systemctl restart causeway-node; touch /root/enough')
  expect(await slow).toBe(0)
  await asking
  expect(machine.run('wc -l < /root/slow').trim()).toBe(String(LINES))
  expect(machine.run('sort /root/quick | uniq').trim()).toBe('quick')
  expect(corePid()).toBe(core)
  await until('the node is connected at last', () => isConnected(node), WAIT_MS)
  expect(machine.run('systemctl show causeway-node -p User --value').trim()).toBe('causeway-node')
})

test('SHIP-004 a node that was removed as a package serves no longer', () => {
  machine.run('dpkg --remove causeway-node')
  expect(machine.attempt('systemctl is-active causeway-node').text.trim()).not.toBe('active')
  expect(machine.attempt('pgrep -u causeway-node').text).toBe('')
})

/** A profile with one inbound, a node that serves it, a host and a user. Gives the node's uuid. */
function makeNode(): string {
  const config = {
    log: { loglevel: 'warning' },
    inbounds: [
      {
        tag: 'loopback',
        listen: '127.0.0.1',
        port: INBOUND,
        protocol: 'vless',
        settings: { clients: [], decryption: 'none' },
        streamSettings: { network: 'tcp' },
      },
    ],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    routing: { rules: [] },
  }
  const profile = machine.api<{ uuid: string; inbounds: { uuid: string }[] }>('POST', 'config-profiles', {
    name: 'Loopback',
    config,
  })
  const inbounds = profile.inbounds.map(({ uuid }) => uuid)
  const squad = machine.api<{ uuid: string }>('POST', 'internal-squads', { name: 'All', inbounds })
  const node = machine.api<{ uuid: string }>('POST', 'nodes', {
    name: 'Loopback',
    address: '127.0.0.1',
    port: 2222,
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: inbounds },
  })
  machine.api('POST', 'hosts', {
    remark: 'Loopback',
    address: '127.0.0.1',
    port: INBOUND,
    inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: inbounds[0] },
  })
  machine.api('POST', 'users', { username: 'traveller', expireAt: '2099-01-01T00:00:00Z', activeInternalSquads: [squad.uuid] })
  return node.uuid
}

function isConnected(node: string): boolean {
  return machine.api<{ isConnected: boolean }>('GET', `nodes/${node}`).isConnected
}

/** A second Xray, as a subscriber's device would run it, and a website. */
function startClient(): void {
  const { shortUuid } = machine.api<{ shortUuid: string }>('GET', 'users/by-username/traveller')
  const answered = machine.run(`curl -sf -A v2rayNG/1.10.8 http://127.0.0.1:3000/api/sub/${shortUuid}/json`)
  const [rendered] = JSON.parse(answered)
  const socks = { listen: '127.0.0.1', port: SOCKS, protocol: 'socks', settings: { auth: 'noauth', udp: false } }
  const config = { ...rendered, inbounds: [socks], routing: undefined, dns: undefined, log: { loglevel: 'warning' } }
  machine.run(`cat > /root/client.json <<'END'\n${JSON.stringify(config)}\nEND`)
  machine.run(`cat > /root/website.cjs <<'END'\n${WEBSITE}\nEND`)
  machine.run('systemd-run --unit=client /usr/lib/causeway/engine/build/xray run -c /root/client.json')
  machine.run('systemd-run --unit=website /usr/lib/causeway/node/bin/node /root/website.cjs')
}

function corePid(): string {
  return machine.run('pgrep -u causeway-node -x xray').trim()
}

function agentPid(): string {
  return machine.run('systemctl show causeway-node -p MainPID --value').trim()
}
