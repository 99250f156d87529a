import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { xray } from '../stage/engine.ts'

// What the agent does with nftables and Xray on a node of its own network. Needs the right to make networks and nft; says so where
// either is lacking.

const RUN_MS = 120_000
const SCRIPT = path.join(import.meta.dirname, 'filtered-node.ts')
const problem = missing()

test.skip(problem !== undefined, problem)

test('PLUG-002 PLUG-003 filters and blocks hold for clients of a real node, torrents are caught, and all goes with the agent', () => {
  test.setTimeout(RUN_MS)
  const { status, stdout, stderr } = spawnSync('unshare', ['-n', process.execPath, SCRIPT], {
    encoding: 'utf8',
    timeout: RUN_MS,
    env: { ...process.env, XRAY_BIN: xray },
  })
  expect(status, stderr).toBe(0)
  const seen = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>
  const others = ['table inet other']
  expect(seen).toEqual({
    // What a killed agent has left is gone.
    tablesAtStart: others,
    before: [true, true],
    ingressProblem: null,
    // The port of the agent stays open, so that a filter of the server's address does not lock the server out.
    ingress: { client: true, other: false, otherAtAgent: true },
    tablesWithFilter: [...others, 'table inet causeway'],
    farBefore: true,
    // Clients at an address that is out of reach are served all the same.
    egress: { far: false, incoming: true },
    egressPort: false,
    tablesWithout: others,
    block: { blocked: [false, true], after: true },
    torrents: [['alice', '10.91.0.2', true, 'bittorrent', 'TROJAN_B']],
    afterTorrent: [false, true],
    acknowledged: 0,
    tablesAtEnd: others,
  })
})

test('PLUG-004 without the right to use nftables the agent says so', () => {
  const script = `import('${path.resolve(import.meta.dirname, '../../apps/agent/src/features/filters/firewall.ts')}').then(async ({ Firewall }) => {
    const firewall = new Firewall(2222, { warn() {} })
    await firewall.open()
    await firewall.filter({ ingress: ['198.51.100.0/24'], egress: [], egressPorts: [] })
    console.log(firewall.problem)
  })`
  const run = (...command: string[]) =>
    spawnSync('unshare', ['-n', ...command, process.execPath, '-e', script], { encoding: 'utf8' }).stdout
  expect(run('setpriv', '--bounding-set=-net_admin', '--inh-caps=-net_admin')).toContain('CAP_NET_ADMIN')
  expect(run('env', 'PATH=/nowhere')).toContain('The program nft is not installed on this node (package nftables).')
})

/** Why this cannot be tried here. */
function missing(): string | undefined {
  if (spawnSync('nft', ['--version']).error) return 'nft is not installed (package nftables).'
  const made = spawnSync('unshare', ['-n', 'nft', 'add', 'table', 'inet', 'trial'])
  return made.status === 0 ? undefined : 'This machine does not let a test make a network and use nftables in it.'
}
