import {
  getHwidSettings,
  getSystemStats,
  getUser,
  getUsersImpact,
  listInternalSquads,
  listUsers,
  listUserTags,
  updateUser,
} from '@causeway/contract'
import dayjs from 'dayjs'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { sampleSystemStats, sampleUser, uuid } from '../../../../test/samples.ts'
import { showPage, showPart } from '../../../../test/screen.tsx'
import { ExpiryChange } from './expiry-change.tsx'

const paidUntil = dayjs().add(3, 'months').startOf('day')
const user = sampleUser({ expireAt: paidUntil.toISOString() })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const date = (at: dayjs.Dayjs) =>
  new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' }).format(at.toDate())

beforeEach(() => {
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
  answer(listUserTags, () => ({ tags: [] }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listUsers, () => ({ users: [user], total: 1 }))
  answer(getUser, () => user)
  answer(getUsersImpact, () => ({ users: 1, onlineNow: 0, nodes: 0 }))
  answer(updateUser, () => user)
})

it('a preset extends a user who has paid ahead, and shows from when to when', async () => {
  await showPage(`/dashboard/management/users?edit=${uuid(1)}`)
  await button('1 month').click()
  const later = paidUntil.add(1, 'month')
  await expect.element(page.getByText(`${date(paidUntil)} → ${date(later)}`)).toBeVisible()
  await button('Save').click()
  await expect.poll(() => requests(updateUser)).toMatchObject([{ expireAt: later.toISOString() }])
})

it('a date that moves back is said', async () => {
  const [sooner, later] = [new Date('2031-02-12T12:00:00Z'), new Date('2031-03-12T12:00:00Z')]
  await showPart(<ExpiryChange from={later} to={sooner} />, { texts: ['users'] })
  await expect.element(page.getByText('The expiry moves back: Mar 12, 2031 → Feb 12, 2031')).toBeVisible()
})
