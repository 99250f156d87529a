import {
  bulkUpdateNodes,
  createNodePlugin,
  executeNodePlugin,
  getNodePlugin,
  getTorrentStats,
  listNodePlugins,
  listNodes,
  listSharedLists,
  listTorrentReports,
  createSharedList,
  previewNodePlugin,
  updateNodePlugin,
  type NodePlugin,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleNode, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const PLUGINS = '/dashboard/nodes/plugins'
const TORRENTS = '/dashboard/nodes/torrents'
const dialog = page.getByRole('dialog')
const save = dialog.getByRole('button', { name: 'Save' })
const NO_RIGHT = 'The agent may not change nftables: it needs CAP_NET_ADMIN.'

const wall: NodePlugin = {
  uuid: uuid(901),
  viewPosition: 1,
  name: 'Wall',
  pluginConfig: {
    ingressFilter: { enabled: true, blockedIps: ['198.51.100.0/24'] },
    preStart: { enabled: true, cleanupSockets: { enabled: true, files: ['/run/a.sock'] } },
  },
  nodes: [
    { uuid: uuid(1), name: 'Amsterdam', countryCode: 'NL', filtersAt: '2026-11-27T07:00:00.000Z', problem: null },
    { uuid: uuid(2), name: 'Berlin', countryCode: 'DE', filtersAt: '2026-11-27T07:00:00.000Z', problem: NO_RIGHT },
  ],
}

beforeEach(() => {
  answer(listNodePlugins, () => ({ total: 1, nodePlugins: [wall] }))
  answer(getNodePlugin, () => wall)
  answer(listSharedLists, () => ({ total: 1, sharedLists: [{ name: 'ads', type: 'ipList', itemsCount: 1200 }] }))
  answer(listNodes, () => [sampleNode({ uuid: uuid(1), name: 'Amsterdam' }), sampleNode({ uuid: uuid(3), name: 'Riga' })])
})

it('PLUG-004 a plugin shows what it does, and which of its nodes does not filter and why', async () => {
  await showPage(PLUGINS)
  const card = page.getByRole('listitem').filter({ hasText: 'Wall' })
  await expect.element(card.getByText('Filter incoming')).toBeVisible()
  const nodes = page.getByRole('list', { name: 'Nodes', exact: true })
  await expect.element(nodes.getByRole('listitem').filter({ hasText: 'Amsterdam' })).toMatchTextContent('applied')
  await expect.element(nodes.getByRole('listitem').filter({ hasText: 'Berlin' })).toMatchTextContent('CAP_NET_ADMIN')
  await expect.element(page.getByText('ext:ads')).toBeVisible()
  expect(await violations()).toEqual([])
})

it('PLUG-003 a filter is edited as a form, compared with who is connected, and saved with what the form does not show', async () => {
  answer(previewNodePlugin, () => ({
    blocked: [
      { ip: '192.0.2.7', network: '192.0.2.0/24', username: 'ann', userUuid: uuid(5), isConnected: true, nodes: ['Amsterdam'] },
    ],
    total: 1,
    nodesRead: 1,
    nodesUnread: 1,
  }))
  answer(updateNodePlugin, () => wall)
  await showPage(PLUGINS)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const networks = dialog.getByRole('textbox', { name: 'Networks blocked' })
  await expect.element(networks).toHaveValue('198.51.100.0/24')
  await networks.click()
  await userEvent.keyboard('{End}{Enter}192.0.2.0/24')
  await dialog.getByRole('tab', { name: 'Who is blocked' }).click()
  await dialog.getByRole('button', { name: 'Compare now' }).click()
  await expect.element(dialog.getByText('1 address would be blocked.')).toBeVisible()
  await expect.element(dialog.getByText('1 node could not say who is connected.')).toBeVisible()
  await expect.element(dialog.getByText('192.0.2.7 ∈ 192.0.2.0/24')).toBeVisible()
  await save.click()
  const blockedIps = ['198.51.100.0/24', '192.0.2.0/24']
  await expect
    .poll(() => requests(updateNodePlugin))
    .toEqual([{ uuid: wall.uuid, pluginConfig: { ...wall.pluginConfig, ingressFilter: { enabled: true, blockedIps } } }])
})

it('the same as JSON: a mistake is named with its place, and nothing is saved', async () => {
  answer(updateNodePlugin, () => wall)
  await showPage(`${PLUGINS}?edit=${wall.uuid}`)
  await dialog.getByRole('tab', { name: 'JSON' }).click()
  const text = dialog.getByRole('textbox', { name: 'JSON' })
  await text.fill('{"torrentBlocker":{"enabled":true}}')
  await expect.element(dialog.getByText(/torrentBlocker\.blockDuration/)).toBeVisible()
  await expect.element(save).toBeDisabled()
  await text.fill('{"torrentBlocker":{"enabled":true,"blockDuration":60}}')
  await save.click()
  await expect
    .poll(() => requests(updateNodePlugin))
    .toEqual([{ uuid: wall.uuid, pluginConfig: { torrentBlocker: { enabled: true, blockDuration: 60 } } }])
})

it('a refusal of the server is shown with its sentence, and the form keeps what was entered', async () => {
  refuse(updateNodePlugin, {
    status: 400,
    code: 'A222',
    message: 'ingressFilter.blockedIps: 0.0.0.0/0 would lock out 127.0.0.1.',
  })
  await showPage(`${PLUGINS}?edit=${wall.uuid}`)
  await dialog.getByRole('textbox', { name: 'Networks blocked' }).fill('0.0.0.0/0')
  await save.click()
  await expect.element(page.getByText(/would lock out 127\.0\.0\.1/)).toBeVisible()
  await expect.element(dialog.getByRole('textbox', { name: 'Networks blocked' })).toHaveValue('0.0.0.0/0')
})

it('a plugin is created, a list too, and nodes are chosen', async () => {
  answer(createNodePlugin, ({ name }) => ({ ...wall, name, pluginConfig: null, nodes: [] }))
  answer(createSharedList, (list) => list)
  answer(bulkUpdateNodes, () => ({ eventSent: true }))
  await showPage(PLUGINS)
  await page.getByRole('button', { name: 'Create plugin' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Gate')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect.poll(() => requests(createNodePlugin)).toEqual([{ name: 'Gate' }])
  await userEvent.keyboard('{Escape}')
  await page.getByRole('button', { name: 'Create list' }).click()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('bots')
  await dialog.getByRole('textbox', { name: 'Networks' }).fill('192.0.2.1, 192.0.2.2')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const config = { type: 'ipList', items: ['192.0.2.1', '192.0.2.2'] }
  await expect.poll(() => requests(createSharedList)).toEqual([{ name: 'bots', config }])
  await page.getByRole('button', { name: 'Nodes…' }).click()
  await dialog.getByRole('combobox', { name: 'Nodes' }).click()
  await page.getByRole('option', { name: 'Riga' }).click()
  await userEvent.keyboard('{Tab}')
  await save.click()
  await expect.poll(() => requests(bulkUpdateNodes)).toEqual([{ uuids: [uuid(3)], fields: { activePluginUuid: wall.uuid } }])
})

const match = {
  email: 'ann',
  level: 0,
  protocol: 'bittorrent',
  network: 'tcp',
  source: null,
  destination: 'tracker.example:6881',
}
const more = {
  routeTarget: null,
  originalTarget: null,
  inboundTag: 'A',
  inboundName: null,
  inboundLocal: null,
  outboundTag: null,
  ts: 1,
}
const report = {
  id: 7,
  userId: 3,
  nodeId: 1,
  user: { uuid: uuid(5), username: 'ann' },
  node: { uuid: uuid(1), name: 'Amsterdam', countryCode: 'NL' },
  report: {
    actionReport: {
      blocked: true,
      ip: '198.51.100.4',
      blockDuration: 0,
      willUnblockAt: '2099-01-01T00:00:00.000Z',
      userId: '3',
      processedAt: '2026-11-27T07:00:00.000Z',
    },
    xrayReport: { ...match, ...more },
  },
  createdAt: '2026-11-27T07:00:00.000Z',
}

function givenTorrents(): void {
  answer(listTorrentReports, () => ({ total: 1, records: [report] }))
  answer(getTorrentStats, () => ({
    stats: { distinctNodes: 1, distinctUsers: 1, totalReports: 41, reportsLast24Hours: 4 },
    topUsers: [{ userId: 3, color: '#22d3ee', username: 'ann', total: 41 }],
    topNodes: [{ uuid: uuid(1), countryCode: 'NL', color: '#22d3ee', name: 'Amsterdam', total: 41 }],
  }))
}

it('PLUG-002 torrents are counted and listed, and an address is released on the node that blocks it', async () => {
  givenTorrents()
  answer(executeNodePlugin, () => ({ eventSent: true }))
  await showPage(TORRENTS)
  await expect.element(page.getByText('tracker.example:6881')).toBeVisible()
  await expect.element(page.getByText('41 reports').first()).toBeVisible()
  await page.getByRole('button', { name: 'Release address' }).click()
  await expect
    .poll(() => requests(executeNodePlugin))
    .toEqual([
      {
        command: { command: 'unblockIps', ips: ['198.51.100.4'] },
        targetNodes: { target: 'specificNodes', nodeUuids: [uuid(1)] },
      },
    ])
  expect(await violations()).toEqual([])
})

it.each([
  ['plugins on a phone in Persian', PLUGINS, { ...PHONE, language: 'fa' }],
  ['torrents on a phone', TORRENTS, PHONE],
  ['torrents in Persian', TORRENTS, { language: 'fa' }],
] as const)('%s: nothing is wider than the screen', async (_, address, view) => {
  givenTorrents()
  await showPage(address, view)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
  expect(await violations()).toEqual([])
})
