import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { showPart } from '../../../test/screen.tsx'
import { Chart } from './chart.tsx'

const DAYS = 60
const SERIES = 40
const days = Array.from({ length: DAYS }, (_, day) => new Date(Date.UTC(2026, 4, 1 + day)).toISOString().slice(0, 10))
const series = Array.from({ length: SERIES }, (_, place) => ({
  key: `${place}`,
  name: `Node ${place}`,
  values: days.map(() => 1e9),
  total: 1e9 * DAYS,
}))

it('of very many bars all series are stacked, and the day that is not over looks different', async () => {
  await showPart(<Chart label="Traffic" filterLabel="Nodes" days={days} series={series} running={DAYS - 1} />, {
    texts: ['chart'],
  })
  const chart = page.getByRole('img', { name: `${SERIES} series over ${DAYS} days` })
  await expect.element(chart).toBeInTheDocument()
  const canvas = () => chart.element().querySelector('canvas')
  /** The colours of one day from the bottom to the top, counted from the last. */
  const colours = (daysAgo: number) => {
    const drawn = canvas()
    if (!drawn) return []
    const scale = drawn.width / drawn.clientWidth
    const x = (drawn.clientWidth - 8 - (daysAgo + 0.5) * ((drawn.clientWidth - 64) / DAYS)) * scale
    const { data } = drawn.getContext('2d')?.getImageData(Math.round(x), 0, 1, drawn.height) ?? { data: [] }
    return Array.from({ length: data.length / 4 }, (_, row) => data.slice(row * 4, row * 4 + 4).join(','))
  }
  await expect.poll(() => new Set(colours(1)).size).toBeGreaterThan(SERIES / 4)
  const alike = (daysAgo: number) => {
    const others = new Set(colours(1))
    return [...new Set(colours(daysAgo))].filter((colour) => others.has(colour)).length
  }
  expect([2, 3, 4].map(alike).toSorted((a, b) => b - a)[0]).toBeGreaterThan(SERIES / 4)
  expect(alike(0)).toBeLessThan(SERIES / 10)
})

it('some days are shown alone: drawn over with the mouse, or marked with Shift and the arrows, and all again', async () => {
  await showPart(<Chart label="Traffic" filterLabel="Nodes" days={days} series={series.slice(0, 2)} />, { texts: ['chart'] })
  const whole = page.getByRole('img', { name: `2 series over ${DAYS} days` })
  await expect.element(whole).toBeVisible()
  const { width } = whole.element().getBoundingClientRect()
  await userEvent.dragAndDrop(whole, whole, {
    sourcePosition: { x: width * 0.4, y: 100 },
    targetPosition: { x: width * 0.6, y: 100 },
  })
  const part = page.getByRole('img', { name: /2 series over 1\d days/ })
  await expect.element(part).toBeVisible()
  await expect.element(page.getByRole('status').filter({ hasText: /^From .* to / })).toBeVisible()
  await page.getByRole('button', { name: 'Whole period' }).click()
  await expect.element(whole).toBeVisible()
  const walk = page.getByRole('slider', { name: /^Traffic/ })
  walk.element().focus()
  await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{/Shift}')
  await expect.element(walk).toHaveAttribute('aria-valuetext', expect.stringMatching(/^From 27 .* to 29 |^From .*27.* to .*29/))
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('img', { name: '2 series over 3 days' })).toBeVisible()
  // The keys go on where they were.
  await userEvent.keyboard('{Escape}')
  await expect.element(whole).toBeVisible()
})
