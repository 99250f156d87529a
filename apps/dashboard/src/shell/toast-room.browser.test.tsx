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

/** Buttons and links in view, of a dialog where one is open, that something of the toasts lies upon. */
function covered(): string[] {
  const within = document.querySelector('[role=dialog]') ?? document
  const root = document.querySelector('.mantine-Notifications-root[data-position="bottom-right"]')
  return [...within.querySelectorAll('button, a')].flatMap((one) => {
    const { x, y, width, height } = one.getBoundingClientRect()
    const isIn = y + height <= (within instanceof Element ? within.getBoundingClientRect().bottom : innerHeight)
    const places = width === 0 || !isIn ? [] : [y + height / 2, y + height - 2]
    const onTop = places.map((place) => document.elementFromPoint(x + width / 2, place))
    return onTop.some((found) => found && root?.contains(found)) && !root?.contains(one)
      ? [one.textContent || (one.getAttribute('aria-label') ?? '')]
      : []
  })
}

async function toast(): Promise<void> {
  showError('Update User', 'A sentence of the server that is long enough to need a second line on any screen that we know of.')
  await expect.element(page.getByRole('alert')).toBeVisible()
  await expect.poll(() => document.documentElement.hasAttribute('data-toasts')).toBe(true)
}

/** Asked while the toast stands: once it has gone by itself it covers nothing. */
const AT_ONCE = { timeout: 2000 }

it.each([
  ['a dialog', `${USERS}?edit=${user.uuid}`, { width: 1440, height: 900 }],
  ['a dialog on a phone', `${USERS}?edit=${user.uuid}`, PHONE],
  ['a drawer from the right', `/dashboard/management/internal-squads?edit=${squad.uuid}`, { width: 1440, height: 900 }],
])('a toast covers no button of %s', async (_, address, view) => {
  await showPage(address, view)
  const foot = page.getByRole('dialog').getByRole('button').last()
  await expect.element(foot).toBeVisible()
  await toast()
  await expect.poll(covered, AT_ONCE).toEqual([])
  notifications.clean()
  await expect.poll(() => document.documentElement.hasAttribute('data-toasts')).toBe(false)
})

it('a page is saved above a toast', async () => {
  answer(getSubscriptionSettings, () => sampleSubscriptionSettings())
  answer(previewSubscription, () => samplePreview())
  await showPage('/dashboard/management/subscription-settings', { width: 1000, height: 700 })
  await expect.element(page.getByRole('button', { name: 'Save' })).toBeInViewport({ ratio: 1 })
  await toast()
  await expect.poll(covered, AT_ONCE).not.toContain('Save')
})

it('the pages of a table that fills the window are turned above a toast', async () => {
  const users = Array.from({ length: 25 }, (_, place) => sampleUser({ uuid: uuid(1000 + place), username: `user-${place}` }))
  answer(listUsers, () => ({ users, total: 50 }))
  await showPage(USERS)
  const next = page.getByRole('button', { name: 'Next page' })
  await expect.element(next).toBeVisible()
  next.element().scrollIntoView({ block: 'end' })
  await toast()
  await expect.poll(covered, AT_ONCE).toEqual([])
})
