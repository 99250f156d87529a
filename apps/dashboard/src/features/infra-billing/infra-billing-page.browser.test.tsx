import {
  deleteInfraBillingNode,
  deleteInfraBillingRecord,
  deleteInfraProvider,
  getInfraProviderIcon,
  getInfraSpending,
  listInfraBillingHistory,
  listInfraBillingNodes,
  listInfraProviders,
} from '@causeway/contract'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answerBilling, billingView } from '../../../test/billing.ts'
import { answer, hold, refuse, requests } from '../../../test/fake-api.ts'
import { sampleBillingNode, sampleBillingRecord, sampleProvider, uuid } from '../../../test/samples.ts'
import { savedFiles } from '../../../test/saved-files.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { billingNodesQuery, historyQuery, providersQuery } from './infra-billing.queries.ts'

const BILLING = '/dashboard/crm/infra-billing'
const table = (name: string) => page.getByRole('table', { name })
const row = (name: string | RegExp) => page.getByRole('row', { name })
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = (name: string) => page.getByRole('dialog', { name })
const inDays = (days: number) => new Date(new Date().setHours(12, 0, 0, 0) + days * 86_400_000).toISOString()
const box = (name: string) => page.getByRole('region', { name }).element().getBoundingClientRect()
const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='

it('BILL-047 payments are fresh for 20 s and read again every 60 s, providers and bills are fresh for 30 s', () => {
  expect(historyQuery(0)).toMatchObject({ staleTime: 20_000, refetchInterval: 60_000 })
  expect([providersQuery().staleTime, billingNodesQuery().staleTime]).toEqual([30_000, 30_000])
})

it('BILL-001 BILL-002 BILL-003 BILL-004 BILL-053 BILL-054 BILL-055 the page: where it is, four figures, three lists of their sizes', async () => {
  const many = <One,>(make: (place: number) => One) => Array.from({ length: 20 }, (_, place) => make(place))
  answerBilling({
    providers: many((place) => sampleProvider({ uuid: uuid(2000 + place) })),
    bills: many((place) => sampleBillingNode({ uuid: uuid(3000 + place), nextBillingAt: inDays(3) })),
    records: many((place) => sampleBillingRecord({ uuid: uuid(4000 + place) })),
    stats: { upcomingNodesCount: 4, currentMonthPayments: 1234.5, totalSpent: 99_999.99 },
  })
  await showPage(BILLING)
  await expect.element(table('Billing nodes')).toBeVisible()
  await expect.element(table('Billing history')).toBeVisible()
  await expect.element(table('Providers')).toBeVisible()
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveTextContent('Dashboard/Nodes/Infra billing')
  expect(document.title).toContain('Infra billing')
  const figures = page
    .getByRole('definition')
    .elements()
    .slice(0, 4)
    .map((one) => one.textContent)
  const month = new Date().toLocaleString('en', { month: 'long', year: 'numeric' })
  expect(figures).toEqual(['4', '$1,234.50', '$99,999.99', `${new Date().getDate()}${month}`])

  const [nodes, history, providers] = [box('Billing nodes'), box('Billing history'), box('Providers')]
  expect([nodes.height, history.height, providers.height]).toEqual([500, 600, 500])
  expect(nodes.top).toBe(history.top)
  expect(providers.top).toBeGreaterThan(history.bottom)
  expect(nodes.width / providers.width).toBeCloseTo(0.58, 1)
  expect(history.width / providers.width).toBeCloseTo(0.4, 1)
  const metrics = page.getByRole('definition').first().element().getBoundingClientRect()
  expect(metrics.bottom).toBeLessThan(nodes.top)
})

it('whatever is entered fits: the largest sums, the longest names, and in Persian too, where a month of money is called by its own name', async () => {
  const name = '<b>Нет</b> & the longest name ever'
  answerBilling({
    providers: [sampleProvider({ name })],
    bills: [sampleBillingNode({ nextBillingAt: inDays(3), provider: { ...sampleBillingNode().provider, name } })],
    records: [sampleBillingRecord()],
    stats: { upcomingNodesCount: 4, currentMonthPayments: 1234.5, totalSpent: 1_999_999_999_999.99 },
  })
  await showPage(BILLING, { language: 'fa', width: 1440, height: 900 })
  const lists = page.getByRole('region')
  await expect.poll(() => lists.elements().filter((list) => list.querySelector('table')).length).toBe(3)
  for (const list of lists.elements().filter((one) => one.querySelector('table'))) expect(list.scrollWidth).toBe(list.clientWidth)
  const total = page.getByRole('definition').nth(2).element()
  expect(total.scrollWidth).toBeLessThanOrEqual(total.clientWidth)
  // A sign at the end of a name stays at its end.
  for (const shown of page.getByText(name, { exact: true }).elements()) expect(shown.tagName).toBe('BDI')
  const month = new Intl.DateTimeFormat('fa', { calendar: 'gregory', month: 'long', year: 'numeric' }).format()
  await expect.element(page.getByRole('definition').nth(3)).toMatchTextContent(month)
})

it('a sum stands in one line of a phone, whatever was spent', async () => {
  answerBilling({ stats: { upcomingNodesCount: 4, currentMonthPayments: 828_230.84, totalSpent: 19_999_999.99 } })
  await showPage(BILLING, PHONE)
  for (const shown of ['$828,230.84', '$19,999,999.99']) {
    const sum = page.getByText(shown)
    await expect.element(sum).toBeVisible()
    expect(sum.element().getClientRects()).toHaveLength(1)
  }
})

it('lists without anything take no room for it', async () => {
  answerBilling()
  await showPage(BILLING)
  await expect.element(page.getByText('No payments yet')).toBeVisible()
  for (const name of ['Billing nodes', 'Billing history', 'Providers']) expect(box(name).height).toBeLessThan(300)
})

it('BILL-005 at most 450 px wide, rows of tables are replaced by entries of lists, with the same actions and nothing beyond the edge', async () => {
  answerBilling({ providers: [sampleProvider()], bills: [sampleBillingNode()], records: [sampleBillingRecord()] })
  await showPage(BILLING, { width: 450, height: 800 })
  await expect.element(button(/^Paid: record a payment for Warsaw/)).toBeVisible()
  await expect.element(page.getByText(/rotate/)).not.toBeInTheDocument()
  const entries = [...document.querySelectorAll('tbody tr')]
  expect(entries).toHaveLength(3)
  for (const entry of entries) {
    expect(getComputedStyle(entry).display).toBe('grid')
    expect(entry.scrollWidth).toBeLessThanOrEqual(entry.clientWidth)
  }
  await showPage(BILLING, { width: 451, height: 800 })
  await expect.element(table('Billing nodes')).toBeVisible()
  expect(getComputedStyle(document.querySelector('tbody tr')!).display).toBe('table-row')
})

it('in Persian on a phone nothing is wider than it', async () => {
  answerBilling({ providers: [sampleProvider()], bills: [sampleBillingNode()], records: [sampleBillingRecord()] })
  await showPage(BILLING, { language: 'fa', ...PHONE })
  await expect.element(button(/^پرداخت شد/).first()).toBeVisible()
  expect(document.documentElement.dir).toBe('rtl')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  for (const entry of document.querySelectorAll('tbody tr')) expect(entry.scrollWidth).toBeLessThanOrEqual(entry.clientWidth)
  expect(await violations()).toEqual([])
})

it('BILL-006 mod+K opens a new payment instead of the palette', async () => {
  answerBilling({ providers: [sampleProvider()] })
  await showPage(BILLING)
  await expect.element(table('Providers')).toBeVisible()
  // The top bar offers the key for the palette on other pages only.
  await expect.element(page.getByText('Ctrl K')).not.toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(dialog('New billing record')).toBeVisible()
  expect(page.getByPlaceholder('Find users, nodes, pages, actions…').query()).toBeNull()
})

it('BILL-022 BILL-023 each bill says how near it is, and is marked in its month', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 15, 12) })
  try {
    const names = ['far past', 'yesterday', 'today', 'tomorrow', 'approaching', 'later']
    const days = [-20, -1, 0, 1, 5, 40]
    answerBilling({
      bills: names.map((name, index) =>
        sampleBillingNode({
          uuid: uuid(660 + index),
          node: { uuid: uuid(401), name, countryCode: 'PL' },
          nextBillingAt: new Date(2026, 10, 15 + (days[index] ?? 0)).toISOString(),
        }),
      ),
    })
    await showPage(BILLING)
    const state = (name: string) =>
      row(new RegExp(`^Poland ${name} `)).getByText(/^(20 days overdue|Yesterday|Today|Tomorrow|Approaching)$/)
    for (const [name, word, color] of [
      ['far past', '20 days overdue', 'red'],
      ['yesterday', 'Yesterday', 'red'],
      ['today', 'Today', 'red'],
      ['tomorrow', 'Tomorrow', 'blue'],
      ['approaching', 'Approaching', 'blue'],
    ] as const) {
      await expect.element(state(name)).toHaveTextContent(word)
      expect(state(name).element().closest('[data-color]')?.getAttribute('data-color')).toBe(color)
    }
    expect(state('later').query()).toBeNull()
    const colorOf = (name: string) =>
      getComputedStyle(
        row(new RegExp(`^Poland ${name} `))
          .element()
          .querySelector('time')!,
      ).color
    // BILL-022: the row has a date, and beyond a week that is gray.
    expect(colorOf('later')).not.toBe(colorOf('approaching'))
    const [red = 0, green = 0, blue = 0] = colorOf('later').match(/\d+/g)?.map(Number) ?? []
    expect(Math.max(red, green, blue) - Math.min(red, green, blue)).toBeLessThan(40)
    const marked = names.filter(
      (name) =>
        row(new RegExp(`^Poland ${name} `))
          .getByRole('img', { name: 'Due this month' })
          .query() !== null,
    )
    expect(marked).toEqual(['yesterday', 'today', 'tomorrow', 'approaching'])
  } finally {
    vi.useRealTimers()
  }
})

it('a provider is shown by the icon that the server fetched, else by its initial; nothing is asked from outside', async () => {
  const withIcon = sampleProvider({ uuid: uuid(602), name: 'Pictured', faviconLink: 'https://outside.example/icon.png' })
  const broken = sampleProvider({ uuid: uuid(603), name: 'broken', faviconLink: 'https://outside.example/none.png' })
  answerBilling({ providers: [withIcon, broken, sampleProvider({ loginUrl: 'javascript:alert(1)' })] })
  answer(getInfraProviderIcon, ({ uuid: of }) => ({ icon: of === withIcon.uuid ? PIXEL : null }))
  await showPage(BILLING)
  await expect.element(row(/Pictured/)).toBeVisible()
  await expect
    .poll(
      () =>
        row(/Pictured/)
          .element()
          .querySelector('img')?.src,
    )
    .toBe(PIXEL)
  await expect.element(row(/broken/)).toMatchTextContent('B')
  expect(requests(getInfraProviderIcon)).toHaveLength(2)
  const outside = performance.getEntriesByType('resource').filter(({ name }) => name.includes('outside.example'))
  expect(outside).toEqual([])
  // A link that could be run is none.
  expect(
    row(/Hoster/)
      .getByRole('link')
      .query(),
  ).toBeNull()
  await expect
    .element(page.getByRole('link', { name: 'Open the login page of Pictured' }))
    .toHaveAttribute('href', 'https://hoster.example/login')
})

it('BILL-009 the nodes that a provider bills, and when', async () => {
  const provider = sampleProvider({ billingNodes: [{ nodeUuid: uuid(401), name: 'Warsaw', countryCode: 'PL' }] })
  const foreign = sampleBillingNode({
    uuid: uuid(652),
    providerUuid: uuid(699),
    node: { uuid: uuid(402), name: 'Oslo', countryCode: 'NO' },
  })
  answerBilling({ providers: [provider], bills: [sampleBillingNode(), foreign] })
  await showPage(BILLING)
  await button('1 node of Hoster').click()
  await expect.element(dialog('Nodes billed by Hoster').getByText('Warsaw')).toBeVisible()
  expect(dialog('Nodes billed by Hoster').getByText('Oslo').query()).toBeNull()
})

it('BILL-010 BILL-040 BILL-057 BILL-059 a provider is deleted after a question that says what goes; all lists are read again', async () => {
  answerBilling({ providers: [sampleProvider({ billingHistory: { totalAmount: 10, totalBills: 2 } })] })
  answer(deleteInfraProvider, () => ({ isDeleted: true }))
  await showPage(BILLING)
  await button('Actions for Hoster').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = dialog('Delete provider Hoster?')
  await expect.element(question).toMatchTextContent('0 billed nodes, 2 payments')
  await expect.element(question).toMatchTextContent('It can be undone in History')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(requests(deleteInfraProvider)).toEqual([])

  await button('Actions for Hoster').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const lists = [listInfraProviders, listInfraBillingNodes, listInfraBillingHistory]
  const before = lists.map((list) => requests(list).length)
  const release = hold(deleteInfraProvider)
  await question.getByRole('button', { name: 'Delete' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Processing…' })
  await expect.element(toast).toBeVisible()
  release()
  await expect.element(page.getByText('Infra provider deleted successfully')).toBeVisible()
  expect(requests(deleteInfraProvider)).toEqual([{ uuid: uuid(601) }])
  await expect.poll(() => lists.map((list, index) => requests(list).length > (before[index] ?? 0))).toEqual([true, true, true])
  // Three seconds, and not the five of other toasts.
  await expect.poll(() => page.getByText('Infra provider deleted successfully').query(), { timeout: 4500 }).toBeNull()
})

it('BILL-011 a payment is deleted after a question that names it', async () => {
  answerBilling({ records: [sampleBillingRecord({ billedAt: new Date(2026, 10, 1).toISOString() })] })
  answer(deleteInfraBillingRecord, () => ({ records: [], total: 0 }))
  await showPage(BILLING)
  await button('Delete $12.50 to Hoster, Nov 1, 2026').click()
  const question = dialog('Delete this payment?')
  await expect.element(question).toMatchTextContent('$12.50 to Hoster on Nov 1, 2026. It can be undone in History.')
  answer(listInfraBillingHistory, () => ({ records: [], total: 0 }))
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('Infra billing record deleted successfully')).toBeVisible()
  await expect.element(page.getByText('No payments yet')).toBeVisible()
})

it('BILL-012 a billing node is deleted after a question; the answer is shown without another read', async () => {
  answerBilling({ bills: [sampleBillingNode()] })
  answer(deleteInfraBillingNode, () => billingView([]))
  await showPage(BILLING)
  await button('Actions for Warsaw at Hoster').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect.element(dialog('Delete the bill of Warsaw?')).toMatchTextContent('It can be undone in History')
  await dialog('Delete the bill of Warsaw?').getByRole('button', { name: 'Delete' }).click()
  await expect.element(page.getByText('Infra billing node deleted successfully')).toBeVisible()
  await expect.element(page.getByText('No bills are expected')).toBeVisible()
  expect(requests(listInfraBillingNodes)).toHaveLength(1)
})

it('a failed delete says so in red under the name of the action', async () => {
  answerBilling({ bills: [sampleBillingNode()] })
  refuse(deleteInfraBillingNode, { status: 404, code: 'A138', message: 'This billing node does not exist any more.' })
  await showPage(BILLING)
  await button('Actions for Warsaw at Hoster').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog('Delete the bill of Warsaw?').getByRole('button', { name: 'Delete' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'This billing node does not exist any more.' })
  await expect.element(toast).toMatchTextContent('Delete Infra Billing Node')
})

it('BILL-042 payments come fifty to a page', async () => {
  const records = Array.from({ length: 51 }, (_, index) => sampleBillingRecord({ uuid: uuid(7000 + index) }))
  answerBilling({ records })
  await showPage(BILLING)
  await expect.element(page.getByText('1–50 of 51')).toBeVisible()
  expect(requests(listInfraBillingHistory)[0]).toEqual({ start: 0, size: 50 })
  await button('Next page').click()
  await expect.element(page.getByText('51–51 of 51')).toBeVisible()
  await expect.poll(() => table('Billing history').getByRole('row').elements().length).toBe(2)
  expect(requests(listInfraBillingHistory)).toContainEqual({ start: 50, size: 50 })
  await expect.element(button('Next page')).toBeDisabled()
})

it('all payments leave as a CSV file or as JSON', async () => {
  const records = Array.from({ length: 501 }, (_, index) =>
    sampleBillingRecord({ uuid: uuid(7000 + index), billedAt: new Date(2026, 10, 1).toISOString(), amount: 0.1 }),
  )
  answerBilling({ records })
  const saved = savedFiles()
  await showPage(BILLING)
  await button('Export payments').click()
  await page.getByRole('menuitem', { name: 'Spreadsheet (CSV)' }).click()
  await expect.poll(() => saved.length).toBe(1)
  const lines = (await saved[0]?.content.text())?.split('\r\n') ?? []
  expect(lines[0]?.replace('\u{FEFF}', '')).toBe('Date,Provider,Amount (USD),ID')
  expect(lines).toHaveLength(503)
  expect(lines[1]).toBe(`2026-11-01,Hoster,0.10,${uuid(7000)}`)
  expect(saved[0]?.name).toMatch(/^payments-\d{4}-\d\d-\d\d\.csv$/)
  await button('Export payments').click()
  await page.getByRole('menuitem', { name: 'For programs (JSON)' }).click()
  await expect.poll(() => saved.length).toBe(2)
  const records501: unknown[] = JSON.parse((await saved[1]?.content.text()) ?? '[]')
  expect(records501).toHaveLength(501)
  expect(records501[0]).toMatchObject({ provider: 'Hoster', amount: 0.1, uuid: uuid(7000) })
})

it('what was spent is drawn by month and provider, and told as a table', async () => {
  answerBilling()
  answer(getInfraSpending, () => ({
    months: ['2026-10', '2026-11'],
    spending: [{ month: '2026-11', providerUuid: uuid(601), providerName: 'Hoster', amount: 12.5 }],
  }))
  await showPage(BILLING)
  const summary = 'Spending by month: 1 series over 2 months, $12.50 in total. The table shows the figures.'
  await expect.element(page.getByRole('img', { name: summary })).toBeVisible()
  await button('Show as table').click()
  await expect.element(page.getByRole('row', { name: 'November 2026 $12.50 $12.50' })).toBeVisible()
})

it('the chart comes first, with what the coming months are expected to cost', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 15, 12) })
  try {
    const paid = sampleProvider({ billingHistory: { totalAmount: 60, totalBills: 3 } })
    const unpaid = sampleProvider({ uuid: uuid(609), name: 'New one', billingHistory: { totalAmount: 0, totalBills: 0 } })
    const bill = (place: number, month: number, providerUuid = paid.uuid) =>
      sampleBillingNode({ uuid: uuid(670 + place), providerUuid, nextBillingAt: new Date(2026, month, 20, 12).toISOString() })
    answerBilling({ providers: [paid, unpaid], bills: [bill(0, 9), bill(1, 10), bill(2, 11), bill(3, 12, unpaid.uuid)] })
    await showPage(BILLING)
    const expected = page.getByText('Still expected in November')
    await expect.element(expected).toBeVisible()
    const lines = [...document.querySelectorAll('[aria-label="Expected in the coming months"] > div')].map(
      (one) => one.textContent,
    )
    expect(lines).toEqual([
      'Still expected in November≈ $40.00 2 bills',
      'Expected in December≈ $60.00 3 bills',
      'Expected in January≈ $60.00 4 bills · 1 of unknown amount',
    ])
    expect(expected.element().getBoundingClientRect().top).toBeLessThan(box('Billing nodes').top)
  } finally {
    vi.useRealTimers()
  }
})

it('a panel without any bills says what to do', async () => {
  answerBilling()
  await showPage(BILLING)
  for (const text of ['No bills are expected', 'No payments yet', 'No providers yet'])
    await expect.element(page.getByText(text)).toBeVisible()
  // No frames around nothing.
  await expect.element(page.getByRole('heading', { name: 'Spending by month' })).not.toBeInTheDocument()
  for (const list of document.querySelectorAll('[data-scroll]')) expect(getComputedStyle(list).borderStyle).toBe('none')
  expect(await violations()).toEqual([])
})
