import {
  getNode,
  getNodeJoin,
  getNodePublicKey,
  getNodeUpdates,
  listConfigProfiles,
  listInfraProviders,
  listNodes,
  listNodesRealtimeUsage,
  listNodeTags,
  getUsageHistory,
  makeJoinCode,
  planChange,
  revokeNodeCertificate,
  type NodeJoin,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleConfigProfile, sampleJoin, sampleNode, samplePlan } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

const node = sampleNode({ name: 'Warsaw', address: 'warsaw.example.com', port: 2222 })
const other = sampleNode({ uuid: '00000000-0000-4000-8000-000000000777', name: 'Oslo', viewPosition: 2 })
const address = `/dashboard/management/nodes?join=${node.uuid}`
const url = 'https://panel.example/join/CODE'
const lines = {
  curl: `curl -fsSL ${url} | sudo sh`,
  wget: `wget -qO- ${url} | sudo sh`,
  proxy: `curl -fsSL ${url} | sudo http_proxy="$http_proxy" sh`,
}
const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString()

type Join = NonNullable<NodeJoin['join']>
function joinAt(steps: Partial<Join['steps']>, more: Partial<Join> = {}): NodeJoin {
  const none = { fetched: null, downloaded: null, signed: null, installed: null, reached: null, started: null, serving: null }
  return sampleJoin({
    join: {
      madeAt: at(0),
      expiresAt: at(3600),
      isCalling: false,
      steps: { ...none, ...steps },
      failure: null,
      unreached: null,
      ...more,
    },
  })
}
const signed = { fetched: at(1), downloaded: at(5), signed: at(6) }

beforeEach(() => {
  answer(listNodeTags, () => ({ tags: [] }))
  answer(listInfraProviders, () => ({ total: 0, providers: [] }))
  answer(listNodesRealtimeUsage, () => [])
  answer(getNodeUpdates, () => ({
    carried: { agent: '0.2.0', core: '26.3.27', geo: null, processors: [] },
    nodes: [],
    last: null,
  }))
  answer(getUsageHistory, () => ({ timeZone: 'UTC', step: 'hour' as const, starts: [], nodes: [], usersOnline: [] }))
  answer(getNodePublicKey, () => ({ pubKey: 'key' }))
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile()] }))
  answer(planChange, () => samplePlan())
  answer(listNodes, () => [node, other])
  answer(getNode, () => node)
  answer(makeJoinCode, () => ({ code: 'CODE', url, lines, expiresAt: at(3600) }))
})

const dialog = () => page.getByRole('dialog', { name: 'Let a machine join' })

it('JOIN-006 the dialog shows the line once it is made, for curl, wget and a proxy, and follows the steps with their times', async () => {
  let state = sampleJoin()
  answer(getNodeJoin, () => state)
  await showPage(address)
  await expect.element(dialog().getByText('as "Warsaw" on port 2222')).toBeVisible()
  expect(requests(makeJoinCode)).toEqual([])
  await dialog().getByRole('button', { name: 'Make the line' }).click()
  await expect.element(dialog().getByText(lines.curl)).toBeVisible()
  expect(requests(makeJoinCode)).toEqual([{ uuid: node.uuid, isCalling: false }])
  await dialog().getByText('wget', { exact: true }).click()
  await expect.element(dialog().getByText(lines.wget)).toBeVisible()
  await dialog().getByText('Behind a proxy').click()
  await expect.element(dialog().getByText(lines.proxy)).toBeVisible()

  const steps = () =>
    dialog()
      .getByRole('list', { name: 'Steps of joining' })
      .getByRole('listitem')
      .elements()
      .map((row) => [row.textContent, row.dataset['state']])
  state = joinAt(signed)
  await expect
    .poll(() => steps().map(([, kind]) => kind), { timeout: 5000 })
    .toEqual(['done', 'done', 'done', 'next', 'later', 'later', 'later'])
  expect(steps()[1]?.[0]).toMatch(/^Files downloaded and checked\d+:\d\d:05/)
  state = joinAt({ ...signed, installed: at(9), reached: at(10), started: at(11), serving: at(12) })
  await expect.poll(() => steps().map(([, kind]) => kind), { timeout: 5000 }).toEqual(Array(7).fill('done'))
  expect(steps()[6]?.[0]).toMatch(/^First user synchronized/)
})

it.each<[string, Partial<Join>, string, string]>([
  ['a closed port', { unreached: 'closed' }, 'a firewall keeps the panel out', 'sudo ufw allow 2222/tcp'],
  ['an agent that does not run', { unreached: 'refused' }, 'refuses connections on port 2222', 'sudo causeway-node doctor'],
  [
    'a refused certificate',
    { unreached: 'certificate' },
    'a certificate that does not count for this node',
    'sudo causeway-node doctor',
  ],
  ['another program', { unreached: 'otherProgram' }, 'Another program, not the agent', 'sudo ss -ltnp "sport = :2222"'],
  ['an agent that does not call', { unreached: 'notCalling' }, 'The agent has not called the panel.', 'sudo causeway-node logs'],
  ['a name without address', { unreached: 'name' }, 'leads to no address', 'getent hosts warsaw.example.com'],
  [
    'a service that does not run',
    { failure: { kind: 'notRunning', detail: null, at: at(9) } },
    'The service does not run.',
    'sudo causeway-node logs',
  ],
  [
    'a taken port',
    { failure: { kind: 'portTaken', detail: '2222 nginx', at: at(9) } },
    'Port 2222 is taken',
    'sudo ss -ltnp "sport = :2222"',
  ],
  [
    'a wrong clock',
    { failure: { kind: 'clock', detail: '7200', at: at(9) } },
    'The clock of the machine is wrong',
    'timedatectl',
  ],
  [
    'a full disk',
    { failure: { kind: 'diskFull', detail: '99 362', at: at(9) } },
    'The disk of the machine is too full',
    'df -h /opt',
  ],
])('JOIN-006 %s is told in words, with the command that shows more', async (_, more, words, command) => {
  answer(getNodeJoin, () => joinAt(signed, more))
  await showPage(address)
  const alert = dialog().getByRole('alert')
  await expect.element(alert.getByText(words)).toBeVisible()
  await expect.element(alert.getByText(command, { exact: true })).toBeVisible()
  await expect.element(alert.getByText(more.failure?.detail ?? words)).toBeVisible()
})

it('JOIN-006 what the server cannot reach says nothing before a machine has joined, or after it was reached', async () => {
  let state = joinAt({ fetched: at(1) }, { unreached: 'closed' })
  answer(getNodeJoin, () => state)
  const shown = await showPage(address)
  await expect.element(dialog().getByText('Script fetched')).toBeVisible()
  await expect.element(dialog().getByRole('alert')).not.toBeInTheDocument()
  await shown.unmount()
  state = joinAt({ ...signed, installed: at(9), reached: at(10) }, { unreached: 'closed' })
  await showPage(address)
  await expect.element(dialog().getByText('Core started')).toBeVisible()
  await expect.element(dialog().getByRole('alert')).not.toBeInTheDocument()
})

it('the dialog lets an agent call the panel, keeps what was chosen, and takes back a line that was made for the other way', async () => {
  answer(getNodeJoin, () => sampleJoin())
  const shown = await showPage(address, PHONE)
  const choice = () => dialog().getByRole('switch', { name: 'The panel cannot call this machine' })
  await expect.element(choice()).not.toBeChecked()
  await dialog().getByRole('button', { name: 'Make the line' }).click()
  await expect.element(dialog().getByText(lines.curl)).toBeVisible()
  await choice().click()
  await expect.element(dialog().getByText(lines.curl)).not.toBeInTheDocument()
  await dialog().getByRole('button', { name: 'Make the line' }).click()
  await expect.element(dialog().getByText(lines.curl)).toBeVisible()
  expect(requests(makeJoinCode).map(({ isCalling }) => isCalling)).toEqual([false, true])
  await shown.unmount()
  answer(getNodeJoin, () => joinAt({}, { isCalling: true }))
  await showPage(address)
  await expect.element(choice()).toBeChecked()
})

it('a panel without files for nodes makes no line, and says what makes them', async () => {
  answer(getNodeJoin, () => sampleJoin({ missing: ['x64', 'arm64'] }))
  await showPage(address, PHONE)
  await expect.element(dialog().getByText('npm run package')).toBeVisible()
  await expect.element(dialog().getByRole('button', { name: 'Make the line' })).toBeDisabled()
})

it('JOIN-008 a node says by what it is known, and JOIN-004 its certificate is revoked by one click and an answer', async () => {
  let state = sampleJoin()
  answer(getNodeJoin, () => state)
  const shown = await showPage(`/dashboard/management/nodes?edit=${node.uuid}`)
  const identity = page.getByRole('group', { name: 'Identity of the agent' })
  await expect.element(identity.getByText('Secret key: its certificate names no node.')).toBeVisible()
  await expect.element(identity.getByRole('button', { name: 'Revoke certificate' })).not.toBeInTheDocument()
  await shown.unmount()
  state = sampleJoin({ identity: { kind: 'ownKey', endsAt: '2029-03-04T00:00:00.000Z', isCalling: true } })
  answer(revokeNodeCertificate, () => {
    state = sampleJoin({ identity: { kind: 'revoked', endsAt: null, isCalling: false } })
    return { revoked: 1 }
  })
  await showPage(`/dashboard/management/nodes?edit=${node.uuid}`)
  await expect
    .element(identity.getByText(/Own key, made on the machine. Certificate until .*2029.*The agent calls the panel\./))
    .toBeVisible()
  await identity.getByRole('button', { name: 'Revoke certificate' }).click()
  await page
    .getByRole('dialog', { name: 'Revoke the certificate of Warsaw?' })
    .getByRole('button', { name: 'Revoke certificate' })
    .click()
  await expect.element(identity.getByText('Certificate revoked: let a machine join anew.')).toBeVisible()
  expect(requests(revokeNodeCertificate)).toEqual([{ uuid: node.uuid }])
})

it('JOIN-012 deleting a node offers the line that removes it from its machine', async () => {
  await showPage(`/dashboard/management/nodes?edit=${node.uuid}`)
  await page.getByRole('dialog', { name: 'Edit node' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.element(page.getByRole('dialog', { name: /Delete/ }).getByText('sudo causeway-node uninstall')).toBeVisible()
})
