import { getUser, type User } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { dialogViolations } from './stage/axe.ts'
import type { Api } from './stage/api-client.ts'
import { query } from './stage/database.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { uniqueName, type Seeding } from './stage/seeding.ts'

const USERS = '/dashboard/management/users'
const GIB = 1024 ** 3

const question = (page: Page, title: string | RegExp) => page.getByRole('dialog', { name: title })
const uuidsOf = (users: User[]): string[] => users.map(({ uuid }) => uuid)

/** Selects all users whose name contains the word, and opens what can be done to them. */
async function openSelected(page: Page, word: string, count: number, origin = ''): Promise<Locator> {
  await page.goto(`${origin}${USERS}`)
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByRole('textbox', { name: 'Filter by Username' }).fill(word)
  await expect(page.getByRole('table', { name: 'Users' }).locator('tbody tr[aria-label]')).toHaveCount(count, { timeout: 20_000 })
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  const banner = page.getByRole('status').filter({ hasText: 'selected' })
  await expect(banner).toContainText(`${count} rows selected`)
  await banner.getByRole('button', { name: 'Bulk actions' }).click()
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

test('UBULK-001 UBULK-003 UBULK-005 UBULK-006 UBULK-007 UBULK-014 UBULK-026 selected users are updated in what is ticked, after a look at whom it touches', async ({
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
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Active', 'Disabled'])
  await page.getByRole('option', { name: 'Disabled' }).click()

  await drawer.getByRole('checkbox', { name: 'Data limit' }).check()
  const limit = drawer.getByRole('textbox', { name: 'Data limit (GiB)' })
  await limit.press('ArrowDown')
  await expect(limit).toHaveValue('0 GiB')
  await limit.fill('-8')
  await expect(limit).not.toHaveValue(/-/)
  await limit.fill('12')

  await drawer.getByRole('checkbox', { name: 'Limit strategy' }).check()
  await drawer.getByRole('combobox', { name: 'Traffic limit strategy' }).click()
  await page.getByRole('option', { name: 'Weekly' }).click()

  await drawer.getByRole('checkbox', { name: 'Expiry' }).check()
  const expiry = drawer.getByRole('button', { name: 'Expires at' })
  const now = new Date()
  for (const [preset, months] of [
    ['1 month', 1],
    ['3 months', 3],
    ['1 year', 12],
    ['2099', (2099 - now.getUTCFullYear()) * 12],
  ] as const) {
    await drawer.getByRole('button', { name: preset, exact: true }).click()
    const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
    await expect(expiry).toContainText(new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(then))
    await expect(expiry).toContainText(String(then.getUTCFullYear()))
  }

  await drawer.getByRole('checkbox', { name: 'Description' }).check()
  await drawer.getByRole('textbox', { name: 'Description' }).fill('moved')
  await drawer.getByRole('checkbox', { name: 'Telegram ID' }).check()
  const telegram = drawer.getByRole('textbox', { name: 'Telegram ID' })
  await telegram.fill('0')
  await telegram.blur()
  await expect(telegram).toHaveValue('1')
  await telegram.fill('77')
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
  const body = await sent(page, '/api/users/bulk/update', () => asked.getByRole('button', { name: 'Update' }).click())
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
  expect(body).toEqual({ uuids: expect.arrayContaining(uuidsOf(users)), fields: changed })
  await expect(page.getByText('Task added to queue successfully')).toBeVisible()
  const progress = page.getByRole('status', { name: 'Progress' })
  await expect(progress).toContainText('Done')
  await expect(progress).toContainText('3 of 3')
  for (const { uuid } of users) expect(await api(getUser, { uuid })).toMatchObject(changed)
})

test('a ticked field left empty is cleared, and what is not ticked stays', async ({ page, api, makeUser }) => {
  const word = uniqueName('clr')
  const given = { description: 'kept', email: 'old@example.org', telegramId: 5, tag: 'OLD' }
  const users = await makeUsers({ makeUser: (more) => makeUser({ ...given, ...more }) }, word, 2)
  const drawer = await openSelected(page, word, 2)
  for (const name of ['Telegram ID', 'Email', 'Tag']) await drawer.getByRole('checkbox', { name }).check()
  await drawer.getByRole('button', { name: 'Update 2 users' }).click()
  const body = await sent(page, '/api/users/bulk/update', () =>
    question(page, 'Update these users?').getByRole('button', { name: 'Update' }).click(),
  )
  expect(body).toMatchObject({ fields: { telegramId: null, email: null, tag: null } })
  await expect(page.getByRole('status', { name: 'Progress' })).toContainText('Done')
  for (const { uuid } of users)
    expect(await api(getUser, { uuid })).toMatchObject({ description: 'kept', telegramId: null, email: null, tag: null })
})

test("UBULK-022 the server's complaint about a field of a bulk form stands at that field", async ({
  page,
  panel,
  session,
  makeUser,
}) => {
  const word = uniqueName('bad')
  await makeUsers({ makeUser }, word, 2)
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((token) => localStorage.setItem('session', token), session.token)
  const refuse = (path: string[]) => ({
    kind: 'answer' as const,
    status: 400,
    body: {
      statusCode: 400,
      message: 'Validation failed',
      errors: [{ code: 'custom', path, message: 'is on the list of traps' }],
    },
  })
  proxy.inject({ path: '/api/users/bulk/update', effect: refuse(['fields', 'email']) })
  proxy.inject({ path: '/api/users/bulk/all/update', effect: refuse(['email']) })
  for (const open of [
    () => openSelected(page, word, 2, proxy.origin),
    async () => {
      await page.goto(`${proxy.origin}${USERS}?bulk=all`)
      return page.getByRole('dialog', { name: 'All users' })
    },
  ]) {
    const drawer = await open()
    await drawer.getByRole('checkbox', { name: 'Email' }).check()
    const email = drawer.getByRole('textbox', { name: 'Email' })
    await email.fill('trap@example.org')
    await drawer.getByRole('button', { name: /^Update / }).click()
    await question(page, /^Update (these|all) users\?$/)
      .getByRole('button', { name: 'Update' })
      .click()
    await expect(email).toHaveAccessibleDescription('is on the list of traps')
    await expect(email).toHaveValue('trap@example.org')
  }
  await proxy.close()
})

test('UBULK-008 UBULK-017 the squads of selected users are replaced, by at least one squad', async ({
  page,
  api,
  makeUser,
  makeInternalSquad,
}) => {
  const [before, after] = [await makeInternalSquad(), await makeInternalSquad()]
  const word = uniqueName('sqd')
  const users = await makeUsers({ makeUser: (given) => makeUser({ ...given, activeInternalSquads: [before.uuid] }) }, word, 2)
  const drawer = await openSelected(page, word, 2)
  await drawer.getByRole('tab', { name: 'Actions' }).click()
  const writes = watchWrites(page)
  await drawer.getByRole('button', { name: 'Change squads' }).click()
  await expect(drawer.getByText('Select at least one internal squad')).toBeVisible()
  await expect(question(page, 'Replace the squads of these users?')).toBeHidden()
  expect(writes).toEqual([])

  await drawer.getByRole('combobox', { name: 'Internal squads' }).click()
  await page.getByRole('option', { name: after.name }).click()
  await drawer.getByRole('heading', { name: '2 selected users' }).click()
  await drawer.getByRole('button', { name: 'Change squads' }).click()
  const body = await sent(page, '/api/users/bulk/update-squads', () =>
    question(page, 'Replace the squads of these users?').getByRole('button', { name: 'Replace squads' }).click(),
  )
  expect(body).toEqual({ uuids: expect.arrayContaining(uuidsOf(users)), activeInternalSquads: [after.uuid] })
  await expect(page.getByText('Task added to queue successfully')).toBeVisible()
  for (const { uuid } of users) {
    const { activeInternalSquads } = await api(getUser, { uuid })
    expect(activeInternalSquads.map((squad) => squad.uuid)).toEqual([after.uuid])
  }
})

for (const { rows, tab, button, title, action, path, check } of [
  {
    rows: 'UBULK-009 UBULK-016',
    tab: 'Actions',
    button: 'Reset usage',
    title: 'Reset the usage of these users?',
    action: 'Reset usage',
    path: '/api/users/bulk/reset-traffic',
    check: (before: User, after: User | undefined) =>
      before.usedTrafficBytes === GIB && after?.usedTrafficBytes === 0 && after.lifetimeUsedTrafficBytes === GIB,
  },
  {
    rows: 'UBULK-011 UBULK-015',
    tab: 'Actions',
    button: 'Revoke subscriptions',
    title: 'Revoke these subscriptions?',
    action: 'Revoke',
    path: '/api/users/bulk/revoke-subscription',
    check: (before: User, after: User | undefined) =>
      after !== undefined && after.shortUuid !== before.shortUuid && after.vlessUuid !== before.vlessUuid,
  },
  {
    rows: 'UBULK-012 UBULK-018',
    tab: 'Danger zone',
    button: 'Delete 2 users',
    title: 'Delete these users?',
    action: 'Delete',
    path: '/api/users/bulk/delete',
    check: (_: User, after: User | undefined) => after === undefined,
  },
])
  test(`${rows} "${button}" of selected users is asked first and can be declined`, async ({ page, panel, api, makeUser }) => {
    const word = uniqueName('act')
    const made = await makeUsers({ makeUser }, word, 2)
    const other = await makeUser()
    await query(
      panel,
      `update "userUsage" set "usedTrafficBytes" = $2, "lifetimeUsedTrafficBytes" = $2 from "users" where "id" = "userId" and "uuid" = any($1)`,
      [uuidsOf([...made, other]), GIB],
    )
    const read = (uuids: string[]) => Promise.all(uuids.map((uuid) => found(api, uuid)))
    const [before, otherBefore] = [await read(uuidsOf(made)), await read([other.uuid])]
    const drawer = await openSelected(page, word, 2)
    await drawer.getByRole('tab', { name: tab }).click()
    const writes = watchWrites(page)
    await drawer.getByRole('button', { name: button, exact: true }).click()
    const asked = question(page, title)
    await expect(asked).toContainText('This cannot be undone.')
    await expect(asked.getByRole('note')).toHaveText('2 users · 0 online now · 0 nodes')
    await asked.getByRole('button', { name: 'Cancel' }).click()
    await expect(asked).toBeHidden()
    expect(writes).toEqual([])
    expect(await read(uuidsOf(made))).toEqual(before)

    await drawer.getByRole('button', { name: button, exact: true }).click()
    const body = await sent(page, path, () => asked.getByRole('button', { name: action, exact: true }).click())
    expect(body).toEqual({ uuids: expect.arrayContaining(uuidsOf(made)) })
    await expect(page.getByText('Task added to queue successfully')).toBeVisible()
    await expect(drawer).toBeHidden()
    await expect
      .poll(async () => {
        const after = await read(uuidsOf(made))
        return before.map((user, i) => user !== undefined && check(user, after[i]))
      })
      .toEqual([true, true])
    expect(await read([other.uuid])).toEqual(otherBefore)
    await expect(page.getByRole('status').filter({ hasText: 'rows selected' })).toBeHidden()
  })

async function found(api: Api, uuid: string): Promise<User | undefined> {
  try {
    // The Happ link is encrypted anew each time.
    return { ...(await api(getUser, { uuid })), happ: { cryptoLink: '' } }
  } catch (error) {
    if (error instanceof Error && error.message.includes('answered 404')) return undefined
    throw error
  }
}

for (const language of ['en', 'fa'])
  test(`what can be done to selected users has no accessibility violations in ${language}`, async ({ page, makeUser }) => {
    const word = uniqueName('axe')
    await makeUsers({ makeUser }, word, 2)
    await openSelected(page, word, 2)
    if (language === 'fa') {
      await page.keyboard.press('Escape')
      await page.evaluate(() => localStorage.setItem('i18nextLng', 'fa'))
      await page.reload()
      await page.getByRole('table').getByRole('checkbox').first().click()
      await page.getByRole('button', { name: 'کارهای گروهی' }).click()
    }
    const drawer = page.getByRole('dialog')
    for (const tab of await drawer.getByRole('tab').all()) {
      await tab.click()
      for (const box of await drawer.getByRole('checkbox').all()) await box.check()
      expect(await dialogViolations(page)).toEqual([])
    }
  })
