import {
  getAccount,
  getSystemStats,
  getUserCounts,
  listExternalSquads,
  listHosts,
  openToResellers,
  permissionsOfRole,
  resellerPermissions,
  type BuiltInRole,
} from '@causeway/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, requests } from '../../test/fake-api.ts'
import { PHONE, showPage } from '../../test/screen.tsx'
import { answerSmallPanel } from '../../test/small-panel.ts'

const account = { uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'sam', isPasswordLoginAllowed: true }
const as = (role: BuiltInRole) => answer(getAccount, () => ({ ...account, permissions: [...permissionsOfRole(role)] }))
const names = (role: 'button' | 'menuitem') =>
  page
    .getByRole(role)
    .elements()
    .map((element) => element.textContent)

beforeEach(() => answerSmallPanel())

const CREATING = [
  ['/dashboard/management/users', 'Create user', 'support'],
  ['/dashboard/management/nodes', 'Create node', 'operator'],
  ['/dashboard/management/hosts', 'Create host', 'operator'],
  ['/dashboard/management/internal-squads', 'Create internal squad', 'operator'],
  ['/dashboard/management/config-profiles', 'Create config profile', 'operator'],
] as const

it.each(CREATING)('ADMIN-007 on %s a viewer is offered no "%s", which a role that may is', async (address, name, role) => {
  as(role)
  const screen = await showPage(address)
  const create = page.getByRole('main').getByRole('button', { name: /^(Create|Add|New)/ })
  await expect.element(create.first()).toBeVisible()
  await screen.unmount()
  as('viewer')
  await showPage(address)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect.poll(() => create.elements().length, { message: name }).toBe(0)
})

it('ADMIN-007 a link to a page that the role does not open says who may, and asks the server for nothing of it', async () => {
  as('billing')
  await showPage('/dashboard/management/hosts')
  await expect.element(page.getByRole('heading', { name: 'Your role does not open this page' })).toBeInTheDocument()
  await expect.element(page.getByText(/permission hosts\.read, which these roles have: .*Operator/)).toBeVisible()
  expect(requests(listHosts)).toEqual([])
})

it('ADMIN-007 the palette offers pages and commands of the role alone', async () => {
  as('support')
  await showPage('/dashboard/management/users')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  const search = page.getByRole('dialog').getByRole('combobox')
  await search.fill('create')
  await expect.element(page.getByRole('option', { name: /user/i }).first()).toBeVisible()
  await expect.poll(() => page.getByRole('option', { name: /node|host|token/i }).elements()).toEqual([])
})

it('ADMIN-007 a page of settings is read only to a role that may look at it, on a phone in Persian', async () => {
  as('operator')
  await showPage('/dashboard/utils/installation', { language: 'fa', ...PHONE })
  await expect.element(page.getByText('نقش شما اجازهٔ دیدن دارد، نه تغییر.')).toBeVisible()
  await expect.element(page.getByRole('combobox').first()).toBeDisabled()
  expect(names('button').filter((name) => name === 'ذخیره')).toEqual([])
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

describe('a reseller', () => {
  beforeEach(() => {
    const bounds = { maxUsers: 10, maxBytes: null, maxDays: 90 }
    const reseller = { name: 'North', ...bounds, users: 10, promisedBytes: 5e9, opens: [...openToResellers] }
    const permissions = [...resellerPermissions(permissionsOfRole('administrator'))]
    answer(getAccount, () => ({ ...account, permissions, reseller }))
    const statusCounts = { ACTIVE: 7, DISABLED: 1, LIMITED: 2, EXPIRED: 0 }
    const onlineStats = { onlineNow: 3, lastDay: 5, lastWeek: 6, neverOnline: 4 }
    answer(getUserCounts, () => ({ users: { statusCounts, totalUsers: 10 }, onlineStats }))
  })

  it('ADMIN-007 has in its menu and palette only pages that it may open, and a link to another says so', async () => {
    await showPage('/dashboard/management/external-squads')
    await expect.element(page.getByRole('heading', { name: 'This page is not open to resellers' })).toBeInTheDocument()
    expect(requests(listExternalSquads)).toEqual([])
    const links = page.getByRole('navigation').getByRole('link')
    await expect
      .poll(() => links.elements().map((link) => link.textContent))
      .toEqual(['Home', 'History', 'Deleted', 'Users', 'Devices', 'Internal squads', 'API tokens', 'Happ routing builder'])
    await userEvent.keyboard('{Control>}k{/Control}')
    await page.getByRole('dialog').getByRole('combobox').fill('squad')
    await expect.poll(() => page.getByRole('option', { name: /external/i }).elements()).toEqual([])
  })

  it('ADMIN-011 finds its limits and the figures of its own users at home, on a phone in Persian too', async () => {
    const screen = await showPage('/dashboard/home')
    const limits = page.getByRole('region', { name: 'Your limits' })
    await expect.element(limits.getByText('10 of 10')).toBeVisible()
    await expect.element(limits.getByText('Limit reached')).toBeVisible()
    await expect.element(page.getByRole('region', { name: 'Users' }).getByText('7', { exact: true })).toBeVisible()
    expect(requests(getSystemStats)).toEqual([])
    await screen.unmount()
    await showPage('/dashboard/home', { language: 'fa', ...PHONE })
    await expect.element(page.getByText('سقف‌های شما')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  })
})
