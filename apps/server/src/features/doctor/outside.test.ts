import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import * as api from '@causeway/contract'
import { expect, test } from 'vitest'
import { liveFleet } from '../../../test/live-fleet.ts'

const PROGRAM = path.resolve(import.meta.dirname, '../../causeway.ts')
const NAMES = { PUBLIC_URL: 'https://127.0.0.1:8443', SUB_PUBLIC_DOMAIN: 'localhost' }
const live = liveFleet(NAMES)

interface Found {
  findings: { check: string; finding: string; values: object }[]
}
const ofPorts = ({ findings }: Found) =>
  findings.flatMap(({ check, finding, values }) => (check === 'ports' ? [{ finding, values }] : []))

/** As `causeway doctor` prints it on the server. */
async function onTerminal(): Promise<Found> {
  const env = {
    ...NAMES,
    PATH: process.env['PATH'],
    DATABASE_URL: live.server.ctx.config.DATABASE_URL ?? '',
    MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  const args = ['--disable-warning=ExperimentalWarning', PROGRAM, 'doctor', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env }).catch((failed: { stdout: string }) => failed)
  return JSON.parse(stdout) as Found // what it prints is compared below
}
const inDashboard = () => live.server.call(api.examineInstallation, {})

test.each([
  ['in the dashboard', inDashboard],
  ['on the terminal', onTerminal],
])('SHIP-012 ports are tried from the first node whose agent can: %s', async (_, examine) => {
  expect(ofPorts(await examine())).toEqual([{ finding: 'portsNoNode', values: {} }])
  await live.connectedNode({ generation: '2.1' })
  const { agent, node } = await live.connectedNode()
  agent.closedPorts.set(8443, 'connect ECONNREFUSED')
  expect(ofPorts(await examine())).toEqual([
    { finding: 'portClosed', values: { node: node.name, host: '127.0.0.1', port: 8443, reason: 'connect ECONNREFUSED' } },
    { finding: 'portOpen', values: { node: node.name, host: 'localhost', port: 443 } },
  ])
})

test('SHIP-012 nodes are not named to those that may not see them', async () => {
  const { node } = await live.connectedNode()
  const { token } = await live.server.call(api.createLimitedApiToken, { tokenName: 'monitor', permissions: ['settings.read'] })
  const reply = await live.server.send('GET', '/api/x/doctor', undefined, { authorization: `Bearer ${token}` })
  expect(reply.status).toBe(200)
  expect(JSON.stringify(reply.body)).not.toContain(node.name)
  expect(JSON.stringify(reply.body)).not.toContain('"check":"ports"')
})
