import { getNode, listNodes } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, disconnect } from '../../../../test/fake-api.ts'
import { sampleNode, uuid } from '../../../../test/samples.ts'
import { savedFiles } from '../../../../test/saved-files.ts'
import { PHONE, showPage, showPart } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import { emptyView } from '../../../ui/table/data-table-view.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { bandwidthColumns, bandwidthDefaultView } from './bandwidth-columns.tsx'

const PAGE = '/dashboard/management/bandwidth-table'
const GIB = 1024 ** 3
const tracked = { isTrafficTrackingActive: true, trafficLimitBytes: 100 * GIB }
const warsaw = sampleNode({ ...tracked, trafficUsedBytes: 25 * GIB, trafficResetDay: 5 })
const riga = sampleNode({
  ...tracked,
  uuid: uuid(402),
  name: '=Riga',
  trafficLimitBytes: 0,
  trafficUsedBytes: GIB,
  trafficResetDay: 20,
})
const unknown = sampleNode({ ...tracked, uuid: uuid(403), name: 'Oslo', trafficUsedBytes: null, trafficResetDay: null })
const untracked = sampleNode({ uuid: uuid(404), name: 'Untracked' })

const head = (name: string) => page.getByRole('columnheader', { name })
const rows = () => page.getByRole('row').elements().slice(1)
const names = () => rows().map((row) => /Warsaw|Riga|Oslo|Untracked/.exec(row.textContent)?.[0])
const columns = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((one) => /Node name|Traffic cycle|Traffic used|Traffic limit/.exec(one.textContent)?.[0])

beforeEach(() => {
  answerSmallPanel()
  answer(listNodes, () => [warsaw, riga, unknown, untracked])
})

it('columns stand at their places from the first drawing on', async () => {
  const widths = new Set<string>()
  const watch = new MutationObserver(() => {
    const table = document.querySelector('table')
    if (table) widths.add(table.style.getPropertyValue('--width-name'))
  })
  watch.observe(document.body, { childList: true, subtree: true, attributeFilter: ['style'] })
  await showPage(PAGE)
  await expect.poll(names).toEqual(['Warsaw', 'Riga', 'Oslo'])
  watch.disconnect()
  expect([...widths]).toHaveLength(1)
})

it('SHELL-026 BWT-001 BWT-002 BWT-003 BWT-004 BWT-005 the tracked nodes of today: cycle, use, limit; a limit of 0 is 100%', async () => {
  await showPage(PAGE)
  await expect.poll(names).toEqual(['Warsaw', 'Riga', 'Oslo'])
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect.element(crumbs).toMatchTextContent(/Dashboard\s*\/\s*Nodes\s*\/\s*Nodes bandwidth table/)
  const today = new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format(new Date())
  await expect.element(page.getByRole('heading', { level: 2, name: `Tracked traffic on ${today}` })).toBeVisible()
  expect(columns()).toEqual(['Node name', 'Traffic cycle', 'Traffic used', 'Traffic limit'])
  const [first, second] = rows()
  expect(first?.textContent).toMatch(/Warsaw.*Day 5.*25\.00 GiB.*25%.*100\.00 GiB/)
  expect(second?.textContent).toMatch(/Riga.*Day 20.*1\.00 GiB.*100%.*0 B/)
  await expect.element(page.getByRole('progressbar', { name: /1\.00 GiB of 0 B, 100%/ })).toHaveAttribute('aria-valuenow', '100')
  expect(await violations()).toEqual([])
})

it('BWT-009 BWT-010 a first click sorts ascending, the next turns it round; what is not known stays last', async () => {
  await showPage(PAGE)
  await expect.poll(names).toHaveLength(3)
  const button = head('Traffic used').getByRole('button').first()
  await button.click()
  await expect.element(head('Traffic used')).toHaveAttribute('aria-sort', 'ascending')
  expect(names()).toEqual(['Riga', 'Warsaw', 'Oslo'])
  await button.click()
  await expect.element(head('Traffic used')).toHaveAttribute('aria-sort', 'descending')
  expect(names()).toEqual(['Warsaw', 'Riga', 'Oslo'])
  await button.click()
  await expect.element(head('Traffic used')).toHaveAttribute('aria-sort', 'ascending')
})

it('BWT-011 BWT-012 columns are dragged to another place and drawn from 50 px to 1000 px wide, beginning with 150', async () => {
  await showPage(PAGE)
  await expect.poll(names).toHaveLength(3)
  await head('Traffic limit').getByText('Traffic limit').dropTo(head('Traffic cycle'))
  await expect.poll(columns).toEqual(['Node name', 'Traffic limit', 'Traffic cycle', 'Traffic used'])
  const handle = page.getByRole('separator', { name: 'Traffic cycle: column width' })
  const width = () => Number(handle.element().getAttribute('aria-valuenow'))
  expect(width()).toBe(150)
  handle.element().focus()
  await userEvent.keyboard('{ArrowLeft>12/}')
  await expect.poll(width).toBe(50)
  await userEvent.keyboard('{ArrowRight>70/}')
  await expect.poll(width).toBe(1000)
})

it('BWT-007 without a tracked node it says so', async () => {
  answer(listNodes, () => [untracked])
  await showPage(PAGE)
  await expect.element(page.getByText('No nodes with active traffic tracking found')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Export CSV' })).toBeDisabled()
})

it('BWT-013 a table that nobody has words for says that there is no data', async () => {
  const table = (
    <DataTable
      label="Things"
      columns={bandwidthColumns}
      columnLabels={{}}
      rows={[]}
      rowId={({ uuid: id }) => id}
      rowLabel={({ name }) => name}
      view={emptyView}
      onViewChange={() => {}}
      onResetView={() => {}}
      card={() => null}
    />
  )
  await showPart(table, { texts: ['table'] })
  await expect.element(page.getByText('No data available', { exact: true })).toBeVisible()
})

it('what is left and where it leads are columns that are hidden at first', async () => {
  const labels = { name: 'Name', cycle: 'Cycle', used: 'Used', limit: 'Limit', left: 'Left', forecast: 'Forecast' }
  // The cycle began in the middle of the last month at the latest, so that there is a forecast.
  const resetDay = new Date().getDate() > 15 ? 1 : 28
  const table = (
    <DataTable
      label="Things"
      columns={bandwidthColumns}
      columnLabels={labels}
      rows={[{ ...warsaw, trafficResetDay: resetDay }]}
      rowId={({ uuid: id }) => id}
      rowLabel={({ name }) => name}
      view={emptyView}
      onViewChange={() => {}}
      onResetView={() => {}}
      card={() => null}
    />
  )
  await showPart(table, { texts: ['table', 'node-bandwidth'] })
  await expect.element(head('Forecast')).toBeVisible()
  const shown = page.getByRole('columnheader').elements()
  const cells = page.getByRole('row').elements()[1]?.querySelectorAll('td, th, [role=cell], [role=rowheader]')
  const cellOf = (label: string) => cells?.[shown.findIndex((one) => one.textContent.startsWith(label))]?.textContent
  expect(cellOf('Left')).toBe('75.00 GiB')
  expect(cellOf('Forecast')).toMatch(/GiB/)
  expect({ ...bandwidthDefaultView.visibility }).toEqual({ left: false, forecast: false })
})

it('BWT-008 a node is edited and a new one is made without leaving the table', async () => {
  answer(getNode, () => warsaw)
  const screen = await showPage(PAGE)
  await expect.poll(names).toHaveLength(3)
  await page.getByRole('row', { name: /Warsaw/ }).click()
  await expect.element(page.getByRole('dialog', { name: 'Edit node' })).toBeVisible()
  expect(screen.address()).toBe(`${PAGE}?edit=${warsaw.uuid}`)
  await expect.element(page.getByRole('dialog').getByRole('textbox', { name: 'Internal name' })).toHaveValue('Warsaw')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'New node' }).click()
  await expect.element(page.getByRole('dialog', { name: 'New node' })).toBeVisible()
})

it('the table is kept as a file in which no name becomes a formula', async () => {
  const saved = savedFiles()
  await showPage(PAGE)
  await page.getByRole('button', { name: 'Export CSV' }).click()
  const text = await saved[0]?.content.text()
  expect(text?.split('\r\n').slice(0, 3)).toEqual([
    'Node name,Traffic cycle,Traffic used,Traffic limit,Left,%',
    `Warsaw,5,${25 * GIB},${100 * GIB},${75 * GIB},25`,
    `'=Riga,20,${GIB},0,0,100`,
  ])
})

it('a server that is away is said to be; on a phone in Persian the rows are cards', async () => {
  disconnect(listNodes)
  await showPage(PAGE)
  await expect.element(page.getByText('Error loading data')).toBeVisible()
  answer(listNodes, () => [warsaw, riga])
  await showPage(PAGE, { ...PHONE, language: 'fa', colorScheme: 'light' })
  await expect.element(page.getByRole('listitem').filter({ hasText: 'Warsaw' })).toMatchTextContent(/روز ۵/)
  expect(document.documentElement.scrollWidth).toBe(PHONE.width)
  // The page was dark a moment ago.
  await expect.poll(() => violations()).toEqual([])
})
