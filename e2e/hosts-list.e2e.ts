import { createHost, deleteConfigProfile, deleteHost, listHosts, type ConfigProfile, type Host } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { plainProfile, seeding, uniqueName } from './stage/seeding.ts'

// What the list of hosts does by itself: which rows exist, how one is found, taken and moved; and the picker of inbounds.

const HOSTS = '/dashboard/management/hosts'
const list = (page: Page) => page.getByRole('list', { name: 'Hosts' })
const rows = (page: Page) => list(page).getByRole('listitem')
const row = (page: Page, remark: string) => rows(page).filter({ hasText: remark })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const picker = (page: Page) => dialog(page, 'Config profile and inbounds')
const dragged = (page: Page) => list(page).locator('[data-dragging]')

/** Rows in view with those that are kept ready above and below do not reach the end of so many. */
const HOST_COUNT = 30
let profile: ConfigProfile
let hosts: Host[]

test.beforeAll(async ({ session }) => {
  const seed = seeding(session.api)
  const name = uniqueName('profile')
  const [inbound] = plainProfile(name)['inbounds'] as Record<string, unknown>[] // the seeding's own profile has exactly one
  profile = await seed.makeConfigProfile({
    name,
    config: {
      ...plainProfile(name),
      inbounds: [inbound, { tag: `${name}-SS`, port: 8444, protocol: 'shadowsocks', settings: { clients: [], network: 'tcp' } }],
    },
  })
  hosts = []
  for (let count = 0; count < HOST_COUNT; count++) hosts.push(await seed.makeHost(profile))
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

test('HOST-011 HOST-013 HOST-020 only rows in view exist and five more on either side; a found one is in the middle', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 420 })
  await page.goto(HOSTS)
  await expect(rows(page).first()).toBeVisible()
  const total = await list(page).evaluate((ul) => ul.clientHeight / 60)
  expect(total).toBeGreaterThanOrEqual(HOST_COUNT)
  expect(Number.isInteger(total)).toBe(true)
  await list(page).evaluate((ul) => window.scrollTo(0, window.scrollY + ul.getBoundingClientRect().top + 60 * 10 + 20))
  const outside = () =>
    rows(page).evaluateAll((items) => {
      const boxes = items.map((item) => item.getBoundingClientRect())
      return [boxes.filter(({ bottom }) => bottom <= 0).length, boxes.filter(({ top }) => top >= innerHeight).length]
    })
  await expect.poll(outside).toEqual([5, 5])

  const sought = hosts[HOST_COUNT - 12]?.remark ?? ''
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.getByRole('searchbox', { name: 'Search remark' }).fill(sought)
  const offCentre = () =>
    row(page, sought).evaluate((item) => {
      const { top, height } = item.getBoundingClientRect()
      return Math.abs(top + height / 2 - innerHeight / 2)
    })
  await expect(row(page, sought)).toHaveAttribute('data-highlighted', 'true')
  await expect.poll(offCentre).toBeLessThan(60)

  // Of rows that have not been seen yet it is only supposed how high they are.
  await page.setViewportSize({ width: 769, height: 420 })
  await page.goto(HOSTS)
  const beside = () =>
    rows(page)
      .first()
      .evaluate((item) => {
        const [name, address] = [item.querySelector('button:not([aria-label])'), item.querySelector('bdi')]
        if (name === null || address === null) throw new Error('a row has a remark and an address')
        return address.getBoundingClientRect().top < name.getBoundingClientRect().bottom
      })
  await expect.poll(beside).toBe(true)
  await page.setViewportSize({ width: 768, height: 420 })
  await page.goto(HOSTS)
  await expect.poll(beside).toBe(false)
  const supposed = () =>
    list(page).evaluate((ul, count) => {
      const seen = Array.from(ul.children, (item) => item.getBoundingClientRect().height)
      const sum = seen.reduce((all, height) => all + height, 0)
      return Math.round((ul.clientHeight - sum) / (count - seen.length))
    }, total)
  await expect.poll(supposed).toBe(202)
})

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

test('HOST-038 the filters stay while a host is open, and an open host is shown as soon as it is there', async ({ page }) => {
  const [host] = hosts
  if (host === undefined) throw new Error('there are hosts')
  await page.goto(`${HOSTS}?edit=${host.uuid}`)
  await expect(dialog(page, 'Edit host').getByLabel('Remark')).toHaveValue(host.remark)
  await page.keyboard.press('Escape')
  await expect(page).not.toHaveURL(/edit=/)
  const chosen = page.getByRole('combobox', { name: 'Config profile' })
  await chosen.click()
  await page.getByRole('option', { name: profile.name }).click()
  await page.getByRole('combobox', { name: 'Inbound' }).click()
  await page.getByRole('option', { name: profile.inbounds[0]?.tag ?? '' }).click()
  await row(page, host.remark).getByRole('button', { name: host.remark, exact: true }).press('Enter')
  await expect(dialog(page, 'Edit host').getByLabel('Remark')).toHaveValue(host.remark)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New host' }).click()
  await expect(dialog(page, 'New host').getByLabel('Remark')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(chosen).toHaveValue(profile.name)
  await expect(page.getByRole('combobox', { name: 'Inbound' })).toHaveValue(profile.inbounds[0]?.tag ?? '')
})

test('HOST-056 HOST-057 HOST-061 HOST-062 HOST-063 the picker searches and takes one inbound of one profile', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto(HOSTS)
  const [host] = hosts
  await page.getByRole('checkbox', { name: `Select ${host?.remark}` }).check()
  const selection = page.getByRole('region', { name: 'Selected hosts' })
  await selection.getByRole('button', { name: 'Set inbound' }).click()
  const search = picker(page).getByRole('searchbox')
  const found = picker(page).getByRole('button', { name: new RegExp(`^${profile.name}`) })
  await expect(found).toBeVisible()
  await page.clock.pauseAt(Date.now() + 3_600_000)
  await search.fill('nothing of this name')
  await page.clock.runFor(299)
  await expect(found).toBeVisible()
  await page.clock.runFor(1)
  await expect(found).toHaveCount(0)
  await page.clock.resume()
  // What is counted is the profile's, whatever is looked for in it.
  for (const text of [profile.name.toUpperCase(), `${profile.name}-ss`, `${profile.name}-VLESS`, 'SHADOWSOCKS']) {
    await search.fill(text)
    await expect(found).toContainText('of 2')
  }

  await search.fill(profile.name)
  await expect(found).toContainText('of 2')
  if ((await found.getAttribute('aria-expanded')) === 'false') await found.click()
  await picker(page).getByRole('button', { name: 'Apply' }).click()
  await expect(picker(page).getByRole('alert')).toHaveText('Please select both a config profile and an inbound')
  const refusal = page.getByRole('alert').filter({ hasText: 'Not supported' })
  await picker(page).getByRole('button', { name: 'Select all' }).click()
  await expect(refusal).toContainText('A host leads to one inbound only')
  await expect(picker(page).getByRole('radio', { checked: true })).toHaveCount(0)
  await page.clock.fastForward(1500)
  await expect(refusal).toHaveCount(1)
  await page.clock.fastForward(1000)
  await expect(refusal).toHaveCount(0)
  await picker(page).getByRole('radio').first().check()
  await expect(picker(page).getByRole('alert')).toHaveCount(0)
  await expect(picker(page).getByText('1 inbound selected')).toBeVisible()
})

test('HOST-035 a host carries what it was given', async ({ api }) => {
  const inbound = { configProfileUuid: profile.uuid, configProfileInboundUuid: profile.inbounds[0]?.uuid ?? '' }
  const given = {
    remark: uniqueName('host'),
    address: 'de.example.net',
    port: 8443,
    securityLayer: 'TLS' as const,
    isDisabled: true,
    sni: 'sni.example.net',
    host: 'host.example.net',
    path: '/path',
    alpn: 'h2' as const,
    fingerprint: 'firefox' as const,
    xHttpExtraParams: { mode: 'auto' },
    serverDescription: 'near',
    inbound,
  }
  const made = await api(createHost, given)
  hosts.push(made)
  const [listed] = (await api(listHosts, {})).filter(({ uuid }) => uuid === made.uuid)
  expect(listed).toMatchObject({ ...given, uuid: made.uuid, viewPosition: expect.any(Number) })
  const bare = await api(createHost, { remark: uniqueName('host'), address: 'a.example.net', port: 1, inbound })
  hosts.push(bare)
  expect(bare).toMatchObject({ securityLayer: 'DEFAULT', isDisabled: false, xHttpExtraParams: null })
})
