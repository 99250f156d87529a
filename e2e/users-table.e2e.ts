import { expect, test } from './fixtures.ts'
import { uniqueName } from './stage/seeding.ts'
import { columnMenu, head, openWith, row, table, USERS } from './stage/users-table.ts'

test('USER-019 USER-020 USER-021 USER-029 pinning, widths, density and filters are arranged once and kept', async ({
  page,
  makeUser,
}) => {
  const prefix = uniqueName('keep')
  await makeUser({ username: prefix })
  await openWith(page, prefix)
  const rowHeight = async () => (await row(page, prefix).boundingBox())?.height ?? 0
  await expect.poll(rowHeight).toBeCloseTo(40, 0)

  await columnMenu(page, 'Squads', 'Pin to the left')
  await expect(table(page).getByRole('columnheader').nth(1)).toContainText('Squads')

  const handle = page.getByRole('separator', { name: 'Tag: column width' })
  const before = Number(await handle.getAttribute('aria-valuenow'))
  const box = await handle.boundingBox()
  if (!box) throw new Error('the resize handle is not drawn')
  await page.mouse.move(box.x + 3, box.y + 5)
  await page.mouse.down()
  await page.mouse.move(box.x + 63, box.y + 5, { steps: 5 })
  await page.mouse.up()
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 60))
  await handle.focus()
  await page.keyboard.press('ArrowRight')
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 76))

  await page.getByRole('button', { name: 'Columns and density' }).click()
  await page.getByText('Roomy').click()
  await page.getByRole('menuitemcheckbox', { name: 'First seen' }).click()
  await page.keyboard.press('Escape')
  await expect.poll(rowHeight).toBeCloseTo(48, 0)

  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('50')
  await page.reload()
  await expect(row(page, prefix)).toBeVisible()
  await expect(table(page).getByRole('columnheader').nth(1)).toContainText('Squads')
  await expect(handle).toHaveAttribute('aria-valuenow', String(before + 76))
  await expect(head(page, 'First seen')).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('50')
  await expect(page.getByRole('textbox', { name: 'Filter by Username' })).toHaveValue(prefix)
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('users-table') ?? '{}').version)).toBe(2)

  // What another version stored is not misread but dropped.
  await page.evaluate(() => localStorage.setItem('users-table', JSON.stringify({ version: 1, state: { pageSize: 500 } })))
  await page.goto(USERS)
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('25')
})

test('USER-023 USER-024 USER-050 selected rows stand still, are counted, and can be cleared', async ({ page, makeUser }) => {
  const prefix = uniqueName('sel')
  for (const name of ['a', 'b', 'c']) await makeUser({ username: `${prefix}-${name}` })
  await page.clock.install()
  // Without the stream of changes, which has the list read again as well.
  await page.route('**/api/x/events', (route) => route.abort())
  await openWith(page, prefix)
  const polls: number[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/users?')) polls.push(1)
  })
  await page.clock.fastForward(25_500)
  await expect.poll(() => polls.length).toBe(1)

  await page.getByRole('checkbox', { name: `Select ${prefix}-b` }).click()
  const banner = page.getByRole('status').filter({ hasText: 'selected' })
  await expect(banner).toContainText('1 row selected')
  await page.clock.fastForward(60_000)
  await expect(row(page, `${prefix}-b`).getByRole('checkbox')).toBeChecked()
  expect(polls).toHaveLength(1)

  await banner.getByRole('button', { name: 'Select all' }).click()
  await expect(banner).toContainText('3 rows selected')
  await expect(banner.getByRole('button', { name: /^Change .* users?…$/ })).toBeVisible()
  await banner.getByRole('button', { name: 'Clear selection' }).click()
  await expect(page.getByRole('checkbox', { checked: true })).toHaveCount(0)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await expect(banner).toContainText('3 rows selected')
})

test('USER-025 a click on a row and Enter on it open the user, and the address can be shared', async ({ page, makeUser }) => {
  const prefix = uniqueName('open')
  const [first, second] = [await makeUser({ username: `${prefix}-a` }), await makeUser({ username: `${prefix}-b` })]
  await openWith(page, prefix)
  await row(page, first.username).click()
  const drawer = page.getByRole('dialog', { name: first.username })
  await expect(drawer).toBeVisible()
  expect(page.url()).toContain(`user=${first.uuid}`)
  await page.keyboard.press('Escape')
  await expect(drawer).toBeHidden()
  await expect(row(page, first.username)).toBeFocused() // only then nothing else moves the focus

  await row(page, second.username).focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, first.username)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(row(page, second.username).getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: second.username })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog', { name: second.username })).toBeHidden()

  await page.goto(`${USERS}?edit=${first.uuid}`)
  const form = page.getByRole('dialog', { name: 'Edit user' })
  await expect(form.getByRole('group', { name: 'Username' })).toContainText(first.username)
})
