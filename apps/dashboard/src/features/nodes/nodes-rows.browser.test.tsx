import { listNodes } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer } from '../../../test/fake-api.ts'
import { sampleNode, sampleProvider, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const NODES = '/dashboard/management/nodes'
const ROW_HEIGHT = 64
const list = page.getByRole('list', { name: 'Nodes' })
const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })

beforeEach(() => {
  localStorage.removeItem('nodes-view')
  answerSmallPanel()
})

it('NODE-020 NODE-022 only the rows in view exist, 64 px high, and seven more on either side', async () => {
  const nodes = Array.from({ length: 40 }, (_, index) =>
    sampleNode({ uuid: uuid(400 + index), name: `node-${index}`, viewPosition: index }),
  )
  answer(listNodes, () => nodes)
  await showPage(NODES, { width: 1440, height: 480 })
  await expect.element(row('node-0').first()).toBeVisible()
  const whole = list.element()
  expect(whole.clientHeight).toBe(nodes.length * ROW_HEIGHT)
  window.scrollTo(0, window.scrollY + whole.getBoundingClientRect().top + ROW_HEIGHT * 8 + 20)
  const outside = () => {
    const boxes = [...whole.querySelectorAll('li')].map((item) => item.getBoundingClientRect())
    return {
      above: boxes.filter(({ bottom }) => bottom <= 0).length,
      below: boxes.filter(({ top }) => top >= window.innerHeight).length,
      heights: [...new Set(boxes.map(({ height }) => height))],
    }
  }
  await expect.poll(outside).toEqual({ above: 7, below: 7, heights: [ROW_HEIGHT] })
})

it('NODE-021 a row on a phone is no higher than 169 px with all that a working node shows', async () => {
  const provider = { ...sampleProvider(), faviconLink: null }
  const full = { usersOnline: 1234, provider, providerUuid: provider.uuid, trafficUsedBytes: 5_000_000_000 }
  answer(listNodes, () => [
    sampleNode({ ...full, uuid: uuid(401), name: 'counted', isTrafficTrackingActive: true, trafficLimitBytes: 9_000_000_000 }),
    sampleNode({ ...full, uuid: uuid(402), name: 'not-counted', viewPosition: 2 }),
  ])
  await showPage(NODES, PHONE)
  for (const name of ['counted', 'not-counted']) {
    await expect.element(row(name).first()).toBeVisible()
    await expect.poll(() => row(name).first().element().getBoundingClientRect().height).toBeLessThanOrEqual(169)
  }
})

const REASON = 'Refused the connection (ECONNREFUSED). Check that the agent runs there and listens on this port.'

it.each(['en', 'ru', 'fa', 'zh'] as const)('NODE-021 nor is one that says why it is down, in %s', async (language) => {
  const provider = { ...sampleProvider(), faviconLink: null }
  const down = {
    ...away,
    provider,
    providerUuid: provider.uuid,
    isTrafficTrackingActive: true,
    lastStatusChange: new Date().toISOString(),
    lastStatusMessage: `warsaw-1.nodes.example.com:8443 ${REASON}`,
    address: 'warsaw-1.nodes.example.com',
    port: 8443,
  }
  answer(listNodes, () => [
    sampleNode({ ...down, uuid: uuid(401), name: 'down' }),
    sampleNode({ ...down, uuid: uuid(402), name: 'wordy', viewPosition: 2, lastStatusMessage: `${REASON} `.repeat(4) }),
    sampleNode({ uuid: uuid(403), name: 'alive', viewPosition: 3 }),
  ])
  await showPage(NODES, { ...PHONE, language })
  for (const name of ['down', 'wordy', 'alive']) {
    const card = page.getByRole('listitem').filter({ hasText: name }).last()
    await expect.element(card).toBeVisible()
    await expect.poll(() => card.element().getBoundingClientRect().height).toBeLessThanOrEqual(169)
  }
})

const known = { usersOnline: 1234, xrayVersion: '25.8.3', nodeVersion: '2.1.4', xrayUptime: '90061' }
const away = { ...known, isConnected: false, isNodeOnline: false, usersOnline: 7 }
const states = [
  { name: 'is-connected', ...known },
  { name: 'has-no-core', ...known, xrayUptime: '0', warning: 'Somebody else clears the counters' },
  { name: 'is-connecting', ...away, isConnecting: true },
  { name: 'is-disabled', ...away, isDisabled: true },
  { name: 'is-disconnected', ...away },
  { name: 'is-new', ...away, xrayVersion: null, nodeVersion: null },
]

it.each([
  ['NODE-048', 'is-connected', 'Connected', 'bolt', 'rgb(56, 217, 169)'],
  ['NODE-050', 'is-connecting', 'Connecting', 'loader-2', 'rgb(252, 196, 25)'],
  ['NODE-051', 'is-disabled', 'Disabled', 'circle-off', 'rgb(173, 181, 189)'],
  ['NODE-052', 'is-disconnected', 'Disconnected', 'plug-connected-x', 'rgb(255, 107, 107)'],
])('%s NODE-011 a row that %s shows it in colour, sign and word', async (_, name, word, sign, colour) => {
  answer(listNodes, () => states.map((state, index) => sampleNode({ uuid: uuid(400 + index), viewPosition: index, ...state })))
  await showPage(NODES)
  const badge = row(name).getByText(word, { exact: true })
  await expect.element(badge).toBeVisible()
  expect(getComputedStyle(badge.element()).color).toBe(colour)
  const icon = badge.element().querySelector(`svg.tabler-icon-${sign}`)
  if (!icon) throw new Error(`${word} has its sign`)
  expect(getComputedStyle(icon).color).toBe(colour)
  expect(getComputedStyle(icon).animationName).toMatch(word === 'Connected' ? /pulse/ : /^none$/)
  expect(
    row(name)
      .getByRole('img', { name: /online/ })
      .elements(),
  ).toHaveLength(word === 'Connected' ? 1 : 0)
})

it('NODE-012 NODE-018 NODE-049 NODE-053 NODE-054 who is online, for how long, with which versions, and what is offline is said so', async () => {
  answer(listNodes, () => states.map((state, index) => sampleNode({ uuid: uuid(400 + index), viewPosition: index, ...state })))
  await showPage(NODES)
  const alive = row('is-connected')
  await expect.element(alive.getByRole('img', { name: '1,234 users online' })).toMatchTextContent('1,234')
  await expect.element(alive).toMatchTextContent('1d 1h')
  await expect.element(alive).toMatchTextContent('Xray 25.8.3 · 2.1.4')
  await expect.element(row('has-no-core').getByRole('img', { name: 'Somebody else clears the counters' })).toBeVisible()
  for (const { width, height } of [{ width: 1440, height: 900 }, PHONE]) {
    await page.viewport(width, height)
    await expect.element(row('is-connecting')).toMatchTextContent('offline')
    // One that is connected is not offline as well, whatever is known of its core.
    await expect.element(row('has-no-core')).not.toMatchTextContent('offline')
    await expect.element(alive).not.toMatchTextContent('offline')
    // Nor is one that waits for its first agent.
    await expect.element(row('is-new')).toMatchTextContent('Waiting for its agent')
    await expect.element(row('is-new')).not.toMatchTextContent('offline')
    await expect.element(row('is-connecting')).not.toMatchTextContent('1d 1h')
  }
})
