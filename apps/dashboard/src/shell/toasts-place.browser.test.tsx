import {
  getInternalSquad,
  getSubscriptionSettings,
  getUser,
  getHwidSettings,
  listUserHwidDevices,
  listUsers,
  previewSubscription,
} from '@causeway/contract'
import { notifications } from '@mantine/notifications'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { showError } from '../api/toasts.ts'
import { answer } from '../../test/fake-api.ts'
import { sampleInternalSquad, samplePreview, sampleSubscriptionSettings, sampleUser, uuid } from '../../test/samples.ts'
import { PHONE, showPage } from '../../test/screen.tsx'
import { answerSmallPanel } from '../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const user = sampleUser()
const squad = sampleInternalSquad()

beforeEach(() => {
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  answerSmallPanel()
  answer(getUser, () => user)
  answer(getInternalSquad, () => squad)
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
})
afterEach(() => notifications.clean())

const ROOT = '.mantine-Notifications-root[data-position="top-center"]'

/** Buttons and links in view, of a dialog where one is open, that a toast lies upon. */
function covered(): string[] {
  const within = document.querySelector('[role=dialog]') ?? document
  const root = document.querySelector(ROOT)
  return [...within.querySelectorAll('button, a')].flatMap((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    const isIn = y >= 0 && y + height <= innerHeight
    const places = width === 0 || !isIn ? [] : [y + 2, y + height / 2, y + height - 2]
    const onTop = places.map((place) => document.elementFromPoint(x + width / 2, place))
    return onTop.some((found) => found && root?.contains(found)) && !root?.contains(one)
      ? [one.textContent || (one.getAttribute('aria-label') ?? '')]
      : []
  })
}

/** Where buttons and fields stand. */
const places = () =>
  [...document.querySelectorAll('button, a, input')]
    .filter((one) => !document.querySelector(ROOT)?.contains(one))
    .map((one) => {
      const { x, y } = one.getBoundingClientRect()
      return [Math.round(x), Math.round(y)]
    })

async function toast(): Promise<void> {
  showError('Update User', 'A sentence of the server that is long enough to need a second line on any screen that we know of.')
  await expect.element(page.getByRole('alert')).toBeVisible()
}

it.each([
  ['a dialog', `${USERS}?edit=${user.uuid}`, { width: 1440, height: 900 }],
  ['a dialog on a phone', `${USERS}?edit=${user.uuid}`, PHONE],
  ['a drawer from the right', `/dashboard/management/internal-squads?edit=${squad.uuid}`, { width: 1440, height: 900 }],
])('a toast moves nothing of %s and does not cover its last button', async (_, address, view) => {
  await showPage(address, view)
  const foot = page.getByRole('dialog').getByRole('button').last()
  await expect.element(foot).toBeVisible()
  const name = foot.element().textContent
  const before = places()
  await toast()
  expect(places()).toEqual(before)
  expect(covered()).not.toContain(name)
})

it('a page is saved while a toast stands, from where its button was', async () => {
  answer(getSubscriptionSettings, () => sampleSubscriptionSettings())
  answer(previewSubscription, () => samplePreview())
  await showPage('/dashboard/management/subscription-settings', { width: 1000, height: 700 })
  const save = page.getByRole('button', { name: 'Save' })
  await expect.element(save).toBeInViewport({ ratio: 1 })
  const before = save.element().getBoundingClientRect().y
  await toast()
  expect(save.element().getBoundingClientRect().y).toBe(before)
  expect(covered()).not.toContain('Save')
})

it.each(['en', 'fa'] as const)(
  'in %s a toast covers neither the pager of a table, nor the menu, and moves nothing',
  async (language) => {
    const users = Array.from({ length: 25 }, (_, place) => sampleUser({ uuid: uuid(1000 + place), username: `user-${place}` }))
    answer(listUsers, () => ({ users, total: 50 }))
    await showPage(USERS, { width: 1440, height: 900, language })
    const pager = page.getByRole('navigation').last()
    await expect.element(page.getByText('user-24')).toBeVisible()
    pager.element().scrollIntoView({ block: 'end' })
    const before = places()
    await toast()
    expect(places()).toEqual(before)
    const menu = page.getByRole('navigation').first().element().getBoundingClientRect()
    const stack = document.querySelector(ROOT)?.getBoundingClientRect()
    expect(stack && (stack.right <= menu.left || stack.left >= menu.right)).toBe(true)
    expect(covered().filter((name) => pager.element().textContent?.includes(name))).toEqual([])
  },
)
