import { chromium, type Browser, type Page } from '@playwright/test'
import { watchRequests } from '../e2e/stage/quiet.ts'
import { ensureChromium } from '../scripts/chromium.ts'
import { measureChart, measureNodesChart, type ChartFigures } from './usage-chart.ts'

export interface OpeningFigures {
  /** From the start of the navigation until the first row can be seen, in ms. */
  firstRows: number
  /** As sent, with headers. */
  kilobytes: number
  /** The longest time the page could not answer to input, in ms; those under 50 ms are not reported by the browser. */
  longestTask: number
}

export interface PollingFigures {
  /** Megabytes of the JavaScript heap after a collection: at first, and after each minute. */
  heap: number[]
  longestTask: number
}

const USERS_PAGE = '/dashboard/management/users'
const STATISTICS_PAGE = '/dashboard/management/stats/nodes'
const PAGE_LIMIT_MS = 60_000

/** The users page in Chromium at 1440×900: opened with nothing kept, opened again, and left alone with 500 rows. */
export async function withUsersPage<T>(
  origin: string,
  token: string,
  take: (measures: {
    cold: () => Promise<OpeningFigures>
    warm: () => Promise<OpeningFigures>
    polling: (minutes: number) => Promise<PollingFigures>
    chart: (userUuid: string) => Promise<ChartFigures>
  }) => Promise<T>,
): Promise<T> {
  const browser = await launch()
  try {
    const page = await signedInPage(browser, origin, token)
    await opening(page, origin) // fills the cache
    return await take({
      cold: async () => {
        const fresh = await signedInPage(browser, origin, token)
        const found = await opening(fresh, origin)
        await fresh.context().close()
        return found
      },
      warm: async () => {
        await page.goto('about:blank')
        return opening(page, origin)
      },
      polling: (minutes) => polling(page, origin, minutes),
      chart: (userUuid) => measureChart(page, origin + USERS_PAGE, userUuid),
    })
  } finally {
    await browser.close()
  }
}

/** The statistics of all nodes, in the same browser and window. */
export async function measureStatisticsPage(origin: string, token: string): Promise<ChartFigures> {
  const browser = await launch()
  try {
    return await measureNodesChart(await signedInPage(browser, origin, token), origin + STATISTICS_PAGE)
  } finally {
    await browser.close()
  }
}

export function launch(): Promise<Browser> {
  ensureChromium()
  return chromium.launch({
    executablePath: process.env['CHROMIUM']!,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
}

export async function signedInPage(browser: Browser, origin: string, token: string): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    storageState: {
      cookies: [],
      origins: [{ origin, localStorage: [{ name: 'session', value: token }] }],
    },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PAGE_LIMIT_MS)
  await page.addInitScript(() => {
    Object.assign(window, { longestTask: 0 })
    new PerformanceObserver((list) => {
      const found = list.getEntries().map((entry) => entry.duration)
      Object.assign(window, { longestTask: Math.max(Number(Reflect.get(window, 'longestTask')), ...found) })
    }).observe({ type: 'longtask', buffered: true })
  })
  return page
}

async function opening(page: Page, origin: string): Promise<OpeningFigures> {
  let bytes = 0
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  network.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
  const isQuiet = watchRequests(page)
  await page.goto(origin + USERS_PAGE, { waitUntil: 'commit' })
  await rowsAreShown(page)
  const firstRows = await page.evaluate(() => performance.now())
  // What the page still does after its rows are there, such as loading what is behind its buttons.
  await isQuiet()
  await network.detach()
  return { firstRows, kilobytes: bytes / 1000, longestTask: await longestTask(page) }
}

async function polling(page: Page, origin: string, minutes: number): Promise<PollingFigures> {
  const isQuiet = watchRequests(page)
  await page.goto(origin + USERS_PAGE)
  const answer = page.waitForResponse((response) => response.url().includes('size=500'))
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('500')
  await answer
  await rowsAreShown(page)
  await isQuiet()
  const session = await page.context().newCDPSession(page)
  const heap = [await heapMegabytes(session)]
  await page.evaluate(() => Object.assign(window, { longestTask: 0 }))
  for (let minute = 0; minute < minutes; minute++) {
    await page.waitForTimeout(60_000)
    heap.push(await heapMegabytes(session))
  }
  return { heap, longestTask: await longestTask(page) }
}

type Session = Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>

async function heapMegabytes(session: Session): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return usedSize / 1e6
}

function rowsAreShown(page: Page): Promise<void> {
  return page.locator('main tbody tr[aria-rowindex]').first().waitFor()
}

function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => Number(Reflect.get(window, 'longestTask')))
}
