import { getHwidSettings, getSystemStats, getUser, listInternalSquads, listUsers, previewExpiry } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleInternalSquad, sampleSystemStats, sampleUser } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const user = sampleUser()
const main = page.getByRole('main')
const button = (name: string | RegExp) => main.getByRole('button', { name })
const dialog = (name: string) => page.getByRole('dialog', { name })
const head = (name: string) => page.getByRole('columnheader', { name: new RegExp(`^${name}`) })
const row = page.getByRole('row', { name: user.username, exact: true })
const asked = () => requests(listUsers).at(-1)
const textsOf = (all: Element[]) => all.map(({ textContent }) => textContent.trim())

const statusCounts = { ACTIVE: 5, EXPIRED: 3, LIMITED: 2, DISABLED: 1 }
beforeEach(() => {
  answerSmallPanel()
  answer(getUser, () => user)
  answer(previewExpiry, () => ({ users: 2, past: 0, endless: 0, movedBack: 0 }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: true, fallbackDeviceLimit: 5 }))
  answer(getSystemStats, () => sampleSystemStats({ users: { statusCounts, totalUsers: 11, totalTrafficBytes: '0' } }))
  const squad = sampleInternalSquad()
  answer(listInternalSquads, () => ({
    total: 1,
    internalSquads: [{ ...squad, info: { ...squad.info, membersCount: 1 } }],
  }))
})

it('SHELL-023 USER-001 USER-004 the page shows its breadcrumb and the number of users in each state', async () => {
  await showPage(USERS)
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toMatchTextContent(/^Dashboard\/Users$/)
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent(/^Users$/)
  const tiles = page.getByRole('group', { name: 'Users by status' }).getByRole('button')
  await expect.poll(() => textsOf(tiles.elements())).toEqual(['Total11', 'Active5', 'Expired3', 'Limited2', 'Disabled1'])
})

it('a phone shows the numbers of all states without scrolling sideways', async () => {
  await showPage(USERS, PHONE)
  const tiles = page.getByRole('group', { name: 'Users by status' }).getByRole('button')
  await expect.poll(() => tiles.elements().length).toBe(5)
  for (const tile of tiles.elements()) {
    const { left, right, height } = tile.getBoundingClientRect()
    expect(left).toBeGreaterThanOrEqual(0)
    expect(right).toBeLessThanOrEqual(PHONE.width)
    expect(height).toBeGreaterThanOrEqual(40)
  }
})

it('USER-015 USER-016 USER-017 filters look for what contains the text, or choose a status or squad', async () => {
  await showPage(USERS)
  await expect.element(row).toBeVisible()
  await button(/^Filters/).click()
  await page.getByRole('textbox', { name: 'Filter by Username' }).fill('-o')
  await expect.poll(asked).toMatchObject({ filters: [{ id: 'username', value: '-o' }] })
  await page.getByRole('combobox', { name: 'Filter by Status' }).click()
  const states = page.getByRole('listbox').getByRole('option')
  await expect.poll(() => textsOf(states.elements())).toEqual(['Active', 'Expired', 'Limited', 'Disabled'])
  await page.getByRole('option', { name: 'Disabled' }).click()
  const both = [
    { id: 'username', value: '-o' },
    { id: 'status', value: 'DISABLED' },
  ]
  await expect.poll(asked).toMatchObject({ filters: both })
  await button('Clear filters').click()
  await expect.element(page.getByRole('textbox', { name: 'Filter by Username' })).toHaveValue('')
  await page.getByRole('combobox', { name: 'Filter by Squads' }).click()
  await page.getByRole('option', { name: 'Friends (1 member)' }).click()
  await expect.poll(asked).toMatchObject({ filters: [{ id: 'activeInternalSquads', value: sampleInternalSquad().uuid }] })
})

it('USER-018 a click on a head sorts, ascending first, and says so to screen readers', async () => {
  await showPage(USERS)
  await expect.element(row).toBeVisible()
  for (const [order, desc] of [
    ['ascending', false],
    ['descending', true],
  ] as const) {
    await head('Expires').getByRole('button', { name: 'Expires', exact: true }).click()
    await expect.element(head('Expires')).toHaveAttribute('aria-sort', order)
    await expect.poll(asked).toMatchObject({ sorting: [{ id: 'expireAt', desc }] })
  }
})

it('USER-026 USER-027 USER-028 the commands of the page: help, refresh, reset, all users, new user', async () => {
  await showPage(USERS)
  await expect.element(row).toBeVisible()
  await button('Help').click()
  await expect.element(dialog('The users page')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(dialog('The users page')).not.toBeInTheDocument()
  const before = requests(listUsers).length
  await button('Refresh').click()
  await expect.poll(() => requests(listUsers).length).toBeGreaterThan(before)

  await head('Tag').hover()
  await page.getByRole('button', { name: 'Tag: column menu' }).click()
  await page.getByRole('menuitem', { name: 'Hide column' }).click()
  await expect.element(head('Tag')).not.toBeInTheDocument()
  await button('Reset table').click()
  await expect.element(head('Tag')).toBeVisible()
  await expect.poll(() => localStorage.getItem('users-table')).toBeNull()

  await button('All users…').click()
  await expect.element(dialog('All users')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await button('New user').first().click()
  await expect.element(dialog('New user')).toBeVisible()
})

it('USER-038 USER-039 USER-040 USER-041 the menu of a user holds everything else in four groups', async () => {
  await showPage(`${USERS}?edit=${user.uuid}`)
  await dialog('Edit user').getByRole('button', { name: 'More actions' }).click()
  await expect
    .element(page.getByRole('menu'))
    .toMatchTextContent(
      new RegExp(
        [
          'Management.*Disable.*Reset usage.*New link',
          'Information.*Detailed info.*Show usage.*HWID devices.*View accessible nodes',
          'Subscription.*QR code.*Subscription links',
          'Danger zone.*Delete user',
        ].join('.*'),
      ),
    )
})
