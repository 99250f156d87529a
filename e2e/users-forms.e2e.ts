import { deleteUser, getUser, getUserByUsername, updateUser, type CallInput } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { uniqueName } from './stage/seeding.ts'

const USERS = '/dashboard/management/users'
const GIB = 1024 ** 3

const createModal = (page: Page) => page.getByRole('dialog', { name: 'New user' })
const editModal = (page: Page) => page.getByRole('dialog', { name: 'Edit user' })

async function openCreate(page: Page): Promise<Locator> {
  await page.goto(`${USERS}?create=user`)
  return createModal(page)
}

async function openEdit(page: Page, uuid: string): Promise<Locator> {
  await page.goto(`${USERS}?edit=${uuid}`)
  // The page, its dialogs and the user are fetched one after the other.
  await expect(editModal(page).getByRole('button', { name: 'Save' })).toBeVisible({ timeout: 30_000 })
  return editModal(page)
}

/** What the browser sent with the next call of this method. */
async function sent(page: Page, method: string, act: () => Promise<void>): Promise<unknown> {
  const request = page.waitForRequest((one) => one.method() === method && one.url().endsWith('/api/users'))
  await act()
  return (await request).postDataJSON()
}

test('USER-047 USER-048 USER-051 USER-056 USER-061 USER-064 USER-068 USER-084 USER-089 a created user appears, and the form starts anew', async ({
  page,
  api,
  makeInternalSquad,
}) => {
  const squad = await makeInternalSquad()
  const username = uniqueName('made')
  const modal = await openCreate(page)
  await modal.getByRole('textbox', { name: 'Username' }).fill(username)
  await modal.getByRole('textbox', { name: 'Data limit (GiB)' }).fill('7')
  await modal.getByRole('button', { name: '2099' }).click()
  await modal.getByRole('searchbox', { name: 'Search squads' }).fill(squad.name)
  // What is not looked for has gone, or the boxes move under the mouse.
  await expect(modal.getByRole('checkbox', { name: /^squad-/ })).toHaveCount(1)
  await modal.getByRole('checkbox', { name: squad.name }).check()
  const refreshed = page.waitForRequest((one) => one.method() === 'GET' && one.url().includes('/api/users?'))
  const counted = page.waitForRequest((one) => one.url().includes('/api/system/stats'))
  const body = await sent(page, 'POST', () => modal.getByRole('button', { name: 'Create user' }).click())
  expect(body).toMatchObject({
    username,
    status: 'ACTIVE',
    trafficLimitBytes: 7 * GIB,
    trafficLimitStrategy: 'NO_RESET',
    activeInternalSquads: [squad.uuid],
  })
  for (const absent of ['email', 'telegramId', 'tag', 'hwidDeviceLimit', 'description']) expect(body).not.toHaveProperty(absent)
  await expect(page.getByText('User created successfully')).toBeVisible()
  await expect(modal).toBeHidden()
  await Promise.all([refreshed, counted])
  const user = await api(getUserByUsername, { username })
  expect(user).toMatchObject({ trafficLimitBytes: 7 * GIB, email: null, telegramId: null, tag: null, hwidDeviceLimit: null })
  expect(user.expireAt.slice(0, 4)).toBe('2099')

  await page
    .getByRole('dialog', { name: `Access for ${username}` })
    .getByRole('button', { name: 'Close' })
    .click()
  // Where there was nobody, the empty list has a button of its own until it is read again.
  await page.getByRole('button', { name: 'New user' }).first().click()
  await expect(modal.getByRole('textbox', { name: 'Username' })).toHaveValue('')
  await expect(modal.getByRole('textbox', { name: 'Data limit (GiB)' })).toHaveValue('0')
})

test('USER-049 USER-070 USER-071 USER-085 an edit sends what changed, and closing refreshes the lists', async ({
  page,
  api,
  makeUser,
}) => {
  const user = await makeUser({
    description: 'old',
    email: 'edit@example.org',
    telegramId: 5,
    tag: 'OLD',
    trafficLimitBytes: GIB,
  })
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Description' }).fill('new')
  await modal.getByRole('textbox', { name: 'Email' }).fill('')
  const reads = ['/api/users?', '/api/system/stats'].map((path) => page.waitForRequest((one) => one.url().includes(path)))
  const body = await sent(page, 'PATCH', () => modal.getByRole('button', { name: 'Save' }).click())
  expect(body).toEqual({ uuid: user.uuid, description: 'new', email: null, telegramId: 5, hwidDeviceLimit: null })
  await expect(page.getByText('User updated successfully')).toBeVisible()
  await expect(modal).toBeHidden()
  await Promise.all(reads)
  expect(await api(getUser, { uuid: user.uuid })).toMatchObject({
    description: 'new',
    email: null,
    tag: 'OLD',
    trafficLimitBytes: GIB,
  })
})

test('two administrators editing one user: the second is told before anything is overwritten', async ({
  page,
  api,
  makeUser,
}) => {
  const user = await makeUser({ description: 'first', telegramId: 1 })
  await page.route('**/api/x/events', (route) => route.abort()) // by the stream of changes it may be told before it saves
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Description' }).fill('mine')
  const theirs: CallInput<typeof updateUser> = { uuid: user.uuid, description: 'theirs', telegramId: 99 }
  await api(updateUser, theirs)
  await modal.getByRole('button', { name: 'Save' }).click()
  const notice = modal.getByRole('alert').filter({ hasText: 'Another administrator has just changed this' })
  await expect(notice).toContainText('Telegram ID')
  expect(await api(getUser, { uuid: user.uuid })).toMatchObject(theirs)

  await notice.getByRole('button', { name: 'Load their version' }).click()
  await expect(modal.getByRole('textbox', { name: 'Description' })).toHaveValue('theirs')
  await expect(modal.getByRole('textbox', { name: 'Telegram ID' })).toHaveValue('99')
  await modal.getByRole('textbox', { name: 'Description' }).fill('both')
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect(modal).toBeHidden()
  expect(await api(getUser, { uuid: user.uuid })).toMatchObject({ description: 'both', telegramId: 99 })
})

test('a user deleted while the form is open is said to be gone, and nothing can be saved', async ({ page, api, makeUser }) => {
  const user = await makeUser()
  await page.route('**/api/x/events', (route) => route.abort()) // as above
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Description' }).fill('too late')
  await api(deleteUser, { uuid: user.uuid })
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect(modal.getByRole('alert').filter({ hasText: 'Another administrator has just deleted this' })).toBeVisible()
  await expect(modal.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expect(modal.getByRole('textbox', { name: 'Description' })).toHaveValue('too late')

  await page.goto(`${USERS}?edit=${user.uuid}`)
  await expect(modal).toContainText('It no longer exists')
})
