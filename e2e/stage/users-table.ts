import { expect, type Page } from '@playwright/test'

// How a person works the users table.

export const USERS = '/dashboard/management/users'

export const table = (page: Page) => page.getByRole('table', { name: 'Users' })
export const row = (page: Page, name: string) => table(page).getByRole('row', { name, exact: true })
export const head = (page: Page, name: string) => table(page).getByRole('columnheader', { name: new RegExp(`^${name}`) })
export const names = (page: Page) =>
  table(page)
    .locator('tbody tr[aria-label]')
    .evaluateAll((rows) => rows.map((one) => one.getAttribute('aria-label')))

async function filterBy(page: Page, column: string, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: `Filter by ${column}` })
  if (!(await field.isVisible())) await page.getByRole('button', { name: /^Filters/ }).click()
  await field.fill(text)
}

/** The table with only the rows of one test. */
export async function openWith(page: Page, prefix: string): Promise<void> {
  await page.goto(USERS)
  // Where there is nobody else the rows are the same before; whoever goes on then is overtaken by the answer.
  const answered = page.waitForResponse((reply) => reply.url().includes('/api/users?') && reply.url().includes(prefix))
  await filterBy(page, 'Username', prefix)
  await answered
  const isFiltered = async () => {
    const all = await names(page)
    return all.length > 0 && all.every((name) => name?.includes(prefix))
  }
  await expect.poll(isFiltered).toBe(true)
}

export async function columnMenu(page: Page, column: string, item: string): Promise<void> {
  await head(page, column).hover()
  await page.getByRole('button', { name: `${column}: column menu` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}
