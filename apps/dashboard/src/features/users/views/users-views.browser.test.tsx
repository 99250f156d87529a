import { createView, deleteView, listTopUsers, listUsers, listViews, updateView, type SavedView } from '@causeway/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const GIB = 1024 ** 3
const traffic = { today: GIB, week: 2 * GIB, thirtyDays: 3 * GIB, month: 4 * GIB }
const lastAsked = () => requests(listUsers).at(-1)
const item = (name: string) => page.getByRole('menuitem', { name, exact: true })
const heavy = { uuid: uuid(5), username: 'heavy', status: 'LIMITED' as const, bytes: 5 * GIB }
const views = (shown?: string) =>
  page.getByRole('button', { name: shown === undefined ? 'Views' : `Views, shown: ${shown}`, exact: true })

let saved: SavedView[]
beforeEach(() => {
  answerSmallPanel()
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  answer(listUsers, () => ({ users: [{ ...sampleUser(), traffic }], total: 1 }))
  saved = []
  const at = '2026-11-22T00:00:00.000Z'
  answer(listViews, () => ({ views: saved }))
  answer(createView, (view) => {
    const made = { ...view, uuid: uuid(900 + saved.length), createdAt: at, updatedAt: at }
    saved = [...saved, made]
    return made
  })
  answer(updateView, ({ uuid: which, name, search }) => {
    saved = saved.map((view) =>
      view.uuid === which ? { ...view, name: name ?? view.name, search: search ?? view.search } : view,
    )
    return saved.find((view) => view.uuid === which)!
  })
  answer(deleteView, ({ uuid: which }) => {
    saved = saved.filter((view) => view.uuid !== which)
    return { isDeleted: true }
  })
})

it('a list that everybody needs is one choice away, and the button says which one is shown', async () => {
  const screen = await showPage(`${USERS}?status=LIMITED&size=25`)
  await views().click()
  await item('Expiring this week').click()
  await expect.poll(screen.address).toBe(`${USERS}?among=expiringThisWeek&sort=expireAt&page=1`)
  await expect.poll(lastAsked).toMatchObject({
    filters: [{ id: 'among', value: 'expiringThisWeek' }],
    sorting: [{ id: 'expireAt', desc: false }],
  })
  await views('Expiring this week').click()
  await expect.element(item('Expiring this week')).toHaveAttribute('aria-current', 'true')
  await item('All users').click()
  await expect.element(views()).toBeVisible()
  screen.back()
  await expect.element(views('Expiring this week')).toBeVisible()
})

it('who used most stands in a column that is shown for its order alone', async () => {
  await showPage(USERS)
  const head = page.getByRole('columnheader', { name: /^Traffic in 7 days/ })
  await expect.element(page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)).toBeVisible()
  expect(head.query()).toBeNull()
  await views().click()
  await item('Most in 7 days').click()
  await expect.element(head).toHaveAttribute('aria-sort', 'descending')
  await expect.element(page.getByRole('table', { name: 'Users' }).getByRole('row').nth(1)).toMatchTextContent('2.00 GiB')
  await views('Most in 7 days').click()
  await item('All users').click()
  await expect.element(head).not.toBeInTheDocument()
})

it('what is shown is saved under a name, renamed, given another list, and deleted, without a mouse', async () => {
  const screen = await showPage(`${USERS}?status=ACTIVE&sort=-expireAt&page=2&size=50`)
  await expect.element(views()).toBeVisible()
  const key = (keys: string) => userEvent.keyboard(keys)
  views().element().focus()
  await key('{Enter}')
  await expect.element(item('All users')).toBeVisible()
  await expect.element(item('All users')).toHaveFocus()
  // The first one, then from behind: copying, saving.
  await key('{ArrowUp}{ArrowUp}')
  await expect.element(item('Save this list…')).toHaveFocus()
  await key('{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Save this list' })
  await expect.element(dialog.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  await key('Paid long{Enter}')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(requests(createView)).toEqual([
    { page: 'users', name: 'Paid long', search: { status: 'ACTIVE', sort: '-expireAt', size: '50' } },
  ])
  await expect.element(views('Paid long')).toBeVisible()

  // The same name again is refused before it is sent.
  screen.go(`${USERS}?status=DISABLED&size=25&views=save`)
  await dialog.getByRole('textbox', { name: 'Name' }).fill('   ')
  await expect.element(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('PAID long ')
  await expect.element(dialog.getByText('There is a view of this name already')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()

  screen.go(`${USERS}?status=DISABLED&size=25&views=manage`)
  const manage = page.getByRole('dialog', { name: 'Saved views' })
  await manage.getByRole('textbox', { name: 'Name of Paid long' }).fill('Off')
  await key('{Enter}')
  await expect.element(manage.getByRole('textbox', { name: 'Name of Off' })).toBeVisible()
  await manage.getByRole('button', { name: 'Keep the list shown now as Off' }).click()
  await page.getByRole('button', { name: 'Change it' }).click()
  await expect
    .poll(() => requests(updateView))
    .toEqual([
      { uuid: uuid(900), name: 'Off' },
      { uuid: uuid(900), search: { status: 'DISABLED', size: '25' } },
    ])
  await manage.getByRole('button', { name: 'Delete Off' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(manage.getByText('Nothing is saved.')).toBeVisible()
})

it('on a phone a card says what it is ordered by', async () => {
  await showPage(`${USERS}?sort=-trafficMonth&size=25`, PHONE)
  const card = page.getByRole('list', { name: 'Users' }).getByRole('button', { name: 'alice' }).first()
  await expect.element(card).toMatchTextContent(/Traffic this month4\.00 GiB/)
  await views('Most this month').click()
  await item('Never connected').click()
  await expect.element(card).not.toMatchTextContent('Traffic')
  expect(document.documentElement.scrollWidth).toBe(PHONE.width)
})

it('home has a short list of who used most, which leads to each user and to the whole list', async () => {
  answer(listTopUsers, ({ period }) => ({
    from: '2026-11-16',
    users: period === 'today' ? [] : [heavy],
  }))
  const screen = await showPage('/dashboard/home')
  const card = page.getByRole('region', { name: 'Who used most' })
  await expect.element(card.getByRole('listitem')).toMatchTextContent(/heavy.*5\.00 GiB/)
  await expect.element(card.getByRole('link', { name: 'heavy' })).toHaveAttribute('href', `${USERS}?user=${uuid(5)}`)
  await expect
    .element(card.getByRole('link', { name: 'All users by this traffic' }))
    .toHaveAttribute('href', `${USERS}?sort=-trafficWeek&page=1`)
  await card.getByText('Today').click()
  await expect.element(card.getByText('No user has used anything in this time.')).toBeVisible()
  expect(screen.address()).toBe('/dashboard/home?top=today')
})

describe.each(['en', 'fa'] as const)('in %s', (language) => {
  it.each([
    ['on a screen', {}],
    ['on a phone', PHONE],
  ])('menu, dialogs and the list on home have no accessibility violations %s', async (_, size) => {
    saved = [
      {
        uuid: uuid(900),
        page: 'users',
        name: 'Paid',
        search: { status: 'ACTIVE' },
        createdAt: '2026-11-22T00:00:00.000Z',
        updatedAt: '2026-11-22T00:00:00.000Z',
      },
    ]
    answer(listTopUsers, () => ({
      from: '2026-11-16',
      users: [heavy],
    }))
    await showPage(`${USERS}?status=ACTIVE&size=25`, { ...size, language })
    await page.getByRole('button', { name: /Paid/ }).click()
    await expect.element(page.getByRole('menu')).toBeVisible()
    expect(await violations('[role=menu]')).toEqual([])
    await showPage(`${USERS}?status=ACTIVE&size=25&views=manage`, { ...size, language })
    await expect.element(page.getByRole('dialog').getByRole('textbox')).toBeVisible()
    expect(await violations()).toEqual([])
    await showPage('/dashboard/home', { ...size, language })
    await expect.element(page.getByRole('link', { name: 'heavy' })).toBeVisible()
    expect(await violations()).toEqual([])
    expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth)
  })
})
