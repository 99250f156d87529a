import {
  bulkDeleteUsersByStatus,
  bulkUpdateAllUsers,
  changeUsers,
  getUsersImpact,
  listInternalSquads,
  listUsers,
  previewExpiry,
} from '@causeway/contract'
import { notifications } from '@mantine/notifications'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent, type Locator } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, disconnect, hold, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleInternalSquad, sampleUser, uuid } from '../../../../test/samples.ts'
import { colorName } from '../../../../test/hue.ts'
import { showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const UUIDS = [uuid(1), uuid(2)]
const question = (title: string | RegExp) => page.getByRole('dialog', { name: title })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const selected = page.getByRole('dialog', { name: '2 selected users' })
const all = page.getByRole('dialog', { name: 'All users' })

beforeEach(() => {
  answerSmallPanel()
  const users = UUIDS.map((id, index) => sampleUser({ uuid: id, username: `user-${index}` }))
  answer(listUsers, () => ({ users, total: 2 }))
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  answer(getUsersImpact, () => ({ users: 2, onlineNow: 1, nodes: 3 }))
  answer(previewExpiry, () => ({ users: 2, past: 0, endless: 0, movedBack: 0 }))
})

async function openSelected(): Promise<void> {
  await showPage(USERS)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await page.getByRole('button', { name: /^Change .* users?…$/ }).click()
  await expect.element(selected).toBeVisible()
}

async function openAll(tab: string): Promise<void> {
  await showPage(`${USERS}?bulk=all`)
  await all.getByRole('tab', { name: tab }).click()
}

const tick = (drawer: Locator, name: string) => drawer.getByRole('checkbox', { name }).click()
const tabs = (drawer: Locator) =>
  drawer
    .getByRole('tab')
    .elements()
    .map((one) => one.textContent)

it('rows selected on another page are told', async () => {
  answer(listUsers, ({ start = 0 }) => {
    const first = Number(start)
    const users = Array.from({ length: 25 }, (_, index) =>
      sampleUser({ uuid: uuid(1000 + first + index), username: `user-${first + index}` }),
    )
    return { users, total: 50 }
  })
  await showPage(USERS)
  await page.getByRole('checkbox', { name: 'Select user-0', exact: true }).click()
  const told = page.getByRole('status').filter({ hasText: 'selected' })
  await expect.element(told).not.toMatchTextContent('other pages')
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('checkbox', { name: 'Select user-25', exact: true }).click()
  await expect.element(told).toMatchTextContent('2 rows selected (1 on other pages)')
})

it('UBULK-001 UBULK-002 what can be done to selected and to all users stands under three tabs', async () => {
  await openSelected()
  expect(tabs(selected)).toEqual(['Update', 'Actions', 'Danger zone'])
  await expect.element(selected.getByRole('button', { name: 'Update 2 users' })).toBeDisabled()
  await openAll('Update')
  expect(tabs(all)).toEqual(['Update', 'Actions', 'Danger zone'])
})

it('only what deletes users is red', async () => {
  await openSelected()
  await selected.getByRole('tab', { name: 'Actions' }).click()
  await expect.element(selected.getByRole('button', { name: 'Add to squads' })).toHaveAttribute('data-variant', 'default')
  await selected.getByRole('tab', { name: 'Danger zone' }).click()
  const remove = selected.getByRole('button', { name: 'Delete 2 users' })
  await expect.element(remove).toBeVisible()
  expect(colorName(getComputedStyle(remove.element()).backgroundColor)).toBe('red')
})

it('UBULK-003 UBULK-005 UBULK-006 UBULK-007 the fields of a bulk update keep to their limits', async () => {
  await openAll('Update')
  await tick(all, 'Status')
  await all.getByRole('combobox', { name: 'Status' }).click()
  const options = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => options.elements().map((one) => one.textContent)).toEqual(['Active', 'Disabled'])
  await userEvent.keyboard('{Escape}')

  await tick(all, 'Data limit')
  const limit = all.getByRole('textbox', { name: 'Data limit (GiB)' })
  await limit.click()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(limit).toHaveValue('0')
  await limit.fill('-8')

  await tick(all, 'Telegram ID')
  const telegram = all.getByRole('textbox', { name: 'Telegram ID' })
  const update = all.getByRole('button', { name: 'Update all users' })
  for (const [text, sentence] of [
    ['0', 'Must be at least 1.'],
    ['-3', 'Must be at least 1.'],
    ['12.5', 'Must be a whole number.'],
    ['1e5', '“1e5” is not a number.'],
    ['12345678901234567890', 'This has more digits than can be kept.'],
  ] as const) {
    await telegram.fill(text)
    await update.click()
    await expect.element(all.getByText(sentence)).toBeVisible()
    await expect.element(telegram).toHaveValue(text)
  }
  await expect.element(all.getByText('Must be from 0 to 8388607.')).toBeVisible()
  await limit.fill('')
  await update.click()
  await expect.element(all.getByText('Enter a number.')).toBeVisible()
  expect(page.getByRole('dialog', { name: 'Update all users?' }).elements()).toEqual([])

  await tick(all, 'Expiry')
  const now = new Date()
  for (const [preset, months] of [
    ['1 month', 1],
    ['3 months', 3],
    ['1 year', 12],
    ['2099', (2099 - now.getUTCFullYear()) * 12],
  ] as const) {
    await all.getByRole('button', { name: preset, exact: true }).click()
    const then = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
    const expiry = () => all.getByRole('textbox', { name: 'Expires at' }).query()
    const month = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' }).format(then)
    await expect.poll(expiry).toHaveProperty('value', expect.stringContaining(`${month} `))
    expect(expiry()).toHaveProperty('value', expect.stringContaining(String(then.getUTCFullYear())))
  }
})

it('a ticked field left empty is cleared, and what is not ticked stays', async () => {
  answer(changeUsers, () => ({ affectedRows: 2 }))
  await openSelected()
  for (const name of ['Telegram ID', 'Email', 'Tag']) await tick(selected, name)
  await selected.getByRole('button', { name: 'Update 2 users' }).click()
  const asked = question('Update these users?')
  await expect.element(asked.getByRole('note')).toHaveTextContent('2 users · 1 online now · 3 nodes')
  expect(requests(changeUsers)).toEqual([])
  await asked.getByRole('button', { name: 'Update' }).click()
  await expect
    .poll(() => requests(changeUsers))
    .toEqual([{ uuids: UUIDS, change: { kind: 'update', fields: { telegramId: null, email: null, tag: null } } }])
  expect(requests(getUsersImpact)).toEqual([{ uuids: UUIDS }])
})

it.each([
  {
    endpoint: changeUsers,
    path: ['change', 'fields', 'email'],
    open: async () => {
      await openSelected()
      return selected
    },
  },
  {
    endpoint: bulkUpdateAllUsers,
    path: ['email'],
    open: async () => {
      await openAll('Update')
      return all
    },
  },
])("UBULK-022 the server's complaint about a field of $endpoint.name stands at that field", async ({ endpoint, path, open }) => {
  const errors = [{ code: 'custom', path, message: 'is on the list of traps' }]
  refuse(endpoint, { status: 400, message: 'Validation failed', errors })
  const drawer = await open()
  await tick(drawer, 'Email')
  const email = drawer.getByRole('textbox', { name: 'Email' })
  await email.fill('trap@example.org')
  await drawer.getByRole('button', { name: /^Update / }).click()
  await question(/^Update (these|all) users\?$/)
    .getByRole('button', { name: 'Update' })
    .click()
  await expect.element(email).toHaveAccessibleDescription('This is on the list of traps')
  await expect.element(email).toHaveValue('trap@example.org')
})

it('UBULK-008 UBULK-017 the squads of selected users are replaced, by at least one squad', async () => {
  answer(changeUsers, () => ({ affectedRows: 2 }))
  await openSelected()
  await selected.getByRole('tab', { name: 'Actions' }).click()
  await selected.getByText('Replace', { exact: true }).click()
  const change = selected.getByRole('button', { name: 'Replace squads' })
  await change.click()
  await expect.element(selected.getByText('Select at least one internal squad')).toBeVisible()
  expect(question(/^Replace the squads/).query()).toBeNull()

  await selected.getByRole('combobox', { name: 'Internal squads' }).click()
  await page.getByRole('option', { name: 'Friends' }).click()
  await selected.getByRole('heading', { name: '2 selected users' }).click()
  await change.click()
  await question('Replace the squads of these users by Friends?').getByRole('button', { name: 'Replace squads' }).click()
  const squads = { kind: 'squads', mode: 'replace', squads: [uuid(301)] }
  await expect.poll(() => requests(changeUsers)).toEqual([{ uuids: UUIDS, change: squads }])
  await expect.element(toast('Started for 2 users')).toBeVisible()
})

it('members of one squad are moved to another, which cannot be the same', async () => {
  answer(changeUsers, () => ({ affectedRows: 2 }))
  const family = sampleInternalSquad({ uuid: uuid(302), name: 'Family' })
  answer(listInternalSquads, () => ({ total: 2, internalSquads: [sampleInternalSquad(), family] }))
  await openSelected()
  await selected.getByRole('tab', { name: 'Actions' }).click()
  await selected.getByText('Move', { exact: true }).click()
  const move = selected.getByRole('button', { name: 'Move to squads' })
  await move.click()
  await expect.element(selected.getByText('Select the squad to move from')).toBeVisible()
  await selected.getByRole('combobox', { name: 'From squad' }).click()
  await page.getByRole('option', { name: 'Friends' }).click()
  await selected.getByRole('combobox', { name: 'Internal squads' }).click()
  await expect
    .poll(() =>
      page
        .getByRole('listbox')
        .getByRole('option')
        .elements()
        .map((one) => one.textContent),
    )
    .toEqual(['Family'])
  await page.getByRole('option', { name: 'Family' }).click()
  await selected.getByRole('heading', { name: '2 selected users' }).click()
  await move.click()
  await question('Move these users from Friends to Family?').getByRole('button', { name: 'Move to squads' }).click()
  const change = { kind: 'squads', mode: 'move', from: uuid(301), squads: [uuid(302)] }
  await expect.poll(() => requests(changeUsers)).toEqual([{ uuids: UUIDS, change }])
})

it('all users of a filtered list are changed by the filter and the number that was seen', async () => {
  answer(changeUsers, () => ({ affectedRows: 64 }))
  const users = Array.from({ length: 25 }, (_, index) => sampleUser({ uuid: uuid(1000 + index), username: `user-${index}` }))
  answer(listUsers, () => ({ users, total: 64 }))
  await showPage(`${USERS}?tag=PAID`)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await page.getByRole('button', { name: 'Select all 64 of this list' }).click()
  const told = page.getByRole('status').filter({ hasText: 'selected' })
  await expect.element(told).toMatchTextContent('All 64 of this list selected')
  await page.getByRole('button', { name: 'Change 64 users…' }).click()
  const drawer = page.getByRole('dialog', { name: 'All 64 users of this list' })
  const traffic = drawer.getByRole('region', { name: 'Add traffic' })
  await traffic.getByText('Every period').click()
  await traffic.getByRole('button', { name: 'Add 50.00 GiB' }).click()
  await question('Add 50.00 GiB to these users?').getByRole('button', { name: 'Add traffic' }).click()
  const filters = [{ id: 'tag', value: 'PAID' }]
  await expect
    .poll(() => requests(changeUsers))
    .toMatchObject([{ filters, expected: 64, change: { kind: 'addTraffic', bytes: 50 * 1024 ** 3, isOnce: false } }])
  expect(requests(getUsersImpact)).toMatchObject([{ filters }])
})

it('a row taken out of a whole list leaves the chosen rows of the page', async () => {
  const users = Array.from({ length: 25 }, (_, index) => sampleUser({ uuid: uuid(1000 + index), username: `user-${index}` }))
  answer(listUsers, () => ({ users, total: 64 }))
  await showPage(USERS)
  await page.getByRole('checkbox', { name: 'Select all rows of this page' }).click()
  await page.getByRole('button', { name: 'Select all 64 of this list' }).click()
  await page.getByRole('checkbox', { name: 'Select user-3', exact: true }).click()
  await expect.element(page.getByRole('button', { name: 'Change 24 users…' })).toBeVisible()
})

it.each([
  {
    rows: 'UBULK-009 UBULK-016',
    kind: 'resetTraffic',
    tab: 'Actions',
    button: 'Reset usage',
    title: 'Reset the usage of these users?',
    action: 'Reset usage',
  },
  {
    rows: 'UBULK-011 UBULK-015',
    kind: 'revoke',
    tab: 'Actions',
    button: 'Give new links',
    title: 'Give these users new links?',
    action: 'Give new links',
  },
  {
    rows: 'UBULK-012 UBULK-018',
    kind: 'delete',
    tab: 'Danger zone',
    button: 'Delete 2 users',
    title: 'Delete these users?',
    action: 'Delete',
  },
])(
  '$rows UBULK-026 "$button" of selected users is asked first and can be declined',
  async ({ kind, tab, button, title, action }) => {
    answer(changeUsers, () => ({ affectedRows: 2 }))
    await openSelected()
    await selected.getByRole('tab', { name: tab }).click()
    const run = selected.getByRole('button', { name: button, exact: true })
    await run.click()
    await expect.element(question(title)).toMatchTextContent('It can be undone in History.')
    await expect.element(question(title).getByRole('note')).toHaveTextContent('2 users · 1 online now · 3 nodes')
    await question(title).getByRole('button', { name: 'Cancel' }).click()
    await expect.element(question(title)).not.toBeInTheDocument()
    expect(requests(changeUsers)).toEqual([])
    await run.click()
    await question(title).getByRole('button', { name: action, exact: true }).click()
    await expect.poll(() => requests(changeUsers)).toEqual([{ uuids: UUIDS, change: { kind } }])
    await expect.element(toast('Started for 2 users')).toBeVisible()
    await expect.element(selected).not.toBeInTheDocument()
    expect(page.getByRole('status').filter({ hasText: 'rows selected' }).query()).toBeNull()
  },
)

it('what was ticked is not lost without a question, also after a look at another tab', async () => {
  await openAll('Update')
  await tick(all, 'Limit strategy')
  await all.getByRole('tab', { name: 'Danger zone' }).click()
  await all.getByRole('button', { name: 'Close' }).click()
  await question('Discard changes?').getByRole('button', { name: 'Keep editing' }).click()
  await all.getByRole('tab', { name: 'Update' }).click()
  await expect.element(all.getByRole('checkbox', { name: 'Limit strategy' })).toBeChecked()
  await userEvent.keyboard('{Escape}')
  await question('Discard changes?').getByRole('button', { name: 'Discard' }).click()
  await expect.element(all).not.toBeInTheDocument()
})

async function deleteDisabled(): Promise<void> {
  await openAll('Danger zone')
  await all.getByRole('combobox', { name: 'Status of the users to delete' }).click()
  await page.getByRole('option', { name: 'Disabled' }).click()
  await all.getByRole('button', { name: 'Delete by status' }).click()
  await question('Delete all users with the status “Disabled”?').getByRole('button', { name: 'Delete' }).click()
}

it('UBULK-021 UBULK-023 UBULK-024 a notice stands while users of one status are deleted, and then their number', async () => {
  answer(bulkDeleteUsersByStatus, () => ({ affectedRows: 7 }))
  const release = hold(bulkDeleteUsersByStatus)
  await deleteDisabled()
  const notice = toast('Processing: deleting users…')
  await expect.element(notice).toBeVisible()
  release()
  await expect.element(page.getByText('7 users deleted')).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
  expect(requests(bulkDeleteUsersByStatus)).toEqual([{ status: 'DISABLED' }])
})

it('UBULK-025 a failed delete by status names the request, in red, with what the server said or that it is unknown', async () => {
  for (const [fail, text] of [
    [() => refuse(bulkDeleteUsersByStatus, { status: 500, message: 'The disk is full', code: 'A001' }), 'The disk is full'],
    [() => refuse(bulkDeleteUsersByStatus, { status: 500 }), 'Request failed with unknown error.'],
    [() => disconnect(bulkDeleteUsersByStatus), 'Request failed with unknown error.'],
  ] as const) {
    fail()
    await deleteDisabled()
    const told = toast('Bulk Delete Users By Status')
    await expect.element(told).toMatchTextContent(text)
    const style = getComputedStyle(told.element())
    expect(style.getPropertyValue('--notification-color')).toBe(style.getPropertyValue('--mantine-color-red-6'))
    await expect.element(page.getByText('Processing: deleting users…')).not.toBeInTheDocument()
    notifications.clean()
  }
})

it.each(['en', 'fa'] as const)('what can be done to many users has no accessibility violations in %s', async (language) => {
  await showPage(`${USERS}?bulk=all`, { language })
  const drawer = page.getByRole('dialog')
  await expect.poll(() => drawer.getByRole('tab').elements()).toHaveLength(3)
  for (const box of drawer.getByRole('checkbox').all()) await box.click()
  for (const tab of drawer.getByRole('tab').all()) {
    await tab.click()
    expect(await violations('[role=dialog]')).toEqual([])
  }
})
