import { deleteConfigProfile, deleteNode, listNodes, type ConfigProfile, type Node } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy, type FaultProxy } from './stage/fault-proxy.ts'
import { seeding } from './stage/seeding.ts'

// What the list of nodes does by itself: when it asks the server, how a row is taken and moved.

const NODES = '/dashboard/management/nodes'
const list = (page: Page) => page.getByRole('list', { name: 'Nodes' })
const rows = (page: Page) => list(page).getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const dragged = (page: Page) => list(page).locator('[data-dragging]')

/** Rows in view with those that are kept ready above and below do not reach the end of so many. */
const NODE_COUNT = 26
let profile: ConfigProfile
let nodes: Node[]

test.beforeAll(async ({ session }) => {
  const seed = seeding(session.api)
  profile = await seed.makeConfigProfile()
  nodes = []
  for (let count = 0; count < NODE_COUNT; count++) nodes.push(await seed.makeNode(profile))
})

test.afterAll(async ({ session }) => {
  for (const { uuid } of nodes) await session.api(deleteNode, { uuid })
  await session.api(deleteConfigProfile, { uuid: profile.uuid })
})

// Without the stream of changes, which has the list read again as well: these nodes are looked for all the time.
test.beforeEach(async ({ page }) => {
  await page.route('**/api/x/events', (route) => route.abort())
})

/** How often the page has asked for something, by path. */
function asked(page: Page, path: string): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === path) count += 1
  })
  return () => count
}

/** Lets the page's halted clock run until something is there. */
async function runUntil(page: Page, isThere: () => Promise<boolean>, stepMs = 20): Promise<void> {
  await expect
    .poll(
      async () => {
        await page.clock.runFor(stepMs)
        return isThere()
      },
      { intervals: [5], timeout: 30_000 },
    )
    .toBe(true)
}

async function haltClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 3_600_000)
}

/** The page as it is served through a proxy that can break or replace answers. */
async function openThrough(page: Page, proxy: FaultProxy, token: string): Promise<void> {
  await page.addInitScript((given) => localStorage.setItem('session', given), token)
  await page.goto(proxy.origin + NODES)
  await expect(rows(page).first()).toBeVisible()
}

/** Names by place: the order of the document is another. */
async function order(page: Page): Promise<string[]> {
  const places = await rows(page).evaluateAll((items) =>
    items
      .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
      .map((item) => item.querySelector('button[aria-label^="Move "]')?.getAttribute('aria-label')?.slice('Move '.length) ?? ''),
  )
  return places.slice(0, 3)
}

test('NODE-005 NODE-075 NODE-076 the list is drawn 300 ms after its page, asked for when the page opens and every 5 s', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/dashboard/management/internal-squads')
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toHaveText('Internal squads')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await nav.getByRole('button', { name: 'Nodes' }).click()
  await expect(nav.getByRole('link', { name: 'Management' })).toBeVisible()
  await haltClock(page)
  const lists = asked(page, '/api/nodes')
  const go = async (link: string, title: string) => {
    await nav.getByRole('link', { name: link, exact: true }).click()
    await runUntil(page, async () => (await heading.textContent()) === title)
  }
  const answered = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/nodes')
  await go('Management', 'Nodes')
  await answered
  await page.clock.runFor(200)
  await expect(rows(page)).toHaveCount(0)
  await page.clock.runFor(150)
  await expect(rows(page).first()).toBeVisible()

  const untilAsked = async (): Promise<void> => {
    const before = lists()
    await runUntil(page, async () => lists() > before, 100)
  }
  const now = () => page.evaluate(() => Date.now())
  // The 5 s begin with the answer.
  const polled = page.waitForEvent('requestfinished', (request) => new URL(request.url()).pathname === '/api/nodes')
  await untilAsked()
  await polled
  const [asks, polledAt] = [lists(), await now()]
  await page.clock.runFor(3000)
  expect(lists()).toBe(asks)
  await untilAsked()
  const askedAt = await now()
  expect(askedAt - polledAt).toBeLessThan(9000)

  // What is known is not 5 s old, and yet it is asked for.
  await go('Internal squads', 'Internal squads')
  // The folder has closed behind its last page.
  const management = nav.getByRole('link', { name: 'Management' })
  await nav.getByRole('button', { name: 'Nodes' }).click()
  await runUntil(page, () => management.isVisible())
  const opened = untilAsked()
  await management.click()
  await opened
  expect((await now()) - askedAt).toBeLessThan(4000)

  await runUntil(page, () => rows(page).first().isVisible())
  const name = nodes[0]?.name ?? ''
  await row(page, name).getByRole('button', { name }).last().press('Enter')
  await runUntil(page, () => dialog(page, 'Edit node').isVisible())
  await page.evaluate(() => history.go(-2))
  await runUntil(page, async () => (await heading.textContent()) === 'Internal squads')
  const usage = asked(page, '/api/nodes/usage/realtime')
  const last = lists()
  await page.evaluate(() => history.go(2))
  await runUntil(page, async () => (await dialog(page, 'Edit node').isVisible()) && usage() > 1, 250)
  await page.clock.runFor(500)
  expect(lists()).toBe(last)
})

test('NODE-059 NODE-060 an open node is followed until it is touched, and a closed form forgets', async ({ page }) => {
  const node = nodes[0]
  if (node === undefined) throw new Error('there are nodes')
  await page.clock.install()
  const reads = asked(page, `/api/nodes/${node.uuid}`)
  const usage = asked(page, '/api/nodes/usage/realtime')
  await page.goto(`${NODES}?edit=${node.uuid}`)
  const modal = dialog(page, 'Edit node')
  const name = modal.getByLabel('Internal name')
  await expect(name).toHaveValue(node.name)
  const first = reads()
  await page.clock.fastForward(5000)
  await expect.poll(reads).toBeGreaterThan(first)

  await name.fill('touched')
  const [untouched, before] = [reads(), usage()]
  for (const polls of [1, 2]) {
    await page.clock.fastForward(6000)
    await expect.poll(usage).toBeGreaterThanOrEqual(before + polls)
  }
  expect(reads()).toBe(untouched)

  const leave = async () => {
    await page.keyboard.press('Escape')
    await dialog(page, 'Discard changes?').getByRole('button', { name: 'Discard' }).click()
    await page.clock.runFor(300)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await leave()
  await row(page, node.name).getByRole('button', { name: node.name }).last().press('Enter')
  await expect(name).toHaveValue(node.name)
  await page.keyboard.press('Escape')
  await page.clock.runFor(300)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('button', { name: 'New node' }).click()
  const created = dialog(page, 'New node').getByLabel('Internal name')
  await created.fill('forgotten')
  await leave()
  await page.getByRole('button', { name: 'New node' }).click()
  await expect(created).toHaveValue('')
})

test('NODE-009 NODE-062 NODE-063 NODE-064 NODE-087 a row is taken after 5 px; meanwhile the list rests', async ({
  page,
  panel,
  session,
  api,
}) => {
  const proxy = await startFaultProxy(panel.origin)
  await page.clock.install()
  await openThrough(page, proxy, session.token)
  const lists = asked(page, '/api/nodes')
  const usage = asked(page, '/api/nodes/usage/realtime')
  const take = async (): Promise<{ x: number; y: number }> => {
    const box = await row(page, (await order(page))[0] ?? '')
      .getByRole('button', { name: /^Move/ })
      .boundingBox()
    if (box === null) throw new Error('the first row has a handle')
    const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
    await page.mouse.move(at.x, at.y)
    await page.mouse.down()
    return at
  }
  const start = await take()
  await page.mouse.move(start.x, start.y + 5)
  await page.clock.runFor(100)
  await expect(dragged(page)).toHaveCount(0)
  await page.mouse.move(start.x, start.y + 6)
  await expect(dragged(page)).toHaveCount(1)
  const [resting, before] = [lists(), usage()]
  for (const polls of [1, 2]) {
    await page.clock.fastForward(6000)
    await expect.poll(usage).toBeGreaterThanOrEqual(before + polls)
  }
  expect(lists()).toBe(resting)
  await page.keyboard.press('Escape')
  await expect(dragged(page)).toHaveCount(0)
  await page.mouse.up()
  await page.clock.fastForward(6000)
  await expect.poll(lists).toBeGreaterThan(resting)

  // Moved at once, before the server knows.
  const drop = async () => {
    const from = await take()
    await page.mouse.move(from.x, from.y + 20)
    await page.mouse.move(from.x, from.y + 70, { steps: 4 })
    await expect(dragged(page)).toHaveCount(1)
    await page.mouse.up()
  }
  const names = await order(page)
  proxy.inject({ path: '/api/nodes/actions/reorder', times: 1, effect: { kind: 'delay', ms: 1500 } })
  const sent = page.waitForRequest('**/api/nodes/actions/reorder')
  let isAnswered = false
  const seen = lists()
  const answered = page.waitForResponse('**/api/nodes/actions/reorder').then(() => (isAnswered = true))
  await drop()
  await sent
  await expect.poll(() => order(page)).toEqual([names[1], names[0], names[2]])
  expect(isAnswered).toBe(false)
  await answered
  // What the server tells of this order is read before the next one, whose answer it would replace.
  await expect.poll(lists).toBeGreaterThan(seen)
  expect((await api(listNodes, {})).slice(0, 2).map(({ name }) => name)).toEqual([names[1], names[0]])

  // A name that only the answer has can come from nowhere else.
  const [first, ...others] = await api(listNodes, {})
  const response = [{ ...first, name: 'as answered' }, ...others]
  proxy.inject({ path: '/api/nodes/actions/reorder', times: 1, effect: { kind: 'answer', status: 200, body: { response } } })
  await drop()
  await expect(row(page, 'as answered')).toBeVisible()
  const polled = lists()
  await page.clock.fastForward(6000)
  await expect.poll(lists).toBeGreaterThan(polled)
  await expect(row(page, 'as answered')).toHaveCount(0)
  await proxy.close()
})

test('NODE-010 NODE-093 a finger takes a row after 250 ms; a copied address says so for a second', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.clock.install()
  await page.goto(NODES)
  await expect(rows(page).first()).toBeVisible()
  await haltClock(page)
  const box = await rows(page).first().getByRole('button', { name: /^Move/ }).boundingBox()
  if (box === null) throw new Error('the first row has a handle')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const screen = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at = 0) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: y + at }] })

  // A finger that wanders in that time scrolls. (The browser itself overlooks the first 15 px.)
  await touch('touchStart')
  await touch('touchMove', 25)
  await page.clock.runFor(400)
  await expect(dragged(page)).toHaveCount(0)
  await touch('touchEnd')

  await touch('touchStart')
  await page.clock.runFor(200)
  await touch('touchMove', 4)
  await page.clock.runFor(49)
  await expect(dragged(page)).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(dragged(page)).toHaveCount(1)
  await touch('touchEnd')
  await expect(dragged(page)).toHaveCount(0)
  // For a moment after a drag clicks are swallowed, as its end is one.
  await page.clock.runFor(100)

  const address = rows(page)
    .first()
    .getByRole('button', { name: /^Copy address/ })
  await address.click()
  await expect(address.locator('svg.tabler-icon-check')).toHaveCount(1)
  await page.clock.runFor(950)
  await expect(address.locator('svg.tabler-icon-check')).toHaveCount(1)
  await page.clock.runFor(50)
  await expect(address.locator('svg.tabler-icon-copy')).toHaveCount(1)
})
