import { getUser } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { uniqueName } from './stage/seeding.ts'

const USERS = '/dashboard/management/users'

const question = (page: Page, title: string) => page.getByRole('dialog', { name: title })

/** Selects all users whose name contains the word, and opens what can be done to them. */
async function openSelected(page: Page, word: string, count: number): Promise<Locator> {
  await page.goto(USERS)
  const field = page.getByRole('textbox', { name: 'Filter by Username' })
  if (!(await field.isVisible())) await page.getByRole('button', { name: /^Filters/ }).click()
  await field.fill(word)
  await expect(page.getByRole('table', { name: 'Users' }).locator('tbody tr[aria-label]')).toHaveCount(count)
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

test('UBULK-012 UBULK-018 UBULK-026 deleting the selected users is asked first, with whom it touches', async ({
  page,
  api,
  makeUser,
}) => {
  const word = uniqueName('del')
  const users = [await makeUser({ username: `${word}-a` }), await makeUser({ username: `${word}-b` })]
  const other = await makeUser()
  const drawer = await openSelected(page, word, 2)
  await drawer.getByRole('tab', { name: 'Danger zone' }).click()
  const posts: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && posts.push(request.url())))
  await drawer.getByRole('button', { name: 'Delete 2 users' }).click()
  const asked = question(page, 'Delete these users?')
  await expect(asked).toContainText('This cannot be undone.')
  await expect(asked.getByRole('note')).toHaveText('2 users · 0 online now · 0 nodes')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(asked).toBeHidden()
  expect(posts).toEqual([])
  for (const { uuid } of users) expect((await api(getUser, { uuid })).uuid).toBe(uuid)

  await drawer.getByRole('button', { name: 'Delete 2 users' }).click()
  const body = await sent(page, '/api/users/bulk/delete', () => asked.getByRole('button', { name: 'Delete' }).click())
  expect(body).toEqual({ uuids: expect.arrayContaining(users.map(({ uuid }) => uuid)) })
  await expect(page.getByText('Task added to queue successfully')).toBeVisible()
  await expect(drawer).toBeHidden()
  for (const { uuid } of users) await expect(api(getUser, { uuid })).rejects.toThrow('404')
  expect((await api(getUser, { uuid: other.uuid })).uuid).toBe(other.uuid)
})
