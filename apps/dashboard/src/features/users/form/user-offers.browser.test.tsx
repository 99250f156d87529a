import {
  addUserTraffic,
  createUser,
  getHwidSettings,
  getUser,
  getUserAccess,
  getUsersImpact,
  getUserUsage,
  listInternalSquads,
  listUserHwidDevices,
  listUserSubscriptionRequests,
  revokeUserSubscription,
  updateUser,
} from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleInternalSquad, sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const GIB = 1024 ** 3
const END = '2090-01-10T12:00:00.000Z'
const ann = sampleUser({
  uuid: uuid(7),
  username: 'ann',
  trafficLimitBytes: 100 * GIB,
  usedTrafficBytes: 60 * GIB,
  trafficLimitStrategy: 'MONTH',
  expireAt: END,
})
const drawer = page.getByRole('dialog', { name: 'ann', exact: true })
const handover = page.getByRole('dialog', { name: 'Access for ann' })

beforeEach(() => {
  answerSmallPanel()
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(getUserUsage, () => [])
  answer(getUsersImpact, () => ({ users: 1, onlineNow: 0, nodes: 1 }))
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(listUserSubscriptionRequests, () => ({ total: 0, records: [] }))
  answer(getUserAccess, () => ({
    canConnect: true,
    steps: [],
    astray: [],
    nodes: [],
    subLastOpenedAt: null,
    changedAt: ann.updatedAt,
  }))
  answer(getUser, () => ann)
  answer(addUserTraffic, ({ bytes }) => ({ ...ann, trafficLimitBytes: ann.trafficLimitBytes + bytes, extraTrafficBytes: bytes }))
  answer(updateUser, () => ann)
})

it('traffic is added from the drawer, for this period or for every one, and the limit that follows is said before', async () => {
  await showPage(`${USERS}?user=${ann.uuid}`)
  await drawer.getByRole('button', { name: 'Add traffic' }).click()
  const menu = page.getByRole('menu')
  await expect.element(menu).toMatchTextContent('60.00 GiB of 100.00 GiB used')
  await expect.element(menu.getByRole('menuitem', { name: '+50 GiB' })).toMatchTextContent('then 150.00 GiB')
  await menu.getByRole('menuitem', { name: '+50 GiB' }).click()
  await expect.poll(() => requests(addUserTraffic)).toEqual([{ uuid: ann.uuid, bytes: 50 * GIB, isOnce: true }])

  await drawer.getByRole('button', { name: 'Add traffic' }).click()
  await menu.getByText('Every period').click()
  await menu.getByRole('menuitem', { name: '+10 GiB' }).click()
  await expect.poll(() => requests(addUserTraffic).at(-1)).toEqual({ uuid: ann.uuid, bytes: 10 * GIB, isOnce: false })
})

it('another amount of traffic is typed, with its result, and one without periods is for good', async () => {
  answer(getUser, () => ({ ...ann, trafficLimitStrategy: 'NO_RESET' as const }))
  await showPage(`${USERS}?user=${ann.uuid}&addTraffic=${ann.uuid}`)
  const modal = page.getByRole('dialog', { name: 'Add traffic to ann' })
  await expect.element(modal.getByText('Every period')).not.toBeInTheDocument()
  await expect.element(modal.getByRole('button', { name: 'Add traffic' })).toBeDisabled()
  await modal.getByRole('textbox', { name: 'Traffic to add' }).fill('7.5')
  await expect.element(modal.getByRole('status')).toHaveTextContent('The limit becomes 107.50 GiB.')
  await modal.getByRole('button', { name: 'Add traffic' }).click()
  await expect.poll(() => requests(addUserTraffic)).toEqual([{ uuid: ann.uuid, bytes: 7.5 * GIB, isOnce: false }])
  await expect.element(modal).not.toBeInTheDocument()
})

it('a user without a limit is offered no traffic, and extra traffic is told', async () => {
  answer(getUser, () => ({ ...ann, trafficLimitBytes: 150 * GIB, extraTrafficBytes: 50 * GIB }))
  await showPage(`${USERS}?user=${ann.uuid}`)
  await expect.element(drawer.getByText('50.00 GiB of it until the next reset')).toBeVisible()
  answer(getUser, () => ({ ...ann, trafficLimitBytes: 0 }))
  await showPage(`${USERS}?user=${ann.uuid}`)
  await expect.element(drawer.getByRole('button', { name: 'Extend' })).toBeVisible()
  expect(drawer.getByRole('button', { name: 'Add traffic' }).query()).toBeNull()
})

it('access is extended by 7 days, or by days that are typed, from the later of now and the expiry', async () => {
  await showPage(`${USERS}?user=${ann.uuid}`)
  await drawer.getByRole('button', { name: 'Extend' }).click()
  await page.getByRole('menuitem', { name: '7 days' }).click()
  await expect.poll(() => requests(updateUser)).toEqual([{ uuid: ann.uuid, expireAt: '2090-01-17T12:00:00.000Z' }])

  await drawer.getByRole('button', { name: 'Extend' }).click()
  await page.getByRole('menuitem', { name: 'Other number of days…' }).click()
  const modal = page.getByRole('dialog', { name: 'Extend ann' })
  await modal.getByRole('textbox', { name: 'Days' }).fill('45')
  await expect.element(modal.getByRole('status')).toMatchTextContent('Jan 10, 2090 → Feb 24, 2090')
  await modal.getByRole('button', { name: 'Extend' }).click()
  await expect.poll(() => requests(updateUser).at(-1)).toEqual({ uuid: ann.uuid, expireAt: '2090-02-24T12:00:00.000Z' })
})

it('after creation a panel hands over link, code and a message in the language of the customer', async () => {
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  answer(createUser, () => ann)
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await showPage(`${USERS}?create=user`)
  const create = page.getByRole('dialog', { name: 'New user' })
  await create.getByRole('textbox', { name: 'Username' }).fill('ann')
  await create.getByRole('button', { name: 'Create user' }).click()
  await expect.element(handover.getByRole('img', { name: /^QR code/ })).toBeVisible()
  const message = handover.getByRole('textbox', { name: 'Message for the customer' })
  await expect.element(message).toHaveValue(expect.stringContaining('Traffic: 100.00 GiB per month.'))
  await expect.element(message).toHaveValue(expect.stringContaining(ann.subscriptionUrl))
  await handover.getByRole('combobox', { name: 'Language of the customer' }).click()
  await page.getByRole('option', { name: 'Русский' }).click()
  await expect.element(message).toHaveValue(expect.stringContaining('Ваш доступ готов.'))
  await handover.getByRole('button', { name: 'Copy message' }).click()
  expect(copied.mock.lastCall?.[0]).toContain('в месяц')
  expect(await violations()).toEqual([])
  copied.mockRestore()
})

it('a new link is handed over at once', async () => {
  answer(revokeUserSubscription, () => ann)
  await showPage(`${USERS}?user=${ann.uuid}`, { ...PHONE })
  await drawer.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'New link' }).click()
  await page.getByRole('dialog', { name: 'Give ann a new link?' }).getByRole('button', { name: 'New link' }).click()
  await expect.element(handover.getByRole('button', { name: 'Copy message' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(PHONE.width)
})
