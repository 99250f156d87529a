import {
  bulkDisableHosts,
  disableNode,
  getHwidSettings,
  getUser,
  getUserAccess,
  getUserUsage,
  listApiTokenDetails,
  listApiTokens,
  listInfraProviders,
  listNodes,
  listUserHwidDevices,
  listUserSubscriptionRequests,
  searchAll,
  type Reply,
} from '@causeway/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, hold, requests } from '../../../test/fake-api.ts'
import { given } from '../../../test/profile-editor.ts'
import { sampleApiToken, sampleNode, sampleProvider, sampleUser, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const HOSTS = '/dashboard/management/hosts'
const anna = { uuid: uuid(901), username: 'anna', status: 'EXPIRED', match: 'username', value: 'anna' } as const
const paid = { uuid: uuid(902), username: 'bert', status: 'ACTIVE', match: 'email', value: 'hanna@example.com' } as const
const warsaw = {
  uuid: uuid(903),
  name: 'Warsaw 1',
  address: '192.0.2.7',
  countryCode: 'PL',
  isDisabled: false,
  isConnected: true,
}

const shopBot = sampleApiToken({ tokenName: 'Shop bot' })

const oslo = { uuid: uuid(904), remark: 'Oslo', address: 'oslo.example.com', isDisabled: false }

/** What a server with a few things finds. */
function find(text: string): Reply<typeof searchAll> {
  const has = (...values: string[]) => values.some((value) => value.toLowerCase().includes(text.toLowerCase()))
  return {
    users: [anna, paid].filter(({ username, value }) => has(username, value)),
    nodes: has(warsaw.name) ? [warsaw] : [],
    hosts: has(oslo.remark) ? [oslo] : [],
    internalSquads: [],
    externalSquads: [],
    configProfiles: has('Main profile') ? [{ uuid: uuid(201), name: 'Main profile' }] : [],
  }
}

const options = () => [...document.querySelectorAll('#palette-list [role=option]')].map((one) => one.textContent)
const chosen = () => document.querySelector('#palette-list [aria-selected=true]')?.textContent

async function openPalette(view: Parameters<typeof showPage>[1] = {}) {
  const screen = await showPage(HOSTS, view)
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(page.getByRole('listbox')).toBeVisible()
  await expect.poll(() => document.activeElement?.getAttribute('role')).toBe('combobox')
  return screen
}

beforeEach(() => {
  localStorage.removeItem('palette-recent')
  answerSmallPanel()
  answer(searchAll, ({ text }) => find(text))
  answer(listInfraProviders, () => ({ providers: [sampleProvider({ uuid: uuid(905), name: 'Nordwind' })], total: 1 }))
  answer(listApiTokenDetails, () => ({ tokens: [shopBot] }))
  // What the drawer of a picked user asks.
  const user = sampleUser({ uuid: paid.uuid, username: paid.username })
  answer(getUser, () => user)
  answer(getUserUsage, () => [])
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(getUserAccess, () => ({
    canConnect: true,
    steps: [],
    astray: [],
    nodes: [],
    subLastOpenedAt: null,
    changedAt: user.updatedAt,
  }))
  answer(listUserSubscriptionRequests, () => ({ total: 0, records: [] }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
})

describe('the search of everything', () => {
  it('finds users by what is known of them, says by what, and opens them by the keyboard alone', async () => {
    const screen = await openPalette()
    await userEvent.keyboard('ann')
    await expect.poll(() => options().slice(0, 2)).toEqual(['anna', 'bert' + 'hanna@example.com'])
    expect(chosen()).toBe('anna')
    await userEvent.keyboard('{ArrowDown}')
    expect(chosen()).toMatch('bert')
    await userEvent.keyboard('{Enter}')
    await expect.poll(screen.address).toContain(`/dashboard/management/users?user=${paid.uuid}`)
    expect(localStorage.getItem('palette-recent')).toBeNull()
  })

  it('takes an Enter that comes before the answer for its first line', async () => {
    const screen = await openPalette()
    const release = hold(searchAll)
    await userEvent.keyboard('hanna@{Enter}')
    expect(options()).toEqual([])
    release()
    await expect.poll(screen.address).toContain(`/dashboard/management/users?user=${paid.uuid}`)
  })

  it('asks when the typing pauses, and offers nothing that does not fit what stands there', async () => {
    await openPalette()
    await userEvent.keyboard('ann')
    await expect.poll(options).toContain('anna')
    const release = hold(searchAll)
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}warsaw')
    await expect.poll(options).toEqual([])
    release()
    await expect.poll(options).toContain('🇵🇱Warsaw 1192.0.2.7')
    expect(requests(searchAll).map(({ text }) => text)).not.toContain('wars')
  })

  it('disables a node by name after asking, in the words of the language', async () => {
    answer(listNodes, () => [sampleNode({ uuid: warsaw.uuid, name: warsaw.name, usersOnline: 7 })])
    answer(disableNode, () => sampleNode({ uuid: warsaw.uuid, name: warsaw.name, isDisabled: true }))
    await openPalette({ language: 'ru' })
    await userEvent.keyboard('откл warsaw')
    await expect.poll(chosen).toMatch('Отключить Warsaw 1')
    await userEvent.keyboard('{Enter}')
    const question = page.getByRole('dialog', { name: 'Warsaw 1' })
    await expect.element(question).toMatchTextContent('Xray на нём остановится')
    expect(requests(disableNode)).toEqual([])
    await question.getByRole('button', { name: 'Отключить' }).click()
    await expect.poll(() => requests(disableNode)).toEqual([{ uuid: warsaw.uuid }])
  })

  it('disables a host only after asking, as it does a node', async () => {
    answer(bulkDisableHosts, () => [])
    await openPalette()
    await userEvent.keyboard('disable oslo')
    await expect.poll(chosen).toMatch('Disable Oslo')
    await userEvent.keyboard('{Enter}')
    const question = page.getByRole('dialog', { name: 'Disable host Oslo?' })
    await expect.element(question).toBeVisible()
    // What it does is said also where no page has brought the texts of plans.
    await expect.element(question.getByRole('group', { name: 'What this does' })).toMatchTextContent('No user loses a way in.')
    expect(requests(bulkDisableHosts)).toEqual([])
    await question.getByRole('button', { name: 'Disable' }).click()
    await expect.poll(() => requests(bulkDisableHosts)).toEqual([{ uuids: [oslo.uuid] }])
  })

  it('opens the profile that was picked', async () => {
    given()
    const screen = await openPalette()
    await userEvent.keyboard('main pro')
    await expect.poll(chosen).toBe('Main profile')
    await userEvent.keyboard('{Enter}')
    await expect.poll(screen.address).toBe(`/dashboard/management/config-profiles/${uuid(201)}`)
  })

  it('leads to pages and actions, and has the last ones ready the next time', async () => {
    const screen = await openPalette()
    await userEvent.keyboard('new us')
    await expect.poll(chosen).toBe('New user')
    await userEvent.keyboard('{Enter}')
    await expect.poll(screen.address).toContain('/dashboard/management/users?create=new')
    await openPalette()
    await expect.element(page.getByRole('group', { name: 'Recent' })).toHaveTextContent('RecentNew user')
    await userEvent.keyboard('zzzz')
    await expect.element(page.getByText('Nothing found')).toBeVisible()
  })

  it('finds a provider and an API token by their names', async () => {
    await openPalette()
    await userEvent.keyboard('wind')
    await expect.poll(options).toEqual(['Nordwind'])
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}{Backspace}bot shop')
    await expect.poll(options).toEqual(['Shop bot'])
  })

  // What people type is not always what a thing is called here.
  it.each([
    ['en', 'new token', 'New API token'],
    ['en', 'record payment', 'New billing record'],
    ['en', 'add provider', 'New provider'],
    ['en', 'timezone', 'Panel: Panel settings'],
    ['en', 'custom headers', 'Subscription settings: Additional response headers'],
    ['en', 'jobs', 'Queues'],
    ['ru', 'создать токен', 'Новый API-токен'],
    ['ru', 'биллинг', 'Узлы: Счета за серверы'],
    ['ru', 'добавить платеж', 'Новый платёж'],
    ['ru', 'ноды', 'Узлы: Управление'],
    ['fa', 'توکن جديد', 'توکن API تازه'],
    ['fa', 'ثبت پرداخت', 'پرداخت جدید'],
    ['fa', 'منطقه زمانی', 'پنل: تنظیمات پنل'],
    ['zh', '新建令牌', '新建 API 令牌'],
    ['zh', '添加服务商', '新建服务商'],
    ['zh', '时区', '面板: 面板设置'],
  ] as const)('in %s %s leads to %s', async (language, typed, label) => {
    await openPalette({ language })
    await userEvent.fill(page.getByRole('combobox').first(), typed)
    await expect.poll(chosen).toBe(label)
  })

  it('leaves the keyboard in the page that was picked, past the menu', async () => {
    answer(listApiTokens, () => ({ apiKeys: [], docs: { isDocsEnabled: false, scalarPath: null, swaggerPath: null } }))
    const screen = await openPalette()
    await userEvent.keyboard('api tok{Enter}')
    await expect.poll(screen.address).toContain('/dashboard/management/api-tokens')
    await expect.poll(() => document.activeElement?.id).toBe('content')
    await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
    expect(document.activeElement?.id).toBe('content')
  })

  it.each([
    ['en', 'dark', {}],
    ['fa', 'light', PHONE],
  ] as const)('has no accessibility violations in %s, %s', async (language, colorScheme, view) => {
    await openPalette({ language, colorScheme, ...view })
    await userEvent.keyboard('anna')
    await expect.poll(options).toContain('anna')
    expect(await violations()).toEqual([])
  })
})
