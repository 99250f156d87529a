import {
  createNode,
  getNodeJoin,
  getUsageHistory,
  listConfigProfiles,
  listNodes,
  listNodesRealtimeUsage,
  reorderNodes,
  restartNode,
  updateNode,
  getNode,
  type Node,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleInbound, sampleJoin, sampleNode, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const NODES = '/dashboard/management/nodes'
const REFUSED =
  'oslo.example.com:2222 refused the connection (ECONNREFUSED). Check that the agent runs there and listens on this port.'

const named = (number: number, name: string, countryCode: string, given: Partial<Node> = {}) =>
  sampleNode({
    uuid: uuid(400 + number),
    name,
    address: `${countryCode}.example.com`,
    countryCode,
    viewPosition: number,
    ...given,
  })
const away = {
  address: 'oslo.example.com',
  port: 2222,
  isConnected: false,
  isNodeOnline: false,
  isXrayRunning: false,
  lastStatusMessage: REFUSED,
}
const fleet = [
  named(1, 'Warsaw', 'PL'),
  named(2, 'Cracow', 'PL', { isConnected: false, isDisabled: true }),
  named(3, 'Oslo', 'NO', { ...away, lastStatusChange: new Date(Date.now() - 2.1 * 3_600_000).toISOString() }),
]
const row = (name: string) => page.getByRole('main').getByRole('listitem').filter({ hasText: name })
const names = () =>
  page
    .getByRole('list', { name: 'Nodes' })
    .getByRole('checkbox')
    .elements()
    .map((one) => one.getAttribute('aria-label'))

beforeEach(() => {
  localStorage.removeItem('nodes-view')
  answerSmallPanel()
  answer(listNodes, () => fleet)
})

it('a row shows what went through the node in a day and what goes through it now', async () => {
  const starts = Array.from({ length: 24 }, (_, hour) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString())
  const bytes = starts.map((_, hour) => (hour === 23 ? 0 : hour * 1e9))
  answer(getUsageHistory, () => ({
    timeZone: 'UTC',
    step: 'hour' as const,
    starts,
    nodes: [{ uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', bytes }],
    usersOnline: starts.map(() => null),
  }))
  const speeds = { downloadSpeedBps: 2 * 1024 ** 2, uploadSpeedBps: 1024 ** 2, totalSpeedBps: 3 * 1024 ** 2 }
  const moved = { downloadBytes: 2, uploadBytes: 1, totalBytes: 3 }
  answer(listNodesRealtimeUsage, () => [{ nodeUuid: uuid(401), nodeName: 'Warsaw', countryCode: 'PL', ...moved, ...speeds }])
  await showPage(NODES)
  const line = row('Warsaw').getByRole('img', { name: 'Traffic by the hour over the last day; now 3.00 MiB/s' })
  await expect.element(line).toBeVisible()
  await expect.element(row('Warsaw').getByText('3.00 MiB/s')).toBeVisible()
  // The running hour is left out: the line ends as high as it gets, though nothing has moved in that hour yet.
  const path = line.element().querySelector('path:last-child')?.getAttribute('d') ?? ''
  const heights = [...path.matchAll(/[ML][\d.]+ ([\d.]+)/g)].map((point) => Number(point[1]))
  expect(heights.length).toBe(23)
  expect(heights.at(-1)).toBe(Math.min(...heights))
})

it('a row says why a node is away and since when', async () => {
  await showPage(NODES)
  const why = row('Oslo').getByTitle(REFUSED)
  await expect.element(why).toBeVisible()
  // The address stands in the row already.
  await expect
    .element(why)
    .toMatchTextContent(/^Refused the connection \(ECONNREFUSED\)\. Check that the agent runs there and listens on this port\.$/)
  await expect.element(row('Oslo').getByText('offline')).toBeVisible()
  await expect.element(row('Oslo').getByText('2 hr. ago')).toBeVisible()
  await expect.element(row('Warsaw').getByText('offline')).not.toBeInTheDocument()
})

it('on a phone the reason is read whole, in the reader’s language, and its card makes room for it', async () => {
  await showPage(NODES, { language: 'fa', ...PHONE })
  const reason = row('Oslo').getByText(/اتصال را نپذیرفت/)
  await expect.element(reason).toBeVisible()
  expect(reason.element().scrollHeight).toBeLessThanOrEqual(reason.element().clientHeight)
  await expect
    .poll(() => row('Oslo').element().getBoundingClientRect().bottom - reason.element().getBoundingClientRect().bottom)
    .toBeGreaterThan(8)
  expect(row('Warsaw').element().getBoundingClientRect().height).toBe(169)
})

it('nodes are filtered by state and country, which stand in the address; what is filtered is not moved', async () => {
  const screen = await showPage(`${NODES}?state=disconnected`)
  await expect.poll(names).toEqual(['Select Oslo'])
  await expect.element(page.getByText('1 of 3')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Move Oslo' })).not.toBeInTheDocument()
  await expect.element(row('Oslo').getByRole('img', { name: /^The order covers all nodes/ })).toBeVisible()

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(names).toEqual(['Select Oslo', 'Select Warsaw', 'Select Cracow'])
  await expect.poll(screen.address).toBe(NODES)
  await page.getByRole('combobox', { name: 'Country' }).click()
  await page.getByRole('option', { name: 'Poland (2)' }).click()
  await expect.poll(screen.address).toBe(`${NODES}?country=PL`)
  await page.getByRole('combobox', { name: 'State' }).click()
  await page.getByRole('option', { name: 'Disabled (1)' }).click()
  await expect.poll(names).toEqual(['Select Cracow'])
  await expect.poll(screen.address).toContain('state=disabled')

  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('searchbox', { name: 'Name, address, provider or tag' }).fill('cRAc')
  await expect.poll(names).toEqual(['Select Cracow'])
  await expect.poll(screen.address).toBe(`${NODES}?search=cRAc`)

  screen.go(`${NODES}?country=NO&state=connected`)
  await expect.element(page.getByText('Nothing matches these filters')).toBeVisible()
  await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).click()
  await expect.poll(names).toHaveLength(3)
})

it('NODE-008 one that is down comes first and keeps its place in the order; others are moved as they are shown', async () => {
  const [warsaw, cracow, oslo] = fleet
  if (!warsaw || !cracow || !oslo) throw new Error('three nodes are given')
  let order = [warsaw, oslo, cracow]
  answer(listNodes, () => order)
  answer(reorderNodes, ({ nodes: places }) => {
    const placeOf = ({ uuid: id }: Node) => places.find((one) => one.uuid === id)?.viewPosition ?? 0
    return (order = order.toSorted((one, other) => placeOf(one) - placeOf(other)))
  })
  await showPage(NODES)
  await expect.poll(names).toEqual(['Select Oslo', 'Select Warsaw', 'Select Cracow'])
  await expect
    .element(row('Oslo').getByRole('img', { name: 'Nodes that are down come first and keep their place in the order' }))
    .toBeVisible()
  const handle = page.getByRole('button', { name: 'Move Cracow' })
  handle.element().focus()
  await userEvent.keyboard(' ')
  await userEvent.keyboard('{ArrowUp}')
  await userEvent.keyboard(' ')
  await expect
    .poll(() =>
      requests(reorderNodes)
        .at(-1)
        ?.nodes.map(({ uuid: id }) => id),
    )
    .toEqual([cracow.uuid, oslo.uuid, warsaw.uuid])
})

it('a node that was just made is scrolled to', async () => {
  const many = Array.from({ length: 40 }, (_, place) =>
    sampleNode({ uuid: uuid(800 + place), name: `node-${place}`, viewPosition: place }),
  )
  const made = sampleNode({
    uuid: uuid(899),
    name: 'made-last',
    viewPosition: 99,
    xrayVersion: null,
    nodeVersion: null,
    isConnected: false,
    isNodeOnline: false,
  })
  let isMade = false
  answer(listNodes, () => (isMade ? [...many, made] : many))
  answer(createNode, () => {
    isMade = true
    return made
  })
  answer(getNode, () => made)
  answer(getNodeJoin, () => sampleJoin())
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds: [sampleInbound()] })] }))
  await showPage(`${NODES}?create=first`, { width: 1440, height: 900 })
  const dialog = page.getByRole('dialog', { name: 'New node' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('made-last')
  await dialog.getByRole('textbox', { name: 'Address' }).fill('made.example')
  await dialog.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const joining = page.getByRole('dialog', { name: 'Let a machine join' })
  await expect.element(joining.getByText('as "made-last" on port')).toBeVisible()
  await joining.getByRole('button', { name: 'Close' }).click()
  await expect.element(joining).not.toBeInTheDocument()
  await expect.element(row('made-last')).toBeInViewport({ ratio: 1 })
})

it('several nodes are restarted from one dialog, which says what became of each and tries again what failed', async () => {
  answer(restartNode, ({ uuid: id }) => {
    if (id === uuid(403)) throw new TypeError('Failed to fetch')
    return { eventSent: true }
  })
  await showPage(NODES)
  await page.getByRole('checkbox', { name: 'Select all nodes shown' }).click()
  const bar = page.getByRole('region', { name: 'Selected nodes' })
  await expect.element(bar.getByRole('status')).toHaveTextContent('3 nodes selected')
  await bar.getByRole('button', { name: 'Restart' }).click()
  // The one that is switched off is not among them.
  const dialog = page.getByRole('dialog', { name: 'Restart 2 nodes?' })
  await expect.element(dialog.getByText('Warsaw')).toBeVisible()
  await expect.element(dialog.getByText('Cracow')).not.toBeInTheDocument()
  expect(requests(restartNode)).toEqual([])

  await dialog.getByRole('button', { name: 'Restart' }).click()
  await expect.element(dialog.getByRole('status')).toHaveTextContent('1 of 2 done. 1 failed.')
  const entry = (name: string) => dialog.getByRole('listitem').filter({ hasText: name })
  await expect.element(entry('Warsaw').getByRole('img', { name: 'Done' })).toBeVisible()
  await expect.element(entry('Oslo').getByRole('img', { name: 'Failed' })).toBeVisible()
  await expect.element(entry('Oslo')).toMatchTextContent('Request failed with unknown error.')

  refuse(restartNode, { status: 400, message: 'The node is disabled. Enable it instead of restarting it.' })
  await dialog.getByRole('button', { name: 'Retry failed' }).click()
  await expect.element(entry('Oslo')).toMatchTextContent('The node is disabled. Enable it instead of restarting it.')
  answer(restartNode, () => ({ eventSent: true }))
  await dialog.getByRole('button', { name: 'Retry failed' }).click()
  await expect.element(dialog.getByRole('status')).toHaveTextContent('2 of 2 done.')
  expect(requests(restartNode).map((asked) => asked.uuid)).toEqual([uuid(401), uuid(403), uuid(403), uuid(403)])
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(dialog).not.toBeInTheDocument()
})

it('what is selected and not shown is told', async () => {
  const screen = await showPage(NODES)
  await page.getByRole('checkbox', { name: 'Select Warsaw' }).click()
  await page.getByRole('checkbox', { name: 'Select Oslo' }).click()
  screen.go(`${NODES}?country=NO`)
  await expect
    .element(page.getByRole('region', { name: 'Selected nodes' }).getByRole('status'))
    .toHaveTextContent('2 nodes selected (1 not shown by the filter)')
})

it('NODE-020 rows are 64 px high, or 44 px where somebody wants it dense, and stay so', async () => {
  await showPage(NODES)
  const height = () => row('Oslo').query()?.getBoundingClientRect().height
  await expect.poll(height).toBe(64)
  await page.getByText('Compact').click()
  await expect.poll(height).toBe(44)
  for (const name of ['Warsaw', 'Cracow', 'Oslo']) {
    const [outer, ...inner] = [row(name).element(), ...row(name).element().children].map((one) => one.getBoundingClientRect())
    for (const box of inner) expect(box.height).toBeLessThanOrEqual(outer?.height ?? 0)
  }
  await showPage(NODES)
  await expect.poll(height).toBe(44)
})

it('NODE-069 the traffic limit is none at first, and typed in GiB', async () => {
  await showPage(`${NODES}?create=new`)
  const dialog = page.getByRole('dialog', { name: 'New node' })
  await dialog.getByRole('switch', { name: 'Track traffic' }).click()
  await expect.element(dialog.getByLabelText('Traffic limit')).toHaveValue('0')

  const node = { ...fleet[0]!, isTrafficTrackingActive: true }
  answer(getNode, () => node)
  answer(updateNode, () => node)
  await showPage(`${NODES}?edit=${node.uuid}`)
  const edit = page.getByRole('dialog', { name: 'Edit node' })
  await edit.getByLabelText('Traffic limit').fill('2,5')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateNode)).toEqual([{ uuid: node.uuid, trafficLimitBytes: 2.5 * 1024 ** 3 }])
})

it.each([
  ['NODE-068', 'Port', '65536', 'Must be from 1 to 65535.'],
  ['NODE-069', 'Traffic limit', '1e3', '“1e3” is not a number.'],
  ['NODE-070', 'Reset day', '32', 'Must be from 1 to 31.'],
  ['NODE-070', 'Reset day', '', 'Enter a number.'],
  ['NODE-071', 'Notify at', '101', 'Must be from 0 to 100.'],
])('%s %s “%s” stays as it was typed and is not sent: %s', async (_, field, text, sentence) => {
  const node = { ...fleet[0]!, isTrafficTrackingActive: true }
  answer(getNode, () => node)
  await showPage(`${NODES}?edit=${node.uuid}`)
  const edit = page.getByRole('dialog', { name: 'Edit node' })
  await edit.getByLabelText(field).fill(text)
  await userEvent.keyboard('{Enter}')
  await expect.element(edit.getByText(sentence)).toBeVisible()
  await expect.element(edit.getByLabelText(field)).toHaveValue(text)
  expect(requests(updateNode)).toEqual([])
})
