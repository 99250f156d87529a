import { deleteUser, getUser, getUserByUsername, updateUser, type CallInput } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { dialogViolations } from './stage/axe.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { inDays, uniqueName } from './stage/seeding.ts'

const USERS = '/dashboard/management/users'
const GIB = 1024 ** 3

const createModal = (page: Page) => page.getByRole('dialog', { name: 'New user' })
const editModal = (page: Page) => page.getByRole('dialog', { name: 'Edit user' })

async function openCreate(page: Page): Promise<Locator> {
  await page.goto(`${USERS}?create=user`)
  return createModal(page)
}

async function openEdit(page: Page, uuid: string, origin = ''): Promise<Locator> {
  await page.goto(`${origin}${USERS}?edit=${uuid}`)
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

test('USER-033 USER-053 USER-057 USER-062 USER-044 USER-092 the create form opens empty in its cards, with its defaults', async ({
  page,
}) => {
  const modal = await openCreate(page)
  for (const card of ['Identity', 'Contact', 'Device and tag', 'Traffic and limits', 'Access settings'])
    await expect(modal.getByRole('group', { name: card })).toBeVisible()
  expect((await modal.boundingBox())?.width).toBe(1000)
  await expect(modal.getByRole('textbox', { name: 'Data limit (GiB)' })).toHaveValue('0 GiB')
  await expect(modal.getByRole('combobox', { name: 'Traffic limit strategy' })).toHaveValue('No reset')
  await modal.getByRole('combobox', { name: 'Traffic limit strategy' }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['No reset', 'Daily', 'Weekly', 'Monthly'])
  await page.keyboard.press('Escape')
  const tomorrow = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(Date.now() + 86_400_000)
  await expect(modal.getByRole('button', { name: 'Expires at' })).toContainText(tomorrow)
  await modal.getByRole('button', { name: 'Create user' }).click()
  await expect(modal.getByText('This field is required')).toBeVisible()
  await expect(modal).toBeVisible()
})

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
  await modal.getByRole('combobox', { name: 'Internal squads' }).click()
  await page.getByRole('option', { name: new RegExp(squad.name) }).click()
  await modal.getByRole('heading', { name: 'New user' }).click()
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

  await page.getByRole('button', { name: 'New user' }).click()
  await expect(modal.getByRole('textbox', { name: 'Username' })).toHaveValue('')
  await expect(modal.getByRole('textbox', { name: 'Data limit (GiB)' })).toHaveValue('0 GiB')
})

test('USER-052 USER-055 USER-063 USER-065 USER-066 USER-067 each field says what is wrong with it when it is left', async ({
  page,
  makeUser,
}) => {
  await makeUser({ tag: 'KNOWN_TAG' })
  const modal = await openCreate(page)
  const username = modal.getByRole('textbox', { name: 'Username' })
  for (const [text, complaint] of [
    ['ab', /at least 3/i],
    ['a'.repeat(37), /at most 36/i],
    ['with space', /only letters, digits/i],
  ] as const) {
    await username.fill(text)
    await username.blur()
    await expect(modal.getByText(complaint)).toBeVisible()
  }
  await username.fill('abc')
  await username.blur()
  await expect(username).not.toHaveAttribute('aria-invalid', 'true')

  const email = modal.getByRole('textbox', { name: 'Email' })
  await email.fill('a@b')
  await email.blur()
  await expect(modal.getByText(/e-mail address/)).toBeVisible()

  const telegram = modal.getByRole('textbox', { name: 'Telegram ID' })
  await telegram.pressSequentially('-1.5')
  await expect(telegram).toHaveValue('15')

  const tag = modal.getByRole('textbox', { name: 'Tag' })
  await tag.fill('vip')
  await expect(modal.getByText('Tag can only contain uppercase letters, numbers, underscores')).toBeVisible()
  await tag.fill('A'.repeat(16))
  await expect(modal.getByText('Tag must be less than 16 characters')).toBeVisible()
  await tag.fill('KNOWN')
  await expect(page.getByRole('option', { name: 'KNOWN_TAG' })).toBeVisible()
  await page.getByRole('option', { name: '+ KNOWN' }).click()
  await expect(tag).toHaveValue('KNOWN')

  const limit = modal.getByRole('textbox', { name: 'HWID device limit' })
  await limit.fill('3')
  await modal.getByRole('checkbox', { name: 'Disable the HWID limit for this user' }).check()
  await expect(limit).toBeDisabled()
  await username.fill(uniqueName('nolimit'))
  await email.fill('')
  const body = await sent(page, 'POST', () => modal.getByRole('button', { name: 'Create user' }).click())
  expect(body).toMatchObject({ hwidDeviceLimit: 0, telegramId: 15, tag: 'KNOWN' })
})

test('USER-058 USER-059 USER-060 the expiry starts today, offers times of the day, and never stays unreadable', async ({
  page,
}) => {
  const modal = await openCreate(page)
  await modal.getByRole('button', { name: 'Clear the date' }).click()
  await expect(modal.getByText('Invalid date. Please select a valid date. Defaulting to 1 month from now.')).toBeVisible()
  const inAMonth = new Date()
  inAMonth.setUTCMonth(inAMonth.getUTCMonth() + 1)
  const field = modal.getByRole('button', { name: 'Expires at' })
  await expect(field).toContainText(new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' }).format(inAMonth))

  await field.click()
  const yesterday = new Date(Date.now() - 86_400_000)
  const label = `${yesterday.getUTCDate()} ${new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' }).format(yesterday)} ${yesterday.getUTCFullYear()}`
  const day = page.getByRole('button', { name: label, exact: true })
  while (!(await day.isVisible())) await page.locator('button[data-direction="previous"]').click()
  await expect(day).toBeDisabled()
  await page.getByRole('spinbutton', { name: 'Hours' }).click()
  for (const time of ['06:00', '07:30', '16:30', '18:00'])
    await expect(page.getByRole('button', { name: time, exact: true })).toBeAttached()
  await page.getByRole('button', { name: '07:30', exact: true }).click()
  await expect(field).toContainText('7:30 AM')
})

test('USER-088 a complaint of the server lands on its field', async ({ page, panel, session }) => {
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((token) => localStorage.setItem('session', token), session.token)
  const issue = { code: 'custom', path: ['trafficLimitBytes'], message: 'too much for this tariff' }
  proxy.inject({
    method: 'POST',
    path: /^\/api\/users$/,
    effect: { kind: 'answer', status: 400, body: { statusCode: 400, message: 'Validation failed', errors: [issue] } },
  })
  await page.goto(`${proxy.origin}${USERS}?create=user`)
  const modal = createModal(page)
  await modal.getByRole('textbox', { name: 'Username' }).fill(uniqueName('field'))
  await modal.getByRole('button', { name: 'Create user' }).click()
  await expect(modal.getByText('too much for this tariff')).toBeVisible()
  await expect(modal.getByRole('textbox', { name: 'Data limit (GiB)' })).toHaveAttribute('aria-invalid', 'true')
  await expect(modal.getByRole('button', { name: 'Create user' })).toBeEnabled()
  await proxy.close()
})

test('USER-034 USER-035 USER-036 USER-037 USER-054 the edit form shows who it is and the same cards', async ({
  page,
  makeUser,
}) => {
  const user = await makeUser()
  const modal = await openEdit(page, user.uuid)
  const status = modal.getByRole('region', { name: 'Status' })
  await expect(status).toContainText('Active')
  for (const [label, value] of [
    ['Username', user.username],
    ['Short UUID', user.shortUuid],
    ['Subscription URL', user.subscriptionUrl],
  ] as const) {
    await expect(status.getByRole('group', { name: label }).getByTitle(value)).toBeVisible()
    await expect(status.getByRole('button', { name: `Copy ${label}` })).toBeVisible()
  }
  await expect(modal).toContainText(/SUB_PUBLIC_DOMAIN.*must be set.*containers restarted/)
  for (const card of ['Identity', 'Contact', 'Device and tag', 'Traffic and limits', 'Access settings'])
    await expect(modal.getByRole('group', { name: card })).toBeVisible()
  await expect(modal.getByRole('textbox', { name: 'Username' })).toBeDisabled()
  await expect(modal.getByRole('button', { name: 'More actions' })).toBeVisible()
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

test('a change that cuts a user off says whom it touches before it is saved', async ({ page, api, makeUser }) => {
  const user = await makeUser({ trafficLimitBytes: 10 * GIB })
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Data limit (GiB)' }).fill('1')
  await modal.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: `Cut the access of ${user.username}?` })
  await expect(question.getByRole('note')).toHaveText('1 user · 0 online now · 0 nodes')
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect((await api(getUser, { uuid: user.uuid })).trafficLimitBytes).toBe(10 * GIB)
  await modal.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Save' }).click()
  await expect(modal).toBeHidden()
  expect((await api(getUser, { uuid: user.uuid })).trafficLimitBytes).toBe(GIB)
})

test('unsaved input is not lost without a question', async ({ page, makeUser }) => {
  const user = await makeUser()
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Description' }).fill('half a thought')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard changes?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(modal.getByRole('textbox', { name: 'Description' })).toHaveValue('half a thought')
  await modal.getByRole('button', { name: 'Cancel' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(modal).toBeHidden()
})

test('two administrators editing one user: the second is told before anything is overwritten', async ({
  page,
  api,
  makeUser,
}) => {
  const user = await makeUser({ description: 'first', telegramId: 1 })
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Description' }).fill('mine')
  const theirs: CallInput<typeof updateUser> = { uuid: user.uuid, description: 'theirs', telegramId: 99 }
  await api(updateUser, theirs)
  await modal.getByRole('button', { name: 'Save' }).click()
  const notice = modal.getByRole('alert').filter({ hasText: 'Somebody else has just changed this' })
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
  const modal = await openEdit(page, user.uuid)
  await modal.getByRole('textbox', { name: 'Description' }).fill('too late')
  await api(deleteUser, { uuid: user.uuid })
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect(modal.getByRole('alert').filter({ hasText: 'has just been deleted by somebody else' })).toBeVisible()
  await expect(modal.getByRole('button', { name: 'Save' })).toBeDisabled()
  await expect(modal.getByRole('textbox', { name: 'Description' })).toHaveValue('too late')

  await page.goto(`${USERS}?edit=${user.uuid}`)
  await expect(modal).toContainText('It no longer exists')
})

test('while the server is away a save fails with a sentence and can be repeated', async ({
  page,
  panel,
  session,
  api,
  makeUser,
}) => {
  const user = await makeUser()
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((token) => localStorage.setItem('session', token), session.token)
  const modal = await openEdit(page, user.uuid, proxy.origin)
  await modal.getByRole('textbox', { name: 'Description' }).fill('patient')
  const restore = proxy.inject({ path: '/api/', effect: { kind: 'drop' } })
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Update User' })).toContainText('Request failed with unknown error.')
  await expect(modal.getByRole('alert').filter({ hasText: 'The server does not answer' })).toBeVisible()
  restore()
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect(modal).toBeHidden()
  expect((await api(getUser, { uuid: user.uuid })).description).toBe('patient')
  await proxy.close()
})

test('the forms have no accessibility violations and fill a phone', async ({ page, makeUser }) => {
  const user = await makeUser({ expireAt: inDays(3) })
  await openCreate(page)
  await expect(createModal(page).getByRole('textbox', { name: 'Username' })).toBeFocused()
  expect(await dialogViolations(page)).toEqual([])
  await openEdit(page, user.uuid)
  expect(await dialogViolations(page)).toEqual([])
  await page.evaluate(() =>
    localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } })),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await openCreate(page)
  expect(await createModal(page).boundingBox()).toMatchObject({ x: 0, y: 0, width: 390, height: 844 })
})
