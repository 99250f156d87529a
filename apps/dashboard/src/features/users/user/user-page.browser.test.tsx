import {
  getHwidSettings,
  getInstallation,
  getSubscriptionInfo,
  getUser,
  getUserAccess,
  getUserUsage,
  listHistory,
  listUserHwidDevices,
  listUserSubscriptionRequests,
} from '@causeway/contract'
import dayjs from 'dayjs'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { sampleUser, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const GIB = 1024 ** 3
const user = sampleUser({
  trafficLimitBytes: 100 * GIB,
  usedTrafficBytes: 40 * GIB,
  trafficLimitStrategy: 'NO_RESET',
  expireAt: dayjs().add(40, 'days').toISOString(),
})
const PAGE = `/dashboard/management/users/${user.uuid}`
const section = (name: string) => page.getByRole('region', { name, exact: true })
const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
const moved = (ago: number, total: number) => ({
  userUuid: user.uuid,
  nodeUuid: uuid(401),
  nodeName: 'Warsaw',
  countryCode: 'PL',
  total,
  date: `${day(ago)}T00:00:00.000Z`,
})

beforeEach(() => {
  answerSmallPanel()
  answer(getInstallation, () => ({ timeZone: 'UTC', updatedAt: user.updatedAt }))
  answer(getUser, () => user)
  answer(getUserUsage, () => [moved(1, 14 * GIB), moved(2, 7 * GIB), moved(300, 3 * GIB)])
  answer(getUserAccess, () => ({
    canConnect: true,
    steps: [{ finding: 'status.active' as const, verdict: 'good' as const }],
    astray: [],
    nodes: [],
    subLastOpenedAt: null,
    changedAt: user.updatedAt,
  }))
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(listUserSubscriptionRequests, () => ({ total: 0, records: [] }))
  answer(listHistory, () => ({ entries: [], nextCursor: null }))
  refuse(getSubscriptionInfo, { status: 404, message: 'none' })
})

it('a page of the user: what comes next, thirteen months by day and month, access, and what is done with them', async () => {
  await showPage(PAGE)
  await expect.element(page.getByRole('heading', { level: 1, name: 'alice' })).toBeVisible()
  // 21 GiB in seven days leave twenty days of the other 60, before the end of access.
  const next = section('What comes next').getByRole('listitem')
  await expect.element(next.first()).toMatchTextContent(/used up.*in (20 days|2 weeks|3 weeks)/)
  await expect.element(next.nth(1)).toMatchTextContent(/Access ends/)
  await expect.element(section('Traffic of 13 months').getByText('24.00 GiB in all')).toBeVisible()
  const [asked] = requests(getUserUsage)
  expect(dayjs(asked?.end).diff(asked?.start, 'day')).toBe(395)
  const map = page.getByRole('slider', { name: 'Traffic by day' })
  await expect.element(map).toHaveAttribute('aria-valuetext', expect.stringContaining('0 B'))
  map.element().focus()
  await userEvent.keyboard('{ArrowUp}')
  await expect.element(map).toHaveAttribute('aria-valuetext', expect.stringContaining('14.00 GiB · Warsaw 14.00 GiB'))
  await expect.element(section('Can they connect?')).toBeVisible()
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.element(page.getByRole('dialog')).toBeVisible()
})

it('on a phone nothing is wider than the screen, and a user that is gone is told to be', async () => {
  await showPage(PAGE, { ...PHONE, language: 'fa', colorScheme: 'light' })
  await expect.element(page.getByRole('slider', { name: 'ترافیک روزانه' })).toBeVisible()
  await expect.poll(() => document.documentElement.scrollWidth).toBe(PHONE.width)
  refuse(getUser, { status: 404, code: 'A063', message: 'User not found' })
  await showPage(PAGE)
  await expect.element(page.getByText('This user does not exist any more.')).toBeVisible()
})
