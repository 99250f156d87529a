import { getNodeTopUsers, listNodesUsageByDay } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, hold, refuse, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { savedFiles } from '../../../../test/saved-files.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import { lastDays } from '../../../ui/chart/chart-series.ts'

const PAGE = '/dashboard/management/stats/nodes'
const GIB = 1024 ** 3
const NAMES = ['Warsaw', 'Riga', 'Oslo', '=Bern']
const main = page.getByRole('region', { name: 'Traffic by node', exact: true })
const drawer = page.getByRole('dialog', { name: 'Users of Warsaw' })
const daysOf = (count: number) => lastDays(count, new Date('2026-11-21T12:00:00Z'))

/** The first moved most: 4, 3, 2 and 1 GiB a day. */
const usageOf = (count: number, names = NAMES) => ({
  days: daysOf(count),
  runningSince: '2026-11-21T00:00:00.000Z',
  nodes: names.map((name, place) => ({
    uuid: uuid(401 + place),
    name,
    countryCode: 'PL',
    bytes: daysOf(count).map(() => (names.length - place) * GIB),
  })),
})
const usersOf = (count: number, users: number, bytes = GIB) => ({
  days: daysOf(count),
  users: Array.from({ length: users }, (_, place) => ({
    uuid: uuid(place + 1),
    username: `user-${place + 1}`,
    total: count * bytes * (users - place),
    bytes: daysOf(count).map(() => bytes * (users - place)),
  })),
  userCount: users + 5,
  usersByDay: daysOf(count).map((_, day) => day + 1),
  bytesByDay: daysOf(count).map(() => 100 * bytes),
  countedThrough: '2026-11-20',
})

beforeEach(() => {
  answerSmallPanel()
  answer(listNodesUsageByDay, ({ days }) => usageOf(days))
  answer(getNodeTopUsers, ({ days }) => usersOf(days, days > 30 ? 10 : 12))
})

it('SHELL-027 NSTAT-001 NSTAT-002 NSTAT-003 NSTAT-004 NSTAT-005 NSTAT-008 a week of all nodes: total, top three, a chart 500 px high', async () => {
  const screen = await showPage(PAGE)
  const chart = main.getByRole('img', { name: /4 series over 7 days, 70\.00 GiB in total/ })
  await expect.element(chart).toBeVisible()
  expect(chart.element().getBoundingClientRect().height).toBe(500)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect.element(crumbs).toMatchTextContent(/Dashboard\s*\/\s*Nodes\s*\/\s*Nodes statistics/)
  const figures = page.getByLabelText('Figures of all nodes')
  await expect.element(figures).toMatchTextContent(/Total traffic\s*70\.00 GiB.*Nodes with traffic\s*4/)
  const top = page.getByRole('list', { name: 'Top three nodes' }).getByRole('listitem')
  expect(top.elements().map((item) => item.textContent)).toEqual(['🇵🇱Warsaw28.00 GiB', '🇵🇱Riga21.00 GiB', '🇵🇱Oslo14.00 GiB'])
  await page.getByRole('combobox', { name: 'Period' }).click()
  const options = page
    .getByRole('option')
    .elements()
    .map((option) => option.textContent)
  expect(options).toEqual([7, 14, 30, 60, 90, 180].map((count) => `${count} days`))
  await page.getByRole('option', { name: '180 days' }).click()
  await expect.element(main.getByRole('img', { name: /over 180 days/ })).toBeVisible()
  expect(screen.address()).toBe(`${PAGE}?days=180`)
  expect(requests(listNodesUsageByDay).map(({ days }) => days)).toEqual([7, 180])
  expect(await violations()).toEqual([])
})

it('per whole day is one rule in the tile and in the rows, and said: a fleet of one node that began in mid-period', async () => {
  const bytes = [0, 0, 0, 4, 6, 8, 1].map((gib) => gib * GIB)
  answer(listNodesUsageByDay, ({ days }) => ({
    ...usageOf(days),
    nodes: [{ uuid: uuid(401), name: 'Warsaw', countryCode: 'PL', bytes }],
  }))
  await showPage(PAGE)
  const tile = page.getByLabelText('Figures of all nodes')
  await expect.element(tile).toMatchTextContent(/Per whole day\s*6\.00 GiB\s*Mean of the finished days since the first traffic/)
  await expect.element(page.getByRole('row', { name: /Warsaw/ }).getByText('6.00 GiB')).toBeVisible()
  await expect.element(page.getByText(/Per whole day is the mean of the node's finished days/)).toBeVisible()
})

it('NSTAT-006 NSTAT-007 NSTAT-010 NSTAT-011 series are filtered, grouped and highlighted, and the legend folds', async () => {
  await showPage(PAGE)
  const legend = main.getByRole('button', { name: 'Legend (4)' })
  await expect.element(legend).toHaveAttribute('aria-expanded', 'true')
  const entry = main.getByRole('button', { name: /Riga/ })
  await entry.click()
  await expect.element(entry).toHaveAttribute('aria-pressed', 'true')
  await expect.element(main.getByRole('button', { name: /Warsaw/ })).toHaveAttribute('data-dimmed', 'true')
  await entry.click()
  await expect.element(entry).toHaveAttribute('aria-pressed', 'false')
  await expect.element(main.getByRole('button', { name: /Warsaw/ })).not.toHaveAttribute('data-dimmed')
  await legend.click()
  await expect.element(legend).toHaveAttribute('aria-expanded', 'false')
  await expect.element(main.getByRole('radio', { name: 'Stacked' })).toBeChecked()
  await main.getByText('Grouped').click()
  await expect.element(main.getByRole('radio', { name: 'Grouped' })).toBeChecked()
  await main.getByRole('combobox', { name: 'Nodes' }).click()
  await page.getByRole('option', { name: 'Oslo' }).click()
  await expect.element(main.getByRole('img', { name: /1 series over 7 days, 14\.00 GiB/ })).toBeVisible()
})

it('NSTAT-012 NSTAT-013 a bar opens its day, and from there the days around it, up to the ends', async () => {
  await showPage(PAGE)
  const chart = main.getByRole('img', { name: /4 series/ })
  await expect.element(chart).toBeVisible()
  await expect.poll(() => chart.element().querySelector('canvas')).not.toBeNull()
  const { width, height } = chart.element().getBoundingClientRect()
  await chart.click({ position: { x: width - 40, y: height / 2 } })
  const day = page.getByRole('dialog', { name: /Saturday, November 21, 2026, so far/ })
  await expect.element(day).toMatchTextContent(/10\.00 GiB in total.*Warsaw\s*4\.00 GiB/)
  await expect.element(day.getByRole('button', { name: 'Next day' })).toBeDisabled()
  for (let step = 0; step < 6; step++) await page.getByRole('dialog').getByRole('button', { name: 'Previous day' }).click()
  await expect.element(page.getByRole('dialog', { name: /Sunday, November 15, 2026/ })).toBeVisible()
  await expect.element(page.getByRole('dialog').getByRole('button', { name: 'Previous day' })).toBeDisabled()
  await page.getByRole('dialog').getByRole('button', { name: 'Next day' }).click()
  await expect.element(page.getByRole('dialog', { name: /Monday, November 16/ })).toBeVisible()
})

it('NSTAT-015 without traffic the chart says so; nodes that moved too little are said to be', async () => {
  answer(listNodesUsageByDay, ({ days }) => usageOf(days, []))
  await showPage(PAGE)
  await expect.element(page.getByText('No data available for the selected period')).toBeVisible()
  const little = usageOf(7, ['Warsaw'])
  answer(listNodesUsageByDay, () => ({
    ...little,
    nodes: little.nodes.map((node) => ({ ...node, bytes: [0, 0, 0, 0, 0, 0, 102_399] })),
  }))
  await showPage(PAGE)
  await expect.element(page.getByText('No nodes with traffic above 100 KB')).toBeVisible()
})

it('NSTAT-009 NSTAT-014 NSTAT-017 whose traffic a node carried: periods up to a year, and everything forgotten at closing', async () => {
  const screen = await showPage(PAGE)
  await page.getByRole('row', { name: /Warsaw/ }).click()
  const chart = drawer.getByRole('img', { name: /12 series over 7 days/ })
  await expect.element(chart).toBeVisible()
  expect(chart.element().getBoundingClientRect().height).toBe(400)
  expect(screen.address()).toBe(`${PAGE}?node=${uuid(401)}`)
  await expect.element(drawer).toMatchTextContent(/Traffic of its users\s*700\.00 GiB\s*17 users/)
  await expect.element(drawer).toMatchTextContent(/5 smaller entries are not drawn/)
  await expect.element(drawer).toMatchTextContent(/counted through Nov 20, 2026/)
  await drawer.getByRole('combobox', { name: 'Period' }).click()
  const options = page
    .getByRole('option')
    .elements()
    .map((option) => option.textContent)
  expect(options).toEqual([7, 14, 30, 60, 90, 180, 365].map((count) => `${count} days`))
  await page.getByRole('option', { name: '365 days' }).click()
  await expect.element(drawer.getByRole('img', { name: /10 series over 365 days/ })).toBeVisible()
  await drawer.getByText('Grouped').click()
  await drawer.getByRole('combobox', { name: 'Users' }).click()
  await page.getByRole('option', { name: 'user-3' }).click()
  await expect.element(drawer.getByRole('img', { name: /1 series over 365 days/ })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('row', { name: /Warsaw/ }).click()
  await expect.element(drawer.getByRole('img', { name: /12 series over 7 days/ })).toBeVisible()
  await expect.element(drawer.getByRole('radio', { name: 'Stacked' })).toBeChecked()
  expect(await violations('[role=dialog]')).toEqual([])
})

it('NSTAT-016 a node whose users all moved too little, or none, says so', async () => {
  answer(getNodeTopUsers, ({ days }) => usersOf(days, 2, 100))
  await showPage(`${PAGE}?node=${uuid(401)}`)
  await expect.element(drawer.getByText('No users with traffic above 100 KB')).toBeVisible()
  answer(getNodeTopUsers, ({ days }) => ({ ...usersOf(days, 0), userCount: 0 }))
  await showPage(`${PAGE}?node=${uuid(401)}`)
  await expect.element(drawer.getByText('No data available for the selected period')).toBeVisible()
})

it('the figures are a table too, with how many users each day had; they go into a file, and the drawing into a picture', async () => {
  const saved = savedFiles()
  await showPage(PAGE)
  await expect
    .poll(() =>
      main
        .getByRole('img', { name: /4 series/ })
        .element()
        .querySelector('canvas'),
    )
    .not.toBeNull()
  await main.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Figures as CSV' }).click()
  const rows = (await saved[0]?.content.text())?.split('\r\n')
  expect(rows?.[0]).toBe("Day,Total,Warsaw,Riga,Oslo,'=Bern")
  expect(rows?.[1]).toBe(`2026-11-15,${10 * GIB},${4 * GIB},${3 * GIB},${2 * GIB},${GIB}`)
  expect(rows).toHaveLength(9)
  await main.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Picture as PNG' }).click()
  await expect.poll(() => saved[1]?.content.type).toBe('image/png')
  const picture = await createImageBitmap(saved[1]?.content ?? new Blob())
  expect(picture.height).toBeGreaterThan(1000)

  await page.getByRole('row', { name: /Warsaw/ }).click()
  await drawer.getByRole('button', { name: 'Show as table' }).click()
  const heads = drawer
    .getByRole('columnheader')
    .elements()
    .map((head) => head.textContent)
  expect(heads.slice(0, 4)).toEqual(['Day', 'Total', 'Users of the day', 'user-1'])
  await expect.element(drawer.getByRole('row').nth(1)).toMatchTextContent(/so far.*GiB7/)
})

it('the same days as average speeds; a link keeps them', async () => {
  const screen = await showPage(PAGE)
  await page.getByText('Average speed').click()
  await expect.element(main.getByRole('img', { name: /Average speed by node: .*KiB\/s on average/ })).toBeVisible()
  expect(screen.address()).toBe(`${PAGE}?figure=speed`)
})

it('a slow server is waited for, one that refuses says why, and periods that are none are a week', async () => {
  const release = hold(listNodesUsageByDay)
  await showPage(`${PAGE}?days=730000`)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Nodes statistics' })).toBeVisible()
  await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBe(1)
  release()
  await expect.element(main.getByRole('img', { name: /over 7 days/ })).toBeVisible()
  refuse(listNodesUsageByDay, { status: 503, message: 'The disk is full' })
  await showPage(PAGE)
  await expect.element(page.getByRole('alert').getByText('The disk is full')).toBeVisible()
})

it('on a phone in Persian nothing is wider than the screen, in either theme', async () => {
  await showPage(`${PAGE}?days=30`, { ...PHONE, language: 'fa', colorScheme: 'light' })
  await expect.element(page.getByRole('img', { name: /۳۰ روز/ })).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  await expect.poll(() => violations()).toEqual([])
})
