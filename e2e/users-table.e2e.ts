import { getSystemStats } from '@causeway/contract'
import { expect, test } from './fixtures.ts'
import { inDays, uniqueName } from './stage/seeding.ts'
import { columnMenu, filterBy, head, names, openWith, row, table, USERS } from './stage/users-table.ts'

test('SHELL-023 USER-001 USER-004 the page shows its breadcrumb and the number of users in each state', async ({
  page,
  api,
  makeUser,
}) => {
  await makeUser({ status: 'DISABLED' })
  await makeUser({ status: 'LIMITED' })
  await makeUser({ status: 'EXPIRED', expireAt: inDays(-3) })
  await page.goto(USERS)
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
  await expect(crumbs).toHaveText('Dashboard/Users')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Users')
  const { users } = await api(getSystemStats, {})
  const tiles = page.getByRole('group', { name: 'Users by status' })
  for (const [label, count] of [
    ['Total', users.totalUsers],
    ['Active', users.statusCounts.ACTIVE],
    ['Expired', users.statusCounts.EXPIRED],
    ['Limited', users.statusCounts.LIMITED],
    ['Disabled', users.statusCounts.DISABLED],
  ] as const)
    await expect(tiles.getByRole('button', { name: label })).toHaveText(new RegExp(`${label}\\s*${count}$`))
  await expect(tiles.getByRole('button')).toHaveCount(5)
})

test('USER-015 USER-016 USER-017 filters look for what contains the text, or choose a status or squad', async ({
  page,
  makeUser,
  makeInternalSquad,
}) => {
  const squad = await makeInternalSquad()
  const prefix = uniqueName('fil')
  await makeUser({ username: `${prefix}-in`, activeInternalSquads: [squad.uuid] })
  await makeUser({ username: `${prefix}-off`, status: 'DISABLED' })
  await openWith(page, prefix.slice(2))
  await expect.poll(() => names(page)).toEqual([`${prefix}-off`, `${prefix}-in`])

  await page.getByRole('textbox', { name: 'Filter by Username' }).pressSequentially('-o')
  await expect.poll(() => names(page)).toEqual([`${prefix}-off`])

  await page.getByRole('textbox', { name: 'Filter by Username' }).fill(prefix)
  await page.getByRole('combobox', { name: 'Filter by Status' }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Active', 'Expired', 'Limited', 'Disabled'])
  await page.getByRole('option', { name: 'Disabled' }).click()
  await expect.poll(() => names(page)).toEqual([`${prefix}-off`])

  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByRole('combobox', { name: 'Filter by Squads' }).click()
  await page.getByRole('option', { name: `${squad.name} (1 member)` }).click()
  await expect.poll(() => names(page)).toEqual([`${prefix}-in`])
})

test('USER-018 a click on a head sorts, ascending first, and says so to screen readers', async ({ page, makeUser }) => {
  const prefix = uniqueName('srt')
  for (const [name, days] of [
    ['a', 30],
    ['b', 10],
    ['c', 20],
  ] as const)
    await makeUser({ username: `${prefix}-${name}`, expireAt: inDays(days) })
  await openWith(page, prefix)
  await head(page, 'Expires').getByRole('button', { name: 'Expires', exact: true }).click()
  await expect(head(page, 'Expires')).toHaveAttribute('aria-sort', 'ascending')
  await expect.poll(() => names(page)).toEqual(['b', 'c', 'a'].map((name) => `${prefix}-${name}`))
  await head(page, 'Expires').getByRole('button', { name: 'Expires', exact: true }).click()
  await expect(head(page, 'Expires')).toHaveAttribute('aria-sort', 'descending')
  await expect.poll(() => names(page)).toEqual(['a', 'c', 'b'].map((name) => `${prefix}-${name}`))
})

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
  await expect(banner.getByRole('button', { name: 'Bulk actions' })).toBeVisible()
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
  const modal = page.getByRole('dialog', { name: 'Edit user' })
  await expect(modal).toBeVisible()
  expect(page.url()).toContain(`edit=${first.uuid}`)
  await page.keyboard.press('Escape')
  await expect(modal).toBeHidden()
  await expect(row(page, first.username)).toBeFocused() // only then nothing else moves the focus

  await row(page, second.username).focus()
  await page.keyboard.press('ArrowDown')
  await expect(row(page, first.username)).toBeFocused()
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Space')
  await expect(row(page, second.username).getByRole('checkbox')).toBeChecked()
  await page.keyboard.press('Enter')
  await expect(modal.getByRole('group', { name: 'Username' })).toContainText(second.username)
  await page.goBack()
  await expect(modal).toBeHidden()

  await page.goto(`${USERS}?edit=${first.uuid}`)
  await expect(modal.getByRole('group', { name: 'Username' })).toContainText(first.username)
})

test('USER-026 USER-027 USER-028 the commands of the page: help, refresh, clear, reset, all users, new user', async ({
  page,
  makeUser,
}) => {
  const user = await makeUser()
  await page.goto(USERS)
  await page.getByRole('button', { name: 'Help' }).click()
  await expect(page.getByRole('dialog', { name: 'The users page' })).toBeVisible()
  await page.keyboard.press('Escape')

  const refreshed = page.waitForRequest((request) => request.url().includes('/api/users?'))
  await page.getByRole('main').getByRole('button', { name: 'Refresh' }).click()
  await refreshed

  await filterBy(page, 'Username', user.username)
  await expect.poll(() => names(page)).toEqual([user.username])
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect(page.getByRole('textbox', { name: 'Filter by Username' })).toHaveValue('')

  await columnMenu(page, 'Tag', 'Hide column')
  await expect(head(page, 'Tag')).toHaveCount(0)
  await page.getByRole('button', { name: 'Reset table' }).click()
  await expect(head(page, 'Tag')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('users-table'))).toBeNull()

  await page.getByRole('button', { name: 'All users…' }).click()
  await expect(page.getByRole('dialog', { name: 'All users' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New user' }).first().click()
  await expect(page.getByRole('dialog', { name: 'New user' })).toBeVisible()
})
