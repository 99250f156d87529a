import { getSystemStats, listInternalSquads, listNodes, listUsers, listUserTags, type User } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, disconnect, hold, requests } from '../../../../test/fake-api.ts'
import { colorName } from '../../../../test/hue.ts'
import { sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { violations } from '../../../../test/axe.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

const USERS = '/dashboard/management/users'
const table = page.getByRole('table', { name: 'Users' })
const row = (name: string) => table.getByRole('row', { name, exact: true })
const button = (name: string | RegExp) => page.getByRole('button', { name })
const names = () => [...document.querySelectorAll('tbody tr[aria-label]')].map((one) => one.getAttribute('aria-label'))

beforeEach(() => {
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUserTags, () => ({ tags: [] }))
})

function given(...users: User[]): void {
  answer(listUsers, () => ({ users, total: users.length }))
}

it('USER-005 USER-006 USER-007 USER-008 USER-009 USER-013 a row says who, how, until when and how much', async () => {
  given(
    sampleUser({
      username: 'limited',
      usedTrafficBytes: 5 * 1024 ** 3,
      lifetimeUsedTrafficBytes: 7 * 1024 ** 3,
      trafficLimitBytes: 50 * 1024 ** 3,
      trafficLimitStrategy: 'MONTH',
      activeInternalSquads: [{ uuid: uuid(301), name: 'Friends' }],
    }),
    sampleUser({
      uuid: uuid(2),
      username: 'free',
      expireAt: '2099-01-01T00:00:00.000Z',
      activeInternalSquads: [
        { uuid: uuid(301), name: 'Friends' },
        { uuid: uuid(302), name: 'Family' },
      ],
    }),
  )
  await showPage(USERS)
  await expect.element(row('limited')).toBeVisible()
  for (const text of ['not connected yet', 'Active', 'May 6, 2031', '5.00 GiB / 50.00 GiB', 'Monthly', 'Σ 7.00 GiB', 'Friends'])
    await expect.element(row('limited')).toMatchTextContent(text)
  await expect.element(row('limited').getByRole('progressbar', { name: '10% used, 90% left' })).toBeInTheDocument()

  await expect.element(row('free').getByRole('img', { name: 'Never expires' })).toHaveTextContent('∞')
  await expect.element(row('free')).toMatchTextContent('No reset')
  await expect.element(row('free').getByText('2 squads')).toHaveAttribute('title', 'Friends, Family')
})

it('USER-010 USER-011 USER-012 USER-014 the rarer columns are there, hidden until somebody wants them', async () => {
  given(
    sampleUser({
      username: 'cols',
      description: 'from the fair',
      telegramId: 4242,
      email: 'cols@example.org',
      tag: 'VIP',
      lifetimeUsedTrafficBytes: 3 * 1024 ** 3,
    }),
  )
  await showPage(USERS)
  await expect.element(row('cols')).toBeVisible()
  const heads = () =>
    table
      .getByRole('columnheader')
      .elements()
      .map((one) => one.textContent)
  const shown = ['', 'Username', 'Status', 'Last node', 'Expires', 'Data usage', 'Tag', 'Squads', 'First seen', 'Last reset']
  expect(heads()).toEqual(shown)
  await button('Columns and density').click()
  const hidden = ['Sub link', 'Description', 'Telegram ID', 'Email', 'Online at', 'Last user agent', 'Lifetime used']
  for (const column of [...hidden, 'Sub link revoked', 'Created']) {
    const item = page.getByRole('menuitemcheckbox', { name: column, exact: true })
    await expect.element(item).toHaveAttribute('aria-checked', 'false')
    await item.click()
  }
  await userEvent.keyboard('{Escape}')
  expect(heads().toSorted()).toEqual([...shown, ...hidden, 'Sub link revoked', 'Created'].toSorted())
  for (const text of ['from the fair', '4242', 'cols@example.org', 'VIP', '3.00 GiB'])
    await expect.element(row('cols')).toMatchTextContent(text)
  await expect.element(row('cols').getByRole('button', { name: 'Copy subscription link' })).toBeInTheDocument()
})

it.each(['en', 'ru', 'fa', 'zh'] as const)('names of usual length are whole on a usual screen, in %s', async (language) => {
  const DAY = 86_400_000
  const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString()
  const node = (nodeName: string) => ({ countryCode: 'HK', nodeName, connectedAt: ago(0.02) })
  given(
    sampleUser({ username: 'never', status: 'LIMITED', tag: 'PARTNER', lastConnectedNode: node('Hong Kong 1') }),
    sampleUser({
      uuid: uuid(2),
      username: 'lately',
      status: 'DISABLED',
      expireAt: ago(-40),
      usedTrafficBytes: 677.96 * 1024 ** 2,
      trafficLimitBytes: 100 * 1024 ** 3,
      trafficLimitStrategy: 'MONTH',
      onlineAt: ago(0.02),
      firstConnectedAt: ago(0.02),
      lastTrafficResetAt: ago(0.9),
      lastConnectedNode: node('Los Angeles 1'),
    }),
    // The widest amounts there are: a size steps up before it has five figures.
    ...[2, 3].map((step) => {
      const bytes = Math.round(1022.88 * 1024 ** step)
      return sampleUser({ uuid: uuid(step + 1), username: `most${step}`, usedTrafficBytes: bytes, trafficLimitBytes: bytes })
    }),
  )
  await showPage(USERS, { language, width: 1440, height: 900 })
  await expect.poll(names).toEqual(['never', 'lately', 'most2', 'most3'])
  const cut = [...document.querySelectorAll<HTMLElement>('thead *, tbody tr[aria-label] *')]
    .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
    .map(({ textContent }) => textContent)
  expect(cut).toEqual([])
})

it('USER-025 keys that come faster than frames each act on the row that the one before went to, also far down', async () => {
  const many = Array.from({ length: 200 }, (_, i) => sampleUser({ uuid: uuid(i + 1), username: `user-${i}` }))
  given(...many)
  await showPage(USERS)
  await expect.element(row('user-0')).toBeVisible()
  const press = (...keys: string[]) => {
    for (const key of keys)
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
  }
  row('user-0').element().focus()
  press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowUp', ' ')
  await expect.element(row('user-2').getByRole('checkbox')).toBeChecked()
  await expect.element(row('user-2')).toHaveFocus()

  press('End')
  await expect.element(row('user-199')).toHaveFocus()
  press(...Array.from({ length: 12 }, () => 'ArrowUp'), ' ')
  await expect.element(row('user-187').getByRole('checkbox')).toBeChecked()
  const head = table.getByRole('columnheader').first().element().getBoundingClientRect()
  press('Home')
  await expect.element(row('user-0')).toHaveFocus()
  expect(row('user-0').element().getBoundingClientRect().top).toBeGreaterThanOrEqual(Math.floor(head.bottom))

  // Who scrolls the row that has the focus out of sight is not taken to another one.
  const box = table.element().parentElement
  box?.scrollTo({ top: 3000 })
  await expect.element(row('user-0')).not.toBeInTheDocument()
  await expect.element(row('user-75')).toBeVisible()
  expect(box?.scrollTop).toBe(3000)
})

it('USER-030 a list that cannot be loaded says so, and old rows are named as old', async () => {
  disconnect(listUsers)
  await showPage(USERS)
  const banner = page.getByRole('alert').filter({ hasText: 'Error loading data' })
  await expect.element(banner).toBeVisible()
  expect(names()).toEqual([])
  given(sampleUser({ username: 'alice' }))
  await banner.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row('alice')).toBeVisible()
  await expect.element(banner).not.toBeInTheDocument()

  disconnect(listUsers)
  disconnect(getSystemStats)
  await page.getByRole('main').getByRole('button', { name: 'Refresh' }).click()
  await expect.element(banner).toMatchTextContent(/was read at .* and may have changed/)
  await expect.element(row('alice')).toBeVisible()
  // Counts have no place for a time of their own: they are not shown rather than shown as current.
  const tiles = page.getByRole('group', { name: 'Users by status' })
  await expect.element(tiles.getByRole('button', { name: 'Total' })).toHaveTextContent('Total–')
})

it('the table says that it is loading, and that there are no users yet', async () => {
  given()
  const release = hold(listUsers)
  await showPage(USERS)
  await expect.element(table).toHaveAttribute('aria-busy', 'true')
  release()
  await expect.element(page.getByText('No users yet')).toBeVisible()
  await expect.element(table).toHaveAttribute('aria-busy', 'false')
})

it('USER-002 USER-003 a small screen is told once that a large one shows more, and is not interrupted', async () => {
  given(sampleUser({ username: 'alice' }))
  await showPage(`${USERS}?help=open`, { width: 500, height: 844 })
  const help = page.getByRole('dialog', { name: 'The users page' })
  const notice = page.getByRole('note', { name: 'A small screen' })
  await expect.element(help).toBeVisible()
  await help.getByRole('button').first().click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  await notice.getByRole('button', { name: 'Got it' }).click()
  await expect.element(notice).not.toBeInTheDocument()
  expect(JSON.parse(localStorage.getItem('users-mobile-notice') ?? '{}')).toMatchObject({ version: 1 })
  await showPage(USERS, { width: 500, height: 844 })
  const card = page.getByRole('list', { name: 'Users' }).getByRole('button', { name: 'alice' }).first()
  await expect.element(card).toBeVisible()
  expect(notice.query()).toBeNull()
  localStorage.removeItem('users-mobile-notice')
  await showPage(USERS, { width: 501, height: 844 })
  await expect.element(card).toBeVisible()
  expect(notice.query()).toBeNull()
})

it('USER-075 USER-076 USER-077 the table asks for 25 rows of what it shows and pages by rows', async () => {
  const users = Array.from({ length: 27 }, (_, index) => sampleUser({ uuid: uuid(index + 1), username: `user-${index}` }))
  answer(listUsers, ({ start = 0, size = 25 }) => ({ users: users.slice(start, start + size), total: users.length }))
  await showPage(USERS)
  await expect.element(page.getByText('1–25 of 27')).toBeVisible()
  await button('Next page').click()
  await expect.poll(names).toEqual(['user-25', 'user-26'])
  expect(requests(listUsers).at(-1)).toMatchObject({ start: 25, size: 25, filters: [], sorting: [] })
  expect(requests(listUsers).at(-1)?.filterModes).toMatchObject({ username: 'contains' })
})

it.each([{}, PHONE])('the search field is always there and filters as one types: %o', async (view) => {
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  const users = [sampleUser({ username: 'alice' }), sampleUser({ uuid: uuid(2), username: 'bob' })]
  answer(listUsers, ({ filters = [] }) => {
    const typed = filters.find(({ id }) => id === 'search')?.value
    const found = users.filter(({ username }) => typeof typed !== 'string' || username.includes(typed))
    return { users: found, total: found.length }
  })
  await showPage(USERS, view)
  const field = page.getByRole('searchbox', { name: 'Find by name, e-mail, Telegram ID or link' })
  await expect.element(page.getByText('bob')).toBeVisible()
  await userEvent.keyboard('/')
  await userEvent.keyboard('ali')
  await expect.element(page.getByText('bob')).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('ali')
  await field.clear()
  await expect.element(page.getByText('bob')).toBeVisible()
})

it('CONST-008 USER-016 the filter of a column is sent when the typing has paused for 300 ms', async () => {
  let typedAt = 0
  const asked: { text: unknown; at: number }[] = []
  answer(listNodes, () => [])
  answer(listUsers, ({ filters = [] }) => {
    for (const { value } of filters) asked.push({ text: value, at: performance.now() })
    return { users: [], total: 0 }
  })
  await showPage(USERS)
  await button(/^Filters/).click()
  const field = page.getByRole('textbox', { name: 'Filter by Username' })
  field.element().addEventListener('input', () => (typedAt = performance.now()))
  await field.fill('ali')
  await expect.poll(() => asked.map(({ text }) => text)).toEqual(['ali'])
  expect((asked[0]?.at ?? 0) - typedAt).toBeGreaterThanOrEqual(295)
})

it('USER-022 the table fills the screen and gives it back', async () => {
  given(sampleUser())
  await showPage(USERS)
  await button('Full screen').click()
  const box = page.getByRole('region', { name: 'Users' }).element().getBoundingClientRect()
  expect([box.x, box.y, box.width, box.height]).toEqual([0, 0, 1440, 900])
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Full screen')).toBeVisible()
})

it.each(['en', 'fa'] as const)(
  'the users page has no accessibility violations, as table and as cards, in %s',
  async (language) => {
    localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
    given(sampleUser({ username: 'alice', tag: 'AXE', trafficLimitBytes: 1024 ** 3 }))
    await showPage(USERS, { language })
    await page.getByRole('checkbox').nth(1).click()
    expect(await violations()).toEqual([])
    await showPage(USERS, { language, ...PHONE })
    await expect.element(page.getByRole('list').getByRole('button', { name: 'alice' }).first()).toBeVisible()
    expect(await violations()).toEqual([])
    expect(getComputedStyle(document.documentElement).direction).toBe(language === 'fa' ? 'rtl' : 'ltr')
  },
)

it('CONST-004 the dot is teal for who was seen within a minute, gray for who was not, and yellow for who never was', async () => {
  const seen = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1000).toISOString()
  given(
    sampleUser({ uuid: uuid(1), username: 'here', onlineAt: seen(20) }),
    sampleUser({ uuid: uuid(2), username: 'away', onlineAt: seen(90) }),
    sampleUser({ uuid: uuid(3), username: 'nobody' }),
  )
  await showPage(USERS)
  await expect.element(row('here')).toBeVisible()
  const dot = (name: string) => {
    const found = row(name).element().querySelector('[class*=lastSeen] [data-color]')
    return found ? colorName(getComputedStyle(found).backgroundColor) : undefined
  }
  // Gray is none of the named colours.
  expect(['here', 'away', 'nobody'].map(dot)).toEqual(['teal', undefined, 'yellow'])
})

it('USER-026 USER-027 one refresh, one clear and one reset on the page, in words; a phone has the rarer in the menu', async () => {
  given()
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  await showPage(`${USERS}?search=nobody`)
  const main = page.getByRole('main')
  await expect.element(main.getByText('Nothing matches these filters')).toBeVisible()
  for (const name of ['Refresh', 'Clear filters', 'Reset table']) {
    expect(main.getByRole('button', { name }).elements()).toHaveLength(1)
    await expect.element(main.getByRole('button', { name })).toHaveTextContent(name)
  }
  await main.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(main.getByRole('button', { name: 'Clear filters' })).toBeDisabled()
  await expect.poll(() => requests(listUsers).at(-1)).toMatchObject({ filters: [] })

  await page.viewport(PHONE.width, PHONE.height)
  await expect.element(main.getByRole('button', { name: 'Clear filters' })).not.toBeInTheDocument()
  await button('Columns and density').click()
  await page.getByRole('menuitem', { name: 'Reset table' }).click()
  await expect.poll(() => localStorage.getItem('users-table')).toBeNull()
})

it('the menu of a column is one before it is opened, and gives the focus back to its button', async () => {
  given(sampleUser({ username: 'anna' }))
  await showPage(USERS)
  await expect.element(row('anna')).toBeVisible()
  const menu = button('Status: column menu')
  await expect.element(menu).toHaveAttribute('aria-haspopup', 'menu')
  await expect.element(menu).toHaveAttribute('aria-expanded', 'false')
  const item = page.getByRole('menuitem', { name: 'Pin to the left' })

  menu.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(item).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(item).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()

  await menu.click()
  await expect.element(item).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(item).not.toBeInTheDocument()
  await expect.element(menu).toHaveFocus()

  // As what reads the screen to somebody does: without the pointer, and without the focus before.
  const other = button('Expires: column menu')
  other.element().dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(item).toBeVisible()
})

it('a page of rows is drawn in two parts, and is as high with the first as with both', async () => {
  given(...Array.from({ length: 25 }, (_, i) => sampleUser({ uuid: uuid(400 + i), username: `user-${i}` })))
  const seen: { rows: number; height: number }[] = []
  const observer = new MutationObserver(() => {
    const rows = names().length
    if (rows > 0) seen.push({ rows, height: document.querySelector('main table')?.scrollHeight ?? 0 })
  })
  observer.observe(document.body, { childList: true, subtree: true })
  await showPage(USERS)
  await expect.element(row('user-24')).toBeInTheDocument()
  observer.disconnect()
  expect(seen[0]?.rows).toBe(12)
  expect(seen.at(-1)?.rows).toBe(25)
  expect(seen[0]?.height).toBe(seen.at(-1)?.height)
  expect(table.element().querySelectorAll('tbody > tr')).toHaveLength(25)
})
