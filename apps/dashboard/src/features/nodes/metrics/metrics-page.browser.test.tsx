import { getNode, listNodesTraffic, getNodeTopUsers } from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, disconnect, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleNode, uuid } from '../../../../test/samples.ts'
import { savedFiles } from '../../../../test/saved-files.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import type { NodeMetrics } from './metrics.rules.ts'

const PAGE = '/dashboard/management/metrics/nodes'
const MIB = 1024 ** 2
const warsaw: NodeMetrics = {
  uuid: uuid(401),
  name: 'Warsaw',
  countryCode: 'PL',
  providerName: 'Hoster',
  isConnected: true,
  isDisabled: false,
  usersOnline: 12,
  countedThroughAt: '2026-11-22T07:00:00.000Z',
  inbounds: [
    { tag: 'VLESS_REALITY', uploadBytes: 2 * MIB, downloadBytes: 3 * MIB },
    { tag: 'IDLE', uploadBytes: 0, downloadBytes: 0 },
  ],
  outbounds: [{ tag: 'DIRECT', uploadBytes: 5 * MIB, downloadBytes: 7 * MIB }],
}
const riga: NodeMetrics = {
  ...warsaw,
  uuid: uuid(402),
  name: 'Riga',
  countryCode: 'LV',
  providerName: null,
  usersOnline: 0,
  inbounds: [],
  outbounds: [],
}
const card = (name: string) => page.getByRole('article', { name })
const names = () =>
  page
    .getByRole('article')
    .elements()
    .map((one) => one.getAttribute('aria-label'))

beforeEach(() => {
  answerSmallPanel()
  answer(listNodesTraffic, () => ({ nodes: [warsaw, riga] }))
})

it('SHELL-028 NMET-001 NMET-002 NMET-004 NMET-005 NMET-006 NMET-010 NMET-011 an overview, and each node with what moved through it', async () => {
  await showPage(PAGE)
  const overview = page.getByLabelText('Overview of all nodes')
  await expect
    .element(overview)
    .toMatchTextContent(/Nodes\s*2.*Nodes with users\s*1.*Users online\s*12.*Download\s*7\.00 MiB.*Upload\s*5\.00 MiB/)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect.element(crumbs).toMatchTextContent(/Dashboard\s*\/\s*Nodes\s*\/\s*Nodes metrics/)
  await expect.element(card('Warsaw')).toMatchTextContent(/🇵🇱Warsaw.*Hoster.*12/)
  await expect.element(card('Warsaw').getByRole('img', { name: '12 users online' })).toBeVisible()
  const inbounds = card('Warsaw').getByRole('table', { name: 'Inbounds' }).getByRole('row')
  expect(inbounds.elements().map((row) => row.textContent)).toEqual([
    'TagUploadDownload',
    'VLESS_REALITY2.00 MiB3.00 MiB',
    'IDLE0 B0 B',
  ])
  const outbounds = card('Warsaw').getByRole('table', { name: 'Outbounds' }).getByRole('row')
  expect(outbounds.elements().map((row) => row.textContent)).toEqual(['TagUploadDownload', 'DIRECT5.00 MiB7.00 MiB'])
  await expect.element(card('Riga')).toMatchTextContent(/No provider.*No inbound traffic data.*No outbound traffic data/)
  expect(await violations()).toEqual([])
})

it('NMET-008 the metrics are read every 30 seconds, with nothing said to the server', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true })
  try {
    await showPage(PAGE)
    await expect.element(card('Warsaw')).toBeVisible()
    expect(requests(listNodesTraffic)).toEqual([{}])
    await vi.advanceTimersByTimeAsync(25_000)
    expect(requests(listNodesTraffic)).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(6000)
    await expect.poll(() => requests(listNodesTraffic).length).toBe(2)
  } finally {
    vi.useRealTimers()
  }
})

it('NMET-009 without any figures the page says so', async () => {
  for (const nodes of [[], [riga]]) {
    answer(listNodesTraffic, () => ({ nodes }))
    await showPage(PAGE)
    await expect.element(page.getByText('No nodes metrics available')).toBeVisible()
  }
})

it('NMET-012 NODE-025 a node is edited from its card; one that is no more, or none that is looked for, is nothing found', async () => {
  answer(getNode, () => sampleNode())
  const screen = await showPage(PAGE)
  await card('Warsaw').getByRole('button', { name: 'Edit Warsaw' }).click()
  await expect
    .element(page.getByRole('dialog', { name: 'Edit node' }).getByRole('textbox', { name: 'Internal name' }))
    .toHaveValue('Warsaw')
  expect(screen.address()).toBe(`${PAGE}?edit=${uuid(401)}`)
  refuse(getNode, { status: 404, message: 'Node not found', code: 'A011' })
  await showPage(`${PAGE}?edit=${uuid(499)}`)
  await expect.element(page.getByRole('dialog').getByText('Nothing found')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('searchbox', { name: 'Search by name, provider or tag' }).fill('nowhere')
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  expect(names()).toEqual([])
})

it('nodes are found by a tag and put in order, which a link keeps', async () => {
  const screen = await showPage(PAGE)
  await page.getByRole('combobox', { name: 'Order' }).click()
  await page.getByRole('option', { name: 'By name' }).click()
  await expect.poll(names).toEqual(['Riga', 'Warsaw'])
  await page.getByRole('searchbox').fill('direct')
  await expect.poll(names).toEqual(['Warsaw'])
  await expect.poll(screen.address).toBe(`${PAGE}?sort=name&search=direct`)
})

it('a node that is away says of when its figures are, and so does the page when nothing can be read', async () => {
  const away = { ...warsaw, isConnected: false }
  const never = { ...riga, isConnected: false, countedThroughAt: null }
  const disabled = { ...warsaw, uuid: uuid(403), name: 'Oslo', isConnected: false, isDisabled: true }
  answer(listNodesTraffic, () => ({ nodes: [away, never, disabled] }))
  await showPage(PAGE)
  await expect.element(card('Warsaw')).toMatchTextContent(/Away\. Figures as of Nov 22, 2026/)
  await expect.element(card('Riga')).toMatchTextContent(/has not reported any figures yet/)
  await expect.element(card('Oslo')).toMatchTextContent(/Disabled\. Figures as of/)
  answer(listNodesTraffic, () => ({ nodes: [warsaw] }))
  await showPage(PAGE)
  await expect.element(card('Warsaw')).toBeVisible()
  expect(card('Warsaw').element().textContent).not.toContain('as of')
  disconnect(listNodesTraffic)
  await page.getByRole('button', { name: 'Refresh the metrics' }).click()
  await expect.element(card('Warsaw')).toMatchTextContent(/Figures as of Nov 22, 2026/)
})

it('between two reads a figure moves to the new one, never past it', async () => {
  await showPage(PAGE)
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value: 'no-preference' }] })
  try {
    const shown = () =>
      Number.parseFloat(card('Warsaw').getByRole('table', { name: 'Outbounds' }).getByRole('cell').first().element().textContent)
    await expect.poll(shown).toBe(5)
    answer(listNodesTraffic, () => ({
      nodes: [{ ...warsaw, outbounds: [{ tag: 'DIRECT', uploadBytes: 1005 * MIB, downloadBytes: 0 }] }],
    }))
    await page.getByRole('button', { name: 'Refresh the metrics' }).click()
    await expect.poll(shown).toBeGreaterThan(5)
    const first = shown()
    expect(first).toBeLessThan(1005)
    await expect.poll(shown).toBeGreaterThan(first)
    expect(shown()).toBeLessThan(1005)
    // Counted anew: there is nothing to move through.
    await expect.element(card('Warsaw')).toMatchTextContent(/0 B/)
  } finally {
    await cdp().send('Emulation.setEmulatedMedia', {
      features: [
        { name: 'prefers-color-scheme', value: 'dark' },
        { name: 'prefers-reduced-motion', value: 'reduce' },
      ],
    })
  }
})

it('whose traffic it was is one press away; the figures go into a file; on a phone in Persian nothing is wider than the screen', async () => {
  answer(getNodeTopUsers, () => ({
    days: ['2026-11-22'],
    users: [],
    userCount: 0,
    usersByDay: [0],
    bytesByDay: [0],
    countedThrough: null,
  }))
  const saved = savedFiles()
  await showPage(PAGE)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  expect((await saved[0]?.content.text())?.split('\r\n').slice(0, 2)).toEqual([
    'Node,Direction,Tag,Upload,Download,As of',
    `Warsaw,Inbounds,VLESS_REALITY,${2 * MIB},${3 * MIB},2026-11-22T07:00:00.000Z`,
  ])
  await card('Warsaw').getByRole('button', { name: 'Users of Warsaw' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Users of Warsaw' })).toBeVisible()
  await showPage(PAGE, { ...PHONE, language: 'fa', colorScheme: 'light' })
  await expect.element(card('Warsaw')).toMatchTextContent(/۵٫۰۰/)
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  await expect.poll(() => violations()).toEqual([])
})

it('an address that names no node says so instead of a drawer without name', async () => {
  answer(getNodeTopUsers, () => {
    throw new Error('asked for a node that does not exist')
  })
  await showPage(`${PAGE}?node=${uuid(999)}`)
  await expect.element(page.getByRole('dialog', { name: 'It no longer exists' })).toBeVisible()
})
