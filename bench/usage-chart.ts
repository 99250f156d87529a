import pg from 'pg'
import type { Locator, Page } from '@playwright/test'

const SERIES = 100
const DAYS = 180

export interface ChartFigures {
  /** From the choice of the period until the drawing is on the screen, the answer of the server included, in ms. */
  draw: number
  /** From pressing until the drawing is on the screen, in ms. */
  regroup: number
  highlight: number
  /** The longest time the page could not answer while the pointer crossed the chart, in ms. */
  hover: number
}

/** Gives one user traffic on a hundred nodes on each of 180 days; says who. */
export async function fillUsage(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into "nodes" ("name", "address", "isDisabled") select 'Extra ' || n, 'extra-' || n || '.invalid', true
       from generate_series((select count(*) + 1 from "nodes"), $1::int) n`,
      [SERIES],
    )
    await client.query(
      `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
       select (now() at time zone 'utc')::date - day, "nodes"."id", (select min("id") from "users"), 0, 1e8 * (1 + (day * "nodes"."id") % 7)
       from generate_series(0, $1::int - 1) day, "nodes" on conflict do nothing`,
      [DAYS],
    )
    const { rows } = await client.query<{ uuid: string }>('select "uuid" from "users" order by "id" limit 1')
    return rows[0]?.uuid ?? ''
  } finally {
    await client.end()
  }
}

/** The usage drawer of that user in a page that is signed in. */
export async function measureChart(page: Page, usersPage: string, userUuid: string): Promise<ChartFigures> {
  await page.goto(`${usersPage}?usage=${userUuid}`)
  return measureIn(page, page.getByRole('dialog'))
}

/** The statistics of all nodes, of which the hundred largest are drawn. */
export async function measureNodesChart(page: Page, statisticsPage: string): Promise<ChartFigures> {
  await page.goto(statisticsPage)
  const chart = page.getByRole('region', { name: 'Traffic by node', exact: true })
  await chart.getByRole('button', { name: 'Legend' }).click()
  return measureIn(page, chart)
}

async function measureIn(page: Page, place: Locator): Promise<ChartFigures> {
  const chart = place.getByRole('img', { name: 'series over' })
  await chart.locator('canvas').waitFor()
  await page.getByRole('combobox', { name: 'Period' }).click()
  const draw = await timed(page, async () => {
    await page.getByRole('option', { name: `${DAYS} days` }).click()
    await page.getByRole('img', { name: `${SERIES} series over ${DAYS} days` }).waitFor()
  })
  const regroup = await timed(page, () => page.getByText('Grouped').click())
  await page.getByText('Stacked').click()
  const highlight = await timed(page, () => page.locator('.chart-legend button').first().click())
  await page.evaluate(() => Object.assign(window, { longestTask: 0 }))
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart has no place on the screen.')
  for (let step = 0; step < 40; step++) {
    await page.mouse.move(box.x + (box.width * (step + 0.5)) / 40, box.y + box.height / 2)
    await painted(page)
  }
  return { draw, regroup, highlight, hover: await page.evaluate(() => Number(Reflect.get(window, 'longestTask'))) }
}

async function timed(page: Page, act: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await act()
  await painted(page)
  return performance.now() - begun
}

function painted(page: Page): Promise<void> {
  return page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))))
}
