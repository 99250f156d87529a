import { findHwidDevices, getAuthStatus, getHwidStats, getSystemStats, listHosts, listUsers, login } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleSystemStats, sampleUser } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'
import { createQueryClient } from '../../../api/query-client.ts'
import { beginReading } from '../begin-reading.ts'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const lastAsked = () => requests(listUsers).at(-1)
const table = page.getByRole('table', { name: 'Users' })
const head = (name: string) => table.getByRole('columnheader', { name: new RegExp(`^${name}`) })
const inForce = page.getByRole('group', { name: 'Filters in force' })
const tile = (name: RegExp) => page.getByRole('group', { name: 'Users by status' }).getByRole('button', { name })

beforeEach(() => {
  answerSmallPanel()
  answer(listUsers, () => ({ users: [sampleUser()], total: 90 }))
})

it('filters, order, page and page size stand in the address, and who opens it sees the same list', async () => {
  const screen = await showPage(USERS)
  await tile(/Active/).click()
  await head('Expires').getByRole('button', { name: 'Expires', exact: true }).click()
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOptions('50')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.poll(screen.address).toBe(`${USERS}?status=ACTIVE&sort=expireAt&page=2&size=50`)
  await expect.poll(lastAsked).toMatchObject({ start: 50, size: 50, filters: [{ id: 'status', value: 'ACTIVE' }] })
  const copied = { address: screen.address(), asked: lastAsked() }

  // Another administrator has arranged the page quite differently.
  localStorage.setItem(
    'users-table',
    JSON.stringify({ version: 2, state: { filters: { status: 'LIMITED' }, pageSize: 200, pageIndex: 3 } }),
  )
  await showPage(copied.address)
  await expect.element(head('Expires')).toHaveAttribute('aria-sort', 'ascending')
  expect(lastAsked()).toEqual(copied.asked)
})

it('Back goes from view to view, not from letter to letter, and closes no view with a dialog', async () => {
  const screen = await showPage(USERS)
  await expect.poll(screen.address).toBe(`${USERS}?size=25`)
  const field = page.getByRole('searchbox', { name: /Find by name/ })
  await field.fill('an')
  await expect.poll(screen.address).toBe(`${USERS}?search=an&size=25`)
  await field.fill('anna')
  await expect.poll(screen.address).toBe(`${USERS}?search=anna&size=25`)
  await tile(/Limited/).click()
  await expect.poll(screen.address).toBe(`${USERS}?status=LIMITED&search=anna&size=25`)
  screen.back()
  await expect.poll(screen.address).toBe(`${USERS}?search=anna&size=25`)
  await expect.element(tile(/Limited/)).toHaveAttribute('aria-pressed', 'false')
  screen.back()
  await expect.poll(screen.address).toBe(`${USERS}?size=25`)
  await expect.element(field).toHaveValue('')
})

it('who comes without a view finds the last one, and a link leaves it alone', async () => {
  const screen = await showPage(USERS)
  await tile(/Limited/).click()
  await expect.poll(screen.address).toBe(`${USERS}?status=LIMITED&size=25`)
  await showPage(`${USERS}?among=nearLimit`)
  await expect.poll(lastAsked).toMatchObject({ filters: [{ id: 'among', value: 'nearLimit' }] })
  const again = await showPage(USERS)
  await expect.poll(again.address).toBe(`${USERS}?status=LIMITED&size=25`)
  await page.getByRole('button', { name: 'Reset table' }).click()
  await expect.poll(again.address).toBe(`${USERS}?size=25`)
})

it('what is asked for before the page is drawn is what the page then shows', async () => {
  const left = { filters: { status: 'EXPIRED', search: 'anna' }, sorting: [{ id: 'username', desc: true }], pageSize: 50 }
  localStorage.setItem('users-table', JSON.stringify({ version: 2, state: left }))
  for (const search of ['', '?status=LIMITED&sort=-expireAt&page=2&size=100']) {
    const before = requests(listUsers).length
    const askedThen = () => requests(listUsers).slice(before)
    beginReading(createQueryClient(), Object.fromEntries(new URLSearchParams(search)))
    await expect.poll(askedThen).toHaveLength(1)
    await showPage(USERS + search)
    await expect.poll(askedThen).toHaveLength(2)
    const [ahead, shown] = askedThen()
    expect(ahead).toEqual(shown)
  }
})

it('USER-029 filters are found again by who comes back, who is told of them; what was searched for is not', async () => {
  const users = { statusCounts: { ACTIVE: 30, DISABLED: 0, LIMITED: 60, EXPIRED: 0 }, totalUsers: 90, totalTrafficBytes: '0' }
  answer(getSystemStats, () => sampleSystemStats({ users }))
  answer(listUsers, ({ filters = [] }) => ({ users: [sampleUser()], total: filters.length > 0 ? 60 : 90 }))
  const left = { filters: { status: 'LIMITED', search: 'anna' }, pageIndex: 1 }
  localStorage.setItem('users-table', JSON.stringify({ version: 2, state: left }))
  const screen = await showPage(USERS)
  await expect.poll(screen.address).toBe(`${USERS}?status=LIMITED&size=25`)
  await expect.element(inForce).toHaveTextContent('60 of 90Left on from your last visit:Status: Limited')
  expect(lastAsked()).toMatchObject({ start: 0, filters: [{ id: 'status', value: 'LIMITED' }] })
  await expect.element(page.getByRole('searchbox', { name: /Find by name/ })).toHaveValue('')
  await inForce.getByRole('button', { name: 'Remove the filter Status: Limited' }).click()
  await expect.poll(screen.address).toBe(`${USERS}?size=25`)
  await expect.element(inForce).not.toBeInTheDocument()
})

it('what a link asks for is said too, but not as what one left on; it is one visit’s', async () => {
  const screen = await showPage(`${USERS}?among=nearLimit&username=an&search=anna`)
  await expect.element(inForce.getByRole('button', { name: 'Remove the filter Near their limit' })).toBeVisible()
  await expect.element(inForce).not.toHaveTextContent('last visit')
  await expect.element(page.getByRole('searchbox', { name: /Find by name/ })).toHaveValue('anna')
  await inForce.getByRole('button', { name: 'Remove the filter Username: an' }).click()
  await expect.poll(screen.address).toBe(`${USERS}?search=anna&among=nearLimit&size=25`)
  expect(localStorage.getItem('users-table')).toContain('"filters":{}')
})

it('filters of hosts and devices stand in the address too', async () => {
  const hosts = await showPage('/dashboard/management/hosts?remark=ber')
  const remark = page.getByRole('searchbox', { name: 'Search remark' })
  await expect.element(remark).toHaveValue('ber')
  await remark.fill('berlin')
  await expect.poll(hosts.address).toBe('/dashboard/management/hosts?remark=berlin')
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await expect.poll(hosts.address).toBe('/dashboard/management/hosts')
  await expect.element(remark).toHaveValue('')
  expect(requests(listHosts).length).toBeGreaterThan(0)

  answer(findHwidDevices, () => ({ devices: [], total: 0 }))
  answer(getHwidStats, () => ({
    byPlatform: [],
    byApp: [],
    stats: { totalUniqueDevices: 0, totalHwidDevices: 0, averageHwidDevicesPerUser: 0 },
  }))
  await showPage('/dashboard/management/devices?device=pixel&page=2&size=50')
  await expect.poll(() => requests(findHwidDevices).at(-1)).toMatchObject({ start: 50, size: 50, search: 'pixel' })
})

it('who has to sign in first arrives where the link pointed, with its whole search', async () => {
  answer(getAuthStatus, () => ({
    isLoginAllowed: true,
    isRegisterAllowed: false,
    tgAuth: null,
    oauth2: { providers: { github: false, pocketid: false, yandex: false } },
  }))
  answer(login, () => ({ accessToken: 'new' }))
  const link = `${USERS}?status=LIMITED&sort=-expireAt&page=2&size=50`
  const screen = await showPage(link, { isSignedIn: false })
  const signIn = async () => {
    await expect.poll(screen.address).toBe('/auth/login')
    await page.getByLabelText('Username').fill('admin')
    await page.getByRole('textbox', { name: 'Password' }).fill('secret password')
    await userEvent.keyboard('{Enter}')
  }
  await signIn()
  await expect.poll(screen.address).toBe(link)

  // A session that ends while one looks at something.
  await expect.element(tile(/Active/)).toBeVisible()
  refuse(listUsers, { status: 401, message: 'Unauthorized' })
  await tile(/Active/).click()
  await expect.poll(screen.address).toBe('/auth/login')
  answer(listUsers, () => ({ users: [sampleUser()], total: 1 }))
  await signIn()
  await expect.poll(screen.address).toBe(`${USERS}?status=ACTIVE&sort=-expireAt&size=50`)
})
