import AxeBuilder from '@axe-core/playwright'
import { bulkDeleteUsers, getSystemStats, listUsers } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
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

test('USER-005 USER-006 USER-007 USER-008 USER-009 USER-013 a row says who, how, until when and how much', async ({
  page,
  makeUser,
  makeInternalSquad,
}) => {
  const [one, two] = [await makeInternalSquad(), await makeInternalSquad()]
  const prefix = uniqueName('row')
  await makeUser({
    username: `${prefix}-a`,
    trafficLimitBytes: 50 * 1024 ** 3,
    trafficLimitStrategy: 'MONTH',
    expireAt: '2031-05-06T10:00:00Z',
    activeInternalSquads: [one.uuid],
  })
  await makeUser({ username: `${prefix}-b`, expireAt: '2099-01-01T00:00:00Z', activeInternalSquads: [one.uuid, two.uuid] })
  await openWith(page, prefix)

  const limited = row(page, `${prefix}-a`)
  await expect(limited).toContainText('not connected yet')
  await expect(limited).toContainText('Active')
  await expect(limited).toContainText('May 6, 2031')
  await expect(limited).toContainText('0 B / 50.00 GiB')
  await expect(limited).toContainText('Monthly')
  await expect(limited).toContainText('Σ 0 B')
  await expect(limited.getByRole('progressbar', { name: '0% used, 100% left' })).toBeAttached()
  await expect(limited).toContainText(one.name)

  const free = row(page, `${prefix}-b`)
  await expect(free.getByRole('img', { name: 'Never expires' })).toHaveText('∞')
  await expect(free).toContainText('No reset')
  await free.getByText('2 squads').hover()
  await expect(page.getByRole('tooltip')).toContainText(one.name)
  await expect(page.getByRole('tooltip')).toContainText(two.name)
})

test('USER-010 USER-011 USER-012 USER-014 the rarer columns are there, hidden until somebody wants them', async ({
  page,
  makeUser,
}) => {
  const prefix = uniqueName('cols')
  await makeUser({ username: prefix, description: 'from the fair', telegramId: 4242, email: 'cols@example.org', tag: 'VIP' })
  await openWith(page, prefix)
  await expect(table(page).getByRole('columnheader')).toHaveText([
    '',
    'Username',
    'Status',
    'Last node',
    'Expires',
    'Data usage',
    'Tag',
    'Squads',
    'First seen',
    'Traffic reset',
  ])
  await page.getByRole('button', { name: 'Columns and density' }).click()
  for (const column of [
    'Sub link',
    'Description',
    'Telegram ID',
    'Email',
    'Online at',
    'Last user agent',
    'Lifetime used',
    'Sub link revoked',
    'Created',
  ]) {
    const item = page.getByRole('menuitemcheckbox', { name: column, exact: true })
    await expect(item).toHaveAttribute('aria-checked', 'false')
    await item.click()
    await expect(head(page, column)).toBeAttached()
  }
  await page.keyboard.press('Escape')
  await expect(row(page, prefix)).toContainText('from the fair')
  await expect(row(page, prefix)).toContainText('4242')
  await expect(row(page, prefix)).toContainText('cols@example.org')
  await expect(row(page, prefix)).toContainText('VIP')
  await expect(row(page, prefix).getByRole('button', { name: 'Copy subscription link' })).toBeAttached()
})

test('USER-015 USER-016 USER-017 CONST-008 filters look for what contains the text, or choose a status or squad', async ({
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

  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/api/users?')) asked.push(request.url())
  })
  await page.getByRole('textbox', { name: 'Filter by Username' }).pressSequentially('-o', { delay: 40 })
  await expect.poll(() => names(page)).toEqual([`${prefix}-off`])
  // One question for both keys: the field waits until the typing pauses.
  expect(asked.filter((url) => url.includes(encodeURIComponent(`${prefix.slice(2)}-`)))).toHaveLength(1)

  await page.getByRole('textbox', { name: 'Filter by Username' }).fill(prefix)
  await page.getByRole('combobox', { name: 'Filter by Status' }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Active', 'Expired', 'Limited', 'Disabled'])
  await page.getByRole('option', { name: 'Disabled' }).click()
  await expect.poll(() => names(page)).toEqual([`${prefix}-off`])

  await page.getByRole('button', { name: 'Clear filters' }).first().click()
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
  expect(await rowHeight()).toBeCloseTo(40, 0)

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
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Rows per page' })).toHaveValue('25')
})

test('USER-022 the table fills the screen and gives it back', async ({ page, makeUser }) => {
  await makeUser()
  await page.goto(USERS)
  await page.getByRole('button', { name: 'Full screen' }).click()
  const box = await page.getByRole('region', { name: 'Users' }).boundingBox()
  expect(box).toMatchObject({ x: 0, y: 0, width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Full screen' })).toBeVisible()
})

test('USER-023 USER-024 USER-050 selected rows stand still, are counted, and can be cleared', async ({ page, makeUser }) => {
  const prefix = uniqueName('sel')
  for (const name of ['a', 'b', 'c']) await makeUser({ username: `${prefix}-${name}` })
  await page.clock.install()
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
  await page.getByRole('button', { name: 'Clear filters' }).first().click()
  await expect(page.getByRole('textbox', { name: 'Filter by Username' })).toHaveValue('')

  await columnMenu(page, 'Tag', 'Hide column')
  await expect(head(page, 'Tag')).toHaveCount(0)
  await page.getByRole('button', { name: 'Reset table' }).click()
  await expect(head(page, 'Tag')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('users-table'))).toBeNull()

  await page.getByRole('button', { name: 'All users…' }).click()
  await expect(page.getByRole('dialog', { name: 'All users' })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'New user' }).click()
  await expect(page.getByRole('dialog', { name: 'New user' })).toBeVisible()
})

test('USER-030 a list that cannot be loaded says so, and old rows are named as old', async ({
  page,
  panel,
  session,
  makeUser,
}) => {
  const user = await makeUser()
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((token) => localStorage.setItem('session', token), session.token)
  const restore = proxy.inject({ path: /^\/api\/users\?/, effect: { kind: 'drop' } })
  await page.goto(`${proxy.origin}${USERS}`)
  const banner = page.getByRole('alert').filter({ hasText: 'Error loading data' })
  await expect(banner).toBeVisible()
  await expect(table(page).locator('tbody tr[aria-label]')).toHaveCount(0)
  restore()
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect(row(page, user.username)).toBeVisible()
  await expect(banner).toBeHidden()

  proxy.inject({ path: '/api/', effect: { kind: 'drop' } })
  await page.getByRole('main').getByRole('button', { name: 'Refresh' }).click()
  await expect(banner).toContainText(/was read at .* and may have changed/)
  await expect(row(page, user.username)).toBeVisible()
  // Counts have no place for a time of their own: they are not shown rather than shown as current.
  await expect(page.getByRole('group', { name: 'Users by status' }).getByRole('button', { name: 'Total' })).toHaveText('Total–')
  await proxy.close()
})

test('USER-002 USER-003 a small screen is told once that a large one shows more', async ({ page, makeUser }) => {
  const user = await makeUser()
  await page.setViewportSize({ width: 500, height: 844 })
  await page.goto(USERS)
  const notice = page.getByRole('dialog', { name: 'A small screen' })
  await notice.getByRole('button', { name: 'Got it' }).last().click()
  await expect(notice).toBeHidden()
  expect(await page.evaluate(() => JSON.parse(localStorage.getItem('users-mobile-notice') ?? '{}').version)).toBe(1)
  await page.reload()
  await expect(page.getByRole('list', { name: 'Users' }).getByRole('button', { name: user.username })).toBeVisible()
  await expect(notice).toBeHidden()
  await page.evaluate(() => localStorage.removeItem('users-mobile-notice'))
  await page.setViewportSize({ width: 501, height: 844 })
  await page.reload()
  await expect(page.getByRole('list', { name: 'Users' }).getByRole('button', { name: user.username })).toBeVisible()
  await expect(notice).toBeHidden()
})

test('USER-075 USER-076 USER-077 the table asks for 25 rows of what it shows and pages by rows', async ({
  page,
  api,
  makeUser,
}) => {
  const prefix = uniqueName('pg')
  const users = await Promise.all(Array.from({ length: 27 }, (_, i) => makeUser({ username: `${prefix}-${i}` })))
  await openWith(page, prefix)
  await expect(page.getByText('1–25 of 27')).toBeVisible()
  const asked = page.waitForRequest((request) => request.url().includes('/api/users?'))
  await page.getByRole('button', { name: 'Next page' }).click()
  const query = new URL((await asked).url()).searchParams
  expect(query.get('start')).toBe('25')
  expect(query.get('size')).toBe('25')
  expect(JSON.parse(query.get('filters') ?? '')).toEqual([{ id: 'username', value: prefix }])
  expect(JSON.parse(query.get('filterModes') ?? '')).toMatchObject({ username: 'contains' })
  expect(JSON.parse(query.get('sorting') ?? '')).toEqual([])
  await expect.poll(async () => (await names(page)).length).toBe(2)
  const reply = await api(listUsers, { filters: [{ id: 'username', value: prefix }] })
  expect(reply).toMatchObject({ total: 27 })
  expect(reply.users).toHaveLength(25)
  await api(bulkDeleteUsers, { uuids: users.map(({ uuid }) => uuid) })
})

test('the users page has no accessibility violations, as table and as cards', async ({ page, makeUser }) => {
  const user = await makeUser({ tag: 'AXE', trafficLimitBytes: 1024 ** 3 })
  await page.goto(USERS)
  await expect(row(page, user.username)).toBeVisible()
  await page.getByRole('button', { name: /^Filters/ }).click()
  await page.getByRole('checkbox', { name: `Select ${user.username}` }).click()
  expect((await settled(page)).violations).toEqual([])
  await page.evaluate(() =>
    localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } })),
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await page.reload()
  await expect(page.getByRole('list', { name: 'Users' }).getByRole('button', { name: user.username })).toBeVisible()
  expect((await settled(page)).violations).toEqual([])
})

/** axe measures contrast, which the page's fade-in would spoil. */
async function settled(page: Page) {
  await expect(animated(page)).toHaveCSS('opacity', '1')
  return new AxeBuilder({ page }).analyze()
}

const animated = (page: Page): Locator => page.locator('main')
