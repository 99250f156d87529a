import { createConfigProfile } from '@causeway/contract'
import type { CDPSession, Page } from '@playwright/test'
import { apiClient } from '../e2e/stage/api-client.ts'
import { launch, signedInPage } from './users-page.ts'

export interface EditorFigures {
  lines: number
  firstKeys: FirstKey[]
  typing: TaskFigures
  pasting: TaskFigures & { megabytes: number }
}

interface FirstKey {
  /**
   * From the start of the navigation, with nothing kept by the browser, until a key can be taken: the text has the focus, is
   * drawn, and the page's thread answers; in ms.
   */
  possible: number
  /** Until one has been taken, and the page shows so, with the ways of whoever drives the browser in between. */
  taken: number
  /** What the page's thread worked until then, in ms of the processor. */
  work: number
}

/** What the page's thread did, in ms of the processor: other work on the machine does not count. */
interface TaskFigures {
  longest: number
  total: number
  /** As the clock says it. */
  longestByClock: number
}

const COLD_SAMPLES = 5
const KEYS = 100
/** As quickly as somebody types who types quickly. */
const KEY_PAUSE_MS = 80
const PASTED_BYTES = 5_000_000

/** The editor of a profile with 5,000 lines in Chromium: opened with nothing kept, typed into, and given 5 MB at once. */
export async function measureEditor(origin: string, token: string): Promise<EditorFigures> {
  const config = longConfig()
  const { uuid } = await apiClient(origin, token)(createConfigProfile, { name: `bench-${Date.now()}`, config })
  const address = `${origin}/dashboard/management/config-profiles/${uuid}`
  const firstKeys: FirstKey[] = []
  for (let sample = 1; sample < COLD_SAMPLES; sample++)
    firstKeys.push(await withFirstKey(origin, token, address, async ({ first }) => first))
  return withFirstKey(origin, token, address, async ({ first, page, session }) => {
    // Xray is looked up and started meanwhile; what is typed later meets it at work.
    await page
      .getByRole('status')
      .filter({ hasText: /\d\d:\d\d:\d\d/ })
      .waitFor()
    // Where the text is no JSON any more, everything has most to say.
    const typing = await tasksDuring(page, session, async () => {
      for (let key = 0; key < KEYS; key++) {
        await page.keyboard.press('abcdefghij'.charAt(key % 10))
        await page.waitForTimeout(KEY_PAUSE_MS)
      }
    })
    const pasted = pastedText()
    const pasting = await tasksDuring(page, session, async () => {
      await page.keyboard.press('Control+a')
      await page.evaluate((content) => {
        const clipboard = new DataTransfer()
        clipboard.setData('text/plain', content)
        const event = new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true })
        document.activeElement?.dispatchEvent(event)
      }, pasted)
      await page.waitForTimeout(10_000)
    })
    return {
      lines: JSON.stringify(config, null, 2).split('\n').length,
      firstKeys: [...firstKeys, first],
      typing,
      pasting: { ...pasting, megabytes: pasted.length / 1e6 },
    }
  })
}

interface Begun {
  first: FirstKey
  page: Page
  session: CDPSession
}

/** In a browser of its own, which has kept nothing: no file and no code that it has read. */
async function withFirstKey<T>(origin: string, token: string, address: string, take: (begun: Begun) => Promise<T>): Promise<T> {
  const browser = await launch()
  try {
    const page = await signedInPage(browser, origin, token)
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    await page.addInitScript(focusWhenThere)
    await page.goto(address, { waitUntil: 'commit' })
    const at = await page.waitForFunction(() => Reflect.get(window, 'takesKeysAt'))
    await page.keyboard.press('Space')
    await page.locator('button:enabled', { hasText: 'Discard changes' }).waitFor()
    const taken = await page.evaluate(() => performance.now())
    const first = { possible: Number(await at.jsonValue()), taken, work: await workOf(session) }
    return await take({ first, page, session })
  } finally {
    await browser.close()
  }
}

/** Runs in the page, so that nobody's asking for it is measured too. */
function focusWhenThere(): void {
  const look = (): void => {
    const text = document.querySelector('[aria-label^="Xray config"]:is(textarea, [role="textbox"])')
    if (!(text instanceof HTMLElement)) return void requestAnimationFrame(look)
    text.focus()
    requestAnimationFrame(() => setTimeout(() => Object.assign(window, { takesKeysAt: performance.now() })))
  }
  requestAnimationFrame(look)
}

async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
}

interface TraceEvent {
  name: string
  pid: number
  tid: number
  dur?: number
  tdur?: number
  args: { name?: string }
}

/** What the tasks of the page's thread took while something was done, by the browser's own trace. */
async function tasksDuring(page: Page, session: CDPSession, act: () => Promise<void>): Promise<TaskFigures> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  const before = await workOf(session)
  await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', '__metadata'] })
  await act()
  const total = (await workOf(session)) - before
  const trace: { traceEvents: TraceEvent[] } = JSON.parse((await browser.stopTracing()).toString())
  const events = trace.traceEvents
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
  const tasks = threads
    .map(({ pid, tid }) => events.filter((event) => event.name === 'RunTask' && event.pid === pid && event.tid === tid))
    .reduce((most, some) => (some.length > most.length ? some : most), [])
  if (tasks.length === 0) throw new Error('the trace holds no task of the page')
  const longestOf = (times: (number | undefined)[]) => times.reduce<number>((most, time = 0) => Math.max(most, time), 0) / 1000
  return { longest: longestOf(tasks.map(({ tdur }) => tdur)), longestByClock: longestOf(tasks.map(({ dur }) => dur)), total }
}

/** As large operators have them: many inbounds, and long lists of where what goes. */
function longConfig() {
  const inbounds = Array.from({ length: 60 }, (_, place) => ({
    tag: `BENCH_${Date.now()}_${place}`,
    port: 20_000 + place,
    protocol: 'vless',
    settings: { clients: [], decryption: 'none' },
    streamSettings: { network: 'ws', wsSettings: { path: `/${place}`, headers: { Host: `n${place}.example.com` } } },
    sniffing: { enabled: true, destOverride: ['http', 'tls', 'quic'] },
  }))
  const rules = Array.from({ length: 60 }, (_, rule) => ({
    type: 'field',
    domain: Array.from({ length: 50 }, (_, place) => `domain:site-${rule}-${place}.example.com`),
    outboundTag: rule % 2 === 0 ? 'DIRECT' : 'BLOCK',
  }))
  return {
    log: { loglevel: 'warning' },
    inbounds,
    outbounds: [
      { protocol: 'freedom', tag: 'DIRECT' },
      { protocol: 'blackhole', tag: 'BLOCK' },
    ],
    routing: { rules },
  }
}

function pastedText(): string {
  const domains: string[] = []
  const entry = (place: number) => `domain:pasted-${place}.example.com`
  for (let place = 0, bytes = 0; bytes < PASTED_BYTES; place++) {
    domains.push(entry(place))
    bytes += entry(place).length + 15
  }
  return JSON.stringify({ inbounds: [], routing: { rules: [{ type: 'field', domain: domains, outboundTag: 'X' }] } }, null, 2)
}
