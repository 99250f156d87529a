import { deleteAllHwidDevices, deleteHwidDevice, findHwidDevices, getHwidStats } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, disconnect, hold, requests } from '../../../test/fake-api.ts'
import { sampleHwidDevice, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const DEVICES = '/dashboard/management/devices'
const phone = {
  ...sampleHwidDevice({ hwid: 'phone-0001', platform: 'iOS', osVersion: '26.1', deviceModel: 'Slate 9', userAgent: 'Happ/3.1' }),
  username: 'alice',
}
const laptop = { ...sampleHwidDevice({ hwid: 'laptop-0001', userUuid: uuid(2), platform: 'Linux' }), username: 'bob' }
const stats = {
  byPlatform: [
    { platform: 'iOS', count: 1 },
    { platform: 'Unknown', count: 1 },
  ],
  byApp: [{ app: 'Happ', count: 2 }],
  stats: { totalUniqueDevices: 2, totalHwidDevices: 2, averageHwidDevicesPerUser: 1.5 },
}
const none = { byPlatform: [], byApp: [], stats: { totalUniqueDevices: 0, totalHwidDevices: 0, averageHwidDevicesPerUser: 0 } }

beforeEach(() => {
  localStorage.removeItem('devices-table')
  answer(getHwidStats, () => stats)
  answer(findHwidDevices, () => ({ total: 2, devices: [phone, laptop] }))
})

it('all devices with their users and figures, found by a text, deleted one by one or all of a user', async () => {
  const screen = await showPage(DEVICES)
  const figures = page.getByLabelText('Figures of all devices')
  await expect.element(figures).toMatchTextContent(/Devices\s*2.*Per user with devices\s*1.5/)
  const platforms = page.getByRole('list', { name: 'By platform' }).getByRole('listitem')
  expect(platforms.elements().map((item) => item.textContent)).toEqual(['iOS1', 'Unknown1'])
  const row = page.getByRole('row', { name: 'phone-0001' })
  await expect.element(row).toMatchTextContent(/alice.*iOS.*26.1.*Slate 9.*Happ/)
  expect(await violations()).toEqual([])

  answer(deleteHwidDevice, () => ({ total: 0, devices: [] }))
  answer(deleteAllHwidDevices, () => ({ total: 0, devices: [] }))
  await page.getByRole('button', { name: 'Actions for phone-0001' }).click()
  await page.getByRole('menuitem', { name: 'Delete device' }).click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent('phone-0001 of alice is forgotten')
  expect(requests(deleteHwidDevice)).toEqual([])
  await page.getByRole('dialog').getByRole('button', { name: 'Delete device' }).click()
  await expect.poll(() => requests(deleteHwidDevice)).toEqual([{ userUuid: phone.userUuid, hwid: 'phone-0001' }])

  await page.getByRole('button', { name: 'Actions for laptop-0001' }).click()
  await page.getByRole('menuitem', { name: 'Delete all devices of bob' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete all' }).click()
  await expect.poll(() => requests(deleteAllHwidDevices)).toEqual([{ userUuid: uuid(2) }])

  answer(findHwidDevices, ({ search }) => (search === 'slate' ? { total: 1, devices: [phone] } : { total: 0, devices: [] }))
  await page.getByRole('searchbox', { name: 'Search by HWID, model or user' }).fill('slate')
  await expect.element(page.getByRole('row', { name: 'laptop-0001' })).not.toBeInTheDocument()
  expect(requests(findHwidDevices).at(-1)).toMatchObject({ start: 0, size: 25, search: 'slate' })
  await page.getByRole('searchbox').fill('nobody')
  await expect.element(page.getByText('Nothing matches these filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await expect.element(page.getByRole('searchbox')).toHaveValue('')

  answer(findHwidDevices, () => ({ total: 1, devices: [phone] }))
  await page.getByRole('button', { name: 'Refresh devices' }).click()
  await expect
    .element(page.getByRole('link', { name: 'alice' }))
    .toHaveAttribute('href', `/dashboard/management/users?edit=${phone.userUuid}`)
  // Nothing of the search is left in the address.
  expect(screen.address()).not.toMatch(/nobody|slate/)
  expect(screen.address().split('?')[0]).toBe(DEVICES)
})

it('pages of devices are asked for one by one', async () => {
  answer(findHwidDevices, ({ start = 0 }) => ({ total: 30, devices: [Number(start) === 0 ? phone : laptop] }))
  await showPage(DEVICES)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.element(page.getByRole('row', { name: 'laptop-0001' })).toBeVisible()
  expect(requests(findHwidDevices).at(-1)).toMatchObject({ start: 25, size: 25 })
})

it('devices that are coming, that there are none, and that they cannot be read, is shown', async () => {
  const letGo = hold(findHwidDevices)
  answer(getHwidStats, () => none)
  answer(findHwidDevices, () => ({ total: 0, devices: [] }))
  await showPage(DEVICES)
  await expect.element(page.getByLabelText('Figures of all devices')).toMatchTextContent(/Devices\s*0/)
  expect(page.getByText('No devices yet').query()).toBeNull()
  letGo()
  await expect.element(page.getByText('No devices yet')).toBeVisible()
  expect(page.getByText('By platform').query()).toBeNull()

  disconnect(getHwidStats)
  disconnect(findHwidDevices)
  await showPage(DEVICES)
  await expect.element(page.getByText('Error loading data')).toBeVisible()
  await expect.element(page.getByText('This could not be loaded')).toBeVisible()
})

it('on a phone and in Persian devices are cards that fit', async () => {
  await showPage(DEVICES, { ...PHONE, language: 'fa' })
  const cards = page.getByRole('list', { name: 'دستگاه‌ها' })
  await expect.element(cards).toMatchTextContent(/alice.*phone-0001.*Slate 9 · iOS · 26.1/)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  expect(await violations()).toEqual([])
})
