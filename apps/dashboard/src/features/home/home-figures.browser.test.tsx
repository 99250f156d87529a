import { getBandwidthStats, getHealth, getInstallation, getSystemStats } from '@causeway/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, type Locator } from 'vitest/browser'
import { answer, disconnect, requests } from '../../../test/fake-api.ts'
import { sampleBandwidthStats, sampleSystemStats } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const HOME = '/dashboard/home'
const section = (name: string) => page.getByRole('region', { name, exact: true })
const textsOf = (found: Locator) => found.elements().map(({ textContent }) => textContent)

beforeEach(answerSmallPanel)
afterEach(() => {
  vi.useRealTimers()
})

it('HOME-002 HOME-003 HOME-004 HOME-005 HOME-013 every process is listed, coloured by its load, and summed up', async () => {
  const processes = [
    ['Server-0', '10', '50.00 MiB', 'green'],
    ['API-0', '29.9', '100.00 MiB', 'green'],
    ['API-1', '69.9', '200.00 MiB', 'yellow'],
    ['Jobs-0', '70', '50.00 MiB', 'red'],
  ] as const
  answer(getHealth, () => ({ pm2Stats: processes.map(([name, cpu, memory]) => ({ name, cpu, memory })) }))
  await showPage(HOME)
  const rows = page.getByRole('table', { name: 'Process details' }).getByRole('row')
  await expect.poll(() => rows.elements().length).toBe(1 + processes.length)
  const colours = new Map<string, Set<string>>()
  for (const [index, [name, cpu, memory, colour]] of processes.entries()) {
    const cells = rows.nth(index + 1).getByRole('cell')
    expect(textsOf(cells)).toEqual([name, `${cpu}%`, memory])
    const load = cells.nth(1).element().firstElementChild
    expect(load?.getAttribute('data-color')).toBe(colour)
    if (load) colours.set(colour, (colours.get(colour) ?? new Set()).add(getComputedStyle(load).color))
  }
  expect(Object.fromEntries([...colours].map(([colour, found]) => [colour, [...found]]))).toEqual({
    green: ['rgb(81, 207, 102)'],
    yellow: ['rgb(252, 196, 25)'],
    red: ['rgb(255, 107, 107)'],
  })
  expect(textsOf(section('Panel usage').getByRole('definition'))).toEqual(['4', '400.00 MiB', '45.0%'])
})

it('HOME-007 HOME-008 HOME-011 HOME-014 bandwidth of five periods by the days of the installation, each with its difference', async () => {
  answer(getInstallation, () => ({ timeZone: 'Asia/Tokyo', updatedAt: '2026-01-02T03:04:05.000Z' }))
  const periods = [
    ['Today', '3.00 GiB', '2.00 GiB', 'more', '2.00 GiB'],
    ['Last 7 days', '4.00 GiB', '3.00 GiB', 'more', '3.00 GiB'],
    ['Last 30 days', '5.00 GiB', '-2.00 GiB', 'less', '2.00 GiB'],
    ['Calendar month', '6.00 GiB', '0', undefined, '0'],
    ['Current year', '7.00 GiB', '-1.00 MiB', 'less', '1.00 MiB'],
  ] as const
  const [twoDays, week, month, calendarMonth, year] = periods.map(([, current, difference]) => ({
    current,
    previous: '1.00 GiB',
    difference,
  }))
  answer(getBandwidthStats, () =>
    sampleBandwidthStats({
      ...(twoDays && { bandwidthLastTwoDays: twoDays }),
      ...(week && { bandwidthLastSevenDays: week }),
      ...(month && { bandwidthLast30Days: month }),
      ...(calendarMonth && { bandwidthCalendarMonth: calendarMonth }),
      ...(year && { bandwidthCurrentYear: year }),
    }),
  )
  await showPage(HOME)
  const terms = section('Bandwidth').getByRole('term')
  await expect.poll(() => textsOf(terms)).toEqual(periods.map(([label]) => label))
  const figures = section('Bandwidth').getByRole('definition')
  for (const [index, [, current, , sign, shown]] of periods.entries()) {
    const figure = figures.nth(index)
    await expect.poll(() => figure.element().textContent).toContain(`${current}${shown}`)
    const signs = ['more', 'less'].filter((name) => figure.getByLabelText(name).elements().length > 0)
    expect(signs).toEqual(sign ? [sign] : [])
  }
  // However often: on a busy machine they are read again meanwhile.
  expect(new Set(requests(getBandwidthStats).map(({ tz }) => tz))).toEqual(new Set(['Asia/Tokyo']))
})

it('HOME-015 HOME-016 HOME-017 figures are read again every 5.1 s, processes every 10 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] })
  const asked: Record<'stats' | 'bandwidth' | 'health', number[]> = { stats: [], bandwidth: [], health: [] }
  answer(getSystemStats, () => {
    asked.stats.push(Date.now())
    return sampleSystemStats()
  })
  answer(getBandwidthStats, () => {
    asked.bandwidth.push(Date.now())
    return sampleBandwidthStats()
  })
  answer(getHealth, () => {
    asked.health.push(Date.now())
    return { pm2Stats: [] }
  })
  await showPage(HOME)
  const isThere = (count: number) => Object.values(asked).every(({ length }) => length >= count)
  for (let step = 0; !isThere(3) && step < 2000; step++) await vi.advanceTimersByTimeAsync(50)
  // From the answer on, which is taken up within a few steps of the clock.
  const gaps = (moments: number[]) => moments.slice(1).map((at, index) => at - (moments[index] ?? 0))
  const late = (moments: number[], everyMs: number) => gaps(moments).filter((gap) => gap < everyMs || gap > everyMs + 600)
  expect({ stats: late(asked.stats, 5100), bandwidth: late(asked.bandwidth, 5100), health: late(asked.health, 10_000) }).toEqual({
    stats: [],
    bandwidth: [],
    health: [],
  })
})

it('while the server is away, the figures of home are named as old', async () => {
  answer(getSystemStats, () => sampleSystemStats({ users: { ...sampleSystemStats().users, totalUsers: 6 } }))
  await showPage(HOME)
  const total = section('Users stats').getByRole('definition').first()
  await expect.element(total).toHaveTextContent('6')
  disconnect(getSystemStats)
  const banner = page.getByRole('alert').filter({ hasText: 'Error loading data' })
  await expect.element(banner).toMatchTextContent(/was read at .* and may have changed/)
  await expect.element(total).toHaveTextContent('6')
  answer(getSystemStats, () => sampleSystemStats())
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect.element(banner).not.toBeInTheDocument()
})
