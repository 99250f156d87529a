import { disableUser, getUser } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'

const USERS = '/dashboard/management/users'
const modal = (page: Page) => page.getByRole('dialog', { name: 'Edit user' })

async function openMenu(page: Page, uuid: string): Promise<void> {
  await page.goto(`${USERS}?edit=${uuid}`)
  await modal(page).getByRole('button', { name: 'More actions' }).click()
}

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('menuitem', { name: item }).click()
}

/** The question before something that can be undone in History, saying what it touches. */
async function question(page: Page, title: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: title })
  await expect(dialog.getByRole('note')).toHaveText('1 user · 0 online now · 0 nodes')
  return dialog
}

test('USER-046 USER-086 a user is switched off after a question and on without one', async ({ page, api, makeUser }) => {
  const user = await makeUser()
  await openMenu(page, user.uuid)
  await choose(page, 'Disable')
  const asked = await question(page, `Disable ${user.username}?`)
  await asked.getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('User disabled successfully')).toBeVisible()
  await expect(modal(page).getByRole('region', { name: 'Status' })).toContainText('Disabled')
  expect((await api(getUser, { uuid: user.uuid })).status).toBe('DISABLED')

  await modal(page).getByRole('button', { name: 'More actions' }).click()
  await choose(page, 'Enable')
  await expect(page.getByText('User enabled successfully')).toBeVisible()
  await expect(modal(page).getByRole('region', { name: 'Status' })).toContainText('Active')
})

test('USER-073 USER-091 usage is reset only after a question', async ({ page, api, makeUser }) => {
  const user = await makeUser()
  await openMenu(page, user.uuid)
  await choose(page, 'Reset usage')
  const asked = await question(page, `Reset the usage of ${user.username}?`)
  await expect(asked).toContainText('can be undone in History')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  expect((await api(getUser, { uuid: user.uuid })).lastTrafficResetAt).toBeNull()
  await modal(page).getByRole('button', { name: 'More actions' }).click()
  await choose(page, 'Reset usage')
  await asked.getByRole('button', { name: 'Reset usage' }).click()
  await expect(page.getByText('User traffic reset successfully')).toBeVisible()
  expect((await api(getUser, { uuid: user.uuid })).lastTrafficResetAt).not.toBeNull()
})

test('USER-072 USER-087 USER-090 a subscription is revoked only after a question, and the new link shows', async ({
  page,
  api,
  makeUser,
}) => {
  const user = await makeUser()
  await openMenu(page, user.uuid)
  await choose(page, 'New link')
  const asked = await question(page, `Give ${user.username} a new link?`)
  await expect(asked).toContainText('can be undone in History')
  await asked.getByRole('button', { name: 'New link' }).click()
  await expect(page.getByText('New link given. The old one has stopped working.')).toBeVisible()
  const after = await api(getUser, { uuid: user.uuid })
  expect(after.shortUuid).not.toBe(user.shortUuid)
  await expect(modal(page).getByRole('group', { name: 'Short UUID' }).getByTitle(after.shortUuid)).toBeVisible()
})

test('USER-074 a user is deleted only after a question', async ({ page, api, makeUser }) => {
  const user = await makeUser()
  await openMenu(page, user.uuid)
  await choose(page, 'Delete user')
  const asked = await question(page, `Delete ${user.username}?`)
  await expect(asked).toContainText('can be undone in History')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(modal(page)).toBeVisible()
  await modal(page).getByRole('button', { name: 'More actions' }).click()
  await choose(page, 'Delete user')
  await asked.getByRole('button', { name: 'Delete user' }).click()
  await expect(page.getByText('User deleted successfully')).toBeVisible()
  await expect(modal(page)).toBeHidden()
  await expect(api(getUser, { uuid: user.uuid })).rejects.toMatchObject({ status: 404 })
})

test('ERR-003 ERR-004 ERR-005 ERR-008 an action the server refuses shows a red toast named after it, with its sentence', async ({
  page,
  api,
  makeUser,
}) => {
  const user = await makeUser()
  await page.route('**/api/x/events', (route) => route.abort())
  await openMenu(page, user.uuid)
  // Another administrator is quicker; this page does not know yet, nor is it told by the stream of changes.
  await api(disableUser, { uuid: user.uuid })
  await choose(page, 'Disable')
  const asked = await question(page, `Disable ${user.username}?`)
  await asked.getByRole('button', { name: 'Disable' }).click()
  const toast = page.getByRole('alert').filter({ hasText: 'Disable User' })
  await expect(toast).toContainText(/already disabled/i)
})
