import { readFile } from 'node:fs/promises'
import { getUser, type User } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { Api } from './stage/api-client.ts'
import { query } from './stage/database.ts'
import { uniqueName, type Seeding } from './stage/seeding.ts'
import { names, openWith } from './stage/users-table.ts'

const GIB = 1024 ** 3
const CHANGE = '/api/x/users/change'

const question = (page: Page, title: string) => page.getByRole('dialog', { name: title })
const uuidsOf = (users: User[]): string[] => users.map(({ uuid }) => uuid)

/** Selects all users whose name contains the word, and opens what can be done to them. */
async function openSelected(page: Page, word: string, count: number): Promise<Locator> {
  await openWith(page, word)
  await expect.poll(async () => (await names(page)).length).toBe(count)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  const banner = page.getByRole('status').filter({ hasText: 'selected' })
  await expect(banner).toContainText(`${count} rows selected`)
  await banner.getByRole('button', { name: /^Change .* users?…$/ }).click()
  return page.getByRole('dialog', { name: `${count} selected users` })
}

/** What the browser sends to this route while something is done. */
async function sent(page: Page, path: string, act: () => Promise<void>): Promise<unknown> {
  const request = page.waitForRequest((one) => one.method() === 'POST' && one.url().endsWith(path))
  await act()
  return (await request).postDataJSON()
}

/** Writes that the browser sends from now on; asking what an action would touch is none. */
function watchWrites(page: Page): string[] {
  const writes: string[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !/\/api\/x\/users\/(impact|expiry-preview)$/.test(request.url())) writes.push(request.url())
  })
  return writes
}

async function makeUsers({ makeUser }: Pick<Seeding, 'makeUser'>, word: string, count: number): Promise<User[]> {
  const users: User[] = []
  for (let i = 0; i < count; i += 1) users.push(await makeUser({ username: `${word}-${i}` }))
  return users
}

test('UBULK-014 UBULK-026 selected users are updated in what is ticked, after a look at whom it touches', async ({
  page,
  panel,
  api,
  makeUser,
  makeInternalSquad,
  makeConfigProfile,
  makeNode,
}) => {
  const profile = await makeConfigProfile()
  await makeNode(profile)
  const squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  const word = uniqueName('upd')
  const users = await makeUsers({ makeUser: (given) => makeUser({ ...given, activeInternalSquads: [squad.uuid] }) }, word, 3)
  await query(
    panel,
    `update "userUsage" set "onlineAt" = now() + interval '1 hour' from "users" where "id" = "userId" and "uuid" = $1`,
    [users[0]?.uuid],
  )
  const drawer = await openSelected(page, word, 3)
  await expect(drawer.getByRole('tab')).toHaveText(['Update', 'Actions', 'Danger zone'])
  const update = drawer.getByRole('button', { name: 'Update 3 users' })
  await expect(update).toBeDisabled()

  await drawer.getByRole('checkbox', { name: 'Status' }).check()
  const status = drawer.getByRole('combobox', { name: 'Status' })
  await status.click()
  await page.getByRole('option', { name: 'Disabled' }).click()

  await drawer.getByRole('checkbox', { name: 'Data limit' }).check()
  const limit = drawer.getByRole('textbox', { name: 'Data limit (GiB)' })
  await limit.fill('12')

  await drawer.getByRole('checkbox', { name: 'Limit strategy' }).check()
  await drawer.getByRole('combobox', { name: 'Traffic limit strategy' }).click()
  await page.getByRole('option', { name: 'Weekly' }).click()

  await drawer.getByRole('checkbox', { name: 'Expiry' }).check()
  await drawer.getByRole('button', { name: '2099', exact: true }).click()

  await drawer.getByRole('checkbox', { name: 'Description' }).check()
  await drawer.getByRole('textbox', { name: 'Description' }).fill('moved')
  await drawer.getByRole('checkbox', { name: 'Telegram ID' }).check()
  await drawer.getByRole('textbox', { name: 'Telegram ID' }).fill('77')
  await drawer.getByRole('checkbox', { name: 'Email' }).check()
  await drawer.getByRole('textbox', { name: 'Email' }).fill('many@example.org')
  await drawer.getByRole('checkbox', { name: 'Tag' }).check()
  await drawer
    .getByRole('combobox', { name: 'Tag' })
    .or(drawer.getByRole('textbox', { name: 'Tag' }))
    .fill('MOVED')
  await drawer.getByRole('heading', { name: '3 selected users' }).click()

  const writes = watchWrites(page)
  await update.click()
  const asked = question(page, 'Update these users?')
  await expect(asked.getByRole('note')).toHaveText('3 users · 1 online now · 1 node')
  expect(writes).toEqual([])
  const body = await sent(page, CHANGE, () => asked.getByRole('button', { name: 'Update' }).click())
  const changed = {
    status: 'DISABLED',
    trafficLimitBytes: 12 * GIB,
    trafficLimitStrategy: 'WEEK',
    expireAt: expect.stringMatching(/^2099-.*Z$/),
    description: 'moved',
    telegramId: 77,
    email: 'many@example.org',
    tag: 'MOVED',
  }
  expect(body).toEqual({ uuids: expect.arrayContaining(uuidsOf(users)), change: { kind: 'update', fields: changed } })
  await expect(page.getByText('Started for 3 users')).toBeVisible()
  const progress = page.getByRole('status', { name: 'Progress' })
  await expect(progress).toContainText('Done')
  await expect(progress).toContainText('3 of 3')
  for (const { uuid } of users) expect(await api(getUser, { uuid })).toMatchObject(changed)
})

test('UBULK-012 UBULK-018 selected users are deleted, and nobody else', async ({ page, api, makeUser }) => {
  const word = uniqueName('del')
  const made = await makeUsers({ makeUser }, word, 2)
  const other = await makeUser()
  const drawer = await openSelected(page, word, 2)
  await drawer.getByRole('tab', { name: 'Danger zone' }).click()
  await drawer.getByRole('button', { name: 'Delete 2 users' }).click()
  const asked = question(page, 'Delete these users?')
  const body = await sent(page, CHANGE, () => asked.getByRole('button', { name: 'Delete', exact: true }).click())
  expect(body).toEqual({ uuids: expect.arrayContaining(uuidsOf(made)), change: { kind: 'delete' } })
  await expect(drawer).toBeHidden()
  for (const { uuid } of made) await expect.poll(() => isThere(api, uuid)).toBe(false)
  expect(await isThere(api, other.uuid)).toBe(true)
  await expect(page.getByRole('status').filter({ hasText: 'rows selected' })).toBeHidden()
})

test('all users of a filtered list, on every page, are moved from a squad and exported, and nobody else', async ({
  page,
  api,
  makeUser,
  makeInternalSquad,
}) => {
  const [from, to] = [await makeInternalSquad(), await makeInternalSquad()]
  const word = uniqueName('all')
  const users = await makeUsers({ makeUser: (given) => makeUser({ ...given, activeInternalSquads: [from.uuid] }) }, word, 27)
  const other = await makeUser({ activeInternalSquads: [from.uuid] })
  await openWith(page, word)
  await expect.poll(async () => (await names(page)).length).toBe(25)

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Spreadsheet (CSV)' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toMatch(/^\u{FEFF}username,status,/u)
  const exported = lines.slice(1).map((line) => line.split(',')[0])
  expect(exported).toHaveLength(27)
  expect(new Set(exported)).toEqual(new Set(users.map(({ username }) => username)))

  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await page.getByRole('button', { name: 'Select all 27 of this list' }).click()
  await page.getByRole('button', { name: 'Change 27 users…' }).click()
  const drawer = page.getByRole('dialog', { name: 'All 27 users of this list' })
  await drawer.getByRole('tab', { name: 'Actions' }).click()
  await drawer.getByText('Move', { exact: true }).click()
  await drawer.getByRole('combobox', { name: 'From squad' }).click()
  await page.getByRole('option', { name: from.name }).click()
  await drawer.getByRole('combobox', { name: 'Internal squads' }).fill(to.name)
  await page.getByRole('option', { name: to.name }).click()
  await page.keyboard.press('Escape')
  await drawer.getByRole('button', { name: 'Move to squads' }).click()
  await question(page, `Move these users from ${from.name} to ${to.name}?`)
    .getByRole('button', { name: 'Move to squads' })
    .click()
  await expect(page.getByRole('status', { name: 'Progress' })).toContainText('27 of 27')
  const squadOf = async (uuid: string) => (await api(getUser, { uuid })).activeInternalSquads.map((squad) => squad.uuid)
  for (const { uuid } of users) expect(await squadOf(uuid)).toEqual([to.uuid])
  expect(await squadOf(other.uuid)).toEqual([from.uuid])
})

async function isThere(api: Api, uuid: string): Promise<boolean> {
  try {
    await api(getUser, { uuid })
    return true
  } catch (error) {
    if (error instanceof Error && error.message.includes('answered 404')) return false
    throw error
  }
}
