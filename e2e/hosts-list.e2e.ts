import { deleteConfigProfile, deleteHost, type ConfigProfile, type Host } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { seeding } from './stage/seeding.ts'

// How a row of the list of hosts is taken and moved, by a mouse and by a finger.

const HOSTS = '/dashboard/management/hosts'
const list = (page: Page) => page.getByRole('list', { name: 'Hosts' })
const rows = (page: Page) => list(page).getByRole('listitem')
const dragged = (page: Page) => list(page).locator('[data-dragging]')

let profile: ConfigProfile
let hosts: Host[]

test.beforeAll(async ({ session }) => {
  const seed = seeding(session.api)
  profile = await seed.makeConfigProfile()
  hosts = [await seed.makeHost(profile), await seed.makeHost(profile), await seed.makeHost(profile)]
})

test.afterAll(async ({ session }) => {
  for (const { uuid } of hosts) await session.api(deleteHost, { uuid })
  await session.api(deleteConfigProfile, { uuid: profile.uuid })
})

async function handleOf(page: Page, index: number): Promise<{ x: number; y: number }> {
  const box = await list(page).locator(`[data-index="${index}"]`).getByRole('button', { name: /^Move/ }).boundingBox()
  if (box === null) throw new Error('the row has a handle')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('HOST-040 HOST-041 a row is taken after 5 px or by a finger after 250 ms, and moves up and down only', async ({
  page,
  context,
}) => {
  await page.clock.install()
  await page.goto(HOSTS)
  await expect(rows(page).first()).toBeVisible()
  const { x, y } = await handleOf(page, 0)
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 5)
  await page.clock.runFor(100)
  await expect(dragged(page)).toHaveCount(0)
  await page.mouse.move(x, y + 6)
  await expect(dragged(page)).toHaveCount(1)
  const before = await dragged(page).boundingBox()
  await page.mouse.move(x + 200, y + 30, { steps: 4 })
  await expect.poll(async () => (await dragged(page).boundingBox())?.y).toBeGreaterThan((before?.y ?? 0) + 15)
  expect((await dragged(page).boundingBox())?.x).toBe(before?.x)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect(dragged(page)).toHaveCount(0)
  await page.clock.runFor(500)

  await page.clock.pauseAt(Date.now() + 3_600_000)
  const screen = await context.newCDPSession(page)
  const from = await handleOf(page, 0)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at = 0) =>
    screen.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x: from.x, y: from.y + at }] })
  // A finger that wanders in that time scrolls. (The browser itself overlooks the first 15 px.)
  await touch('touchStart')
  await touch('touchMove', 25)
  await page.clock.runFor(400)
  await expect(dragged(page)).toHaveCount(0)
  await touch('touchEnd')
  await touch('touchStart')
  await page.clock.runFor(249)
  await expect(dragged(page)).toHaveCount(0)
  await page.clock.runFor(1)
  await expect(dragged(page)).toHaveCount(1)
  await touch('touchEnd')
})
