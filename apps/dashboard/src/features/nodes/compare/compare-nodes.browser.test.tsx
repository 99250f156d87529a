import { getNodeTopUsers, listNodePhases, listNodes, listNodesUsageByDay } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleNode, uuid } from '../../../../test/samples.ts'
import { savedFiles } from '../../../../test/saved-files.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import { lastDays } from '../../../ui/chart/chart-series.ts'

const PAGE = '/dashboard/management/nodes/compare'
const GIB = 1024 ** 3
const [WARSAW, RIGA, OSLO, GONE] = [uuid(401), uuid(402), uuid(403), uuid(499)] as const
const NAMES = { [WARSAW]: 'Warsaw', [RIGA]: 'Riga', [OSLO]: 'Oslo' }
const days = (count: number) => lastDays(count, new Date('2026-11-21T12:00:00Z'))
const figures = page.getByRole('table', { name: 'Figures side by side' })
const row = (name: string) => figures.getByRole('row', { name: new RegExp(`^Poland ${name} `) })

beforeEach(() => {
  answerSmallPanel()
  answer(listNodes, () => Object.entries(NAMES).map(([id, name]) => sampleNode({ uuid: id, name })))
  // Warsaw moves 4 GiB a day, Riga 3; Oslo none, so it is not in the answer.
  answer(listNodesUsageByDay, ({ days: count }) => ({
    days: days(count),
    runningSince: '2026-11-21T00:00:00.000Z',
    nodes: [WARSAW, RIGA].map((id, place) => ({
      uuid: id,
      name: NAMES[id] ?? '',
      countryCode: 'PL',
      bytes: days(count).map((_, day) => (4 - place) * GIB + day),
    })),
  }))
  answer(getNodeTopUsers, ({ days: count }) => ({
    days: days(count),
    users: [],
    userCount: 0,
    usersByDay: days(count).map(() => 5),
    bytesByDay: days(count).map(() => 0),
    countedThrough: null,
  }))
  answer(listNodePhases, () => ({ now: '2026-11-21T12:00:00.000Z', phases: [] }))
})

it('nodes are compared over one period: the table tells what the charts draw, one is added, put first and removed', async () => {
  const screen = await showPage(`${PAGE}?ids=${WARSAW},${RIGA}&days=7`)
  const traffic = page.getByRole('img', { name: /^Traffic by day: 2 series over 7 days, 49\.00 GiB in total/ })
  await expect.element(traffic).toBeVisible()
  await expect.element(page.getByRole('img', { name: /^Users by day: 2 series over 7 days\./ })).toBeVisible()
  await expect.element(row('Warsaw')).toMatchTextContent(/28\.00 GiB.*base/)
  await expect.element(row('Riga')).toMatchTextContent(/21\.00 GiB.*25% less.*−7\.00 GiB/)
  await page.getByRole('combobox', { name: 'Add a node' }).click()
  await page.getByRole('option', { name: 'Oslo' }).click()
  // One without traffic stands beside the others, in the charts too.
  await expect.element(row('Oslo')).toMatchTextContent(/0 B.*100% less/)
  await expect.element(page.getByRole('img', { name: /^Traffic by day: 3 series/ })).toBeVisible()
  expect(screen.address()).toBe(`${PAGE}?ids=${[WARSAW, RIGA, OSLO].join('%2C')}&days=7`)
  await row('Riga').getByRole('button', { name: 'Compare the others with Riga' }).click()
  await expect.element(row('Warsaw')).toMatchTextContent(/33% more/)
  await row('Warsaw').getByRole('button', { name: 'Remove Warsaw' }).click()
  expect(screen.address()).toBe(`${PAGE}?ids=${[RIGA, OSLO].join('%2C')}&days=7`)
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: '30 days' }).click()
  await expect.element(page.getByRole('img', { name: /^Traffic by day: 2 series over 30 days/ })).toBeVisible()
  expect(await violations()).toEqual([])
})

it('the file of a comparison has the bytes of each, and no sum of users, who may be the same', async () => {
  await showPage(`${PAGE}?ids=${WARSAW},${RIGA}&days=7`)
  const files = savedFiles()
  for (const name of ['Traffic by day', 'Users by day']) {
    await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Figures as CSV' }).click()
  }
  const [traffic, users] = await Promise.all(files.map(({ content }) => content.text()))
  expect(traffic?.split(/\r?\n/)[2]).toBe(`2026-11-16,${7 * GIB + 2},${4 * GIB + 1},${3 * GIB + 1}`)
  expect(users?.split(/\r?\n/).slice(0, 2)).toEqual(['Day,Warsaw,Riga', '2026-11-15,5,5'])
  const walk = page.getByRole('slider', { name: /^Users by day/ })
  await expect.element(walk).toBeInTheDocument()
  walk.element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(walk).toHaveAttribute('aria-valuetext', expect.stringMatching(/20.*; Warsaw 5; Riga 5$/))
})

it('one that is gone is named as gone, in Persian on a phone too, and an address without any says what to do', async () => {
  refuse(getNodeTopUsers, { status: 404, code: 'A011', message: 'Node not found' })
  await showPage(`${PAGE}?ids=${WARSAW},${GONE}`, { ...PHONE, language: 'fa', colorScheme: 'light' })
  await expect.element(page.getByText('این نود دیگر وجود ندارد')).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  expect(requests(getNodeTopUsers).every(({ uuid: asked }) => asked === WARSAW)).toBe(true)
  await showPage(PAGE)
  await expect.element(page.getByText('No nodes chosen')).toBeVisible()
})
