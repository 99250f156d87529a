import {
  getSubscriptionSettings,
  previewSubscription,
  searchAll,
  updateSubscriptionSettings,
  type SubscriptionSettings,
} from '@causeway/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, hold, refuse, requests } from '../../../test/fake-api.ts'
import { samplePreview, sampleSubscriptionSettings, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const SETTINGS = '/dashboard/management/subscription-settings'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name, exact: true })
const tab = (name: string) => page.getByRole('tab', { name })
const list = (name: string) => page.getByRole('group', { name })
const remark = (of: string, number: number) => list(of).getByRole('textbox', { name: `Remark ${number}`, exact: true })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const preview = page.getByRole('complementary', { name: 'Preview' })
const save = button('Save')
const lastAsked = () => requests(previewSubscription).at(-1)?.settings

let settings: SubscriptionSettings
beforeEach(() => {
  settings = sampleSubscriptionSettings()
  answer(getSubscriptionSettings, () => settings)
  answer(updateSubscriptionSettings, (edit) => (settings = merged(settings, edit)))
  answer(previewSubscription, () => samplePreview())
})
afterEach(() => {
  vi.useRealTimers()
})

function merged(before: SubscriptionSettings, change: object): SubscriptionSettings {
  return { ...before, ...change } // what was sent has been held against the contract
}

it('SHELL-030 SHELL-049 SUBSET-001 SUBSET-002 SUBSET-003 the page explains itself, has three tabs and leads to the routing builder', async () => {
  const screen = await showPage(SETTINGS)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Subscription settings' })).toBeVisible()
  const group = page.getByRole('group', { name: 'Subscription', exact: true })
  await expect.element(group.getByRole('link', { name: 'Subscription settings' })).toHaveAttribute('aria-current', 'page')
  await expect.element(page.getByRole('region', { name: 'Settings for all users' })).toBeVisible()
  await expect.element(tab('Subscription info')).toHaveAttribute('aria-selected', 'true')
  expect(
    page
      .getByRole('tab')
      .elements()
      .map((one) => one.textContent),
  ).toEqual(['Subscription info', 'User status remarks', 'Additional response headers'])
  await tab('User status remarks').click()
  await expect.element(remark('Remarks of expired users', 1)).toHaveValue('Your time is over')
  expect(screen.address()).toContain('tab=remarks')
  await page.getByRole('link', { name: 'Routing builder', exact: true }).click()
  await expect.poll(screen.address).toBe('/dashboard/utils/happ-routing-builder')
})

it('SUBSET-004 SUBSET-016 SUBSET-017 what is changed is saved as the whole object, and said', async () => {
  await showPage(SETTINGS)
  await expect.element(save).toBeDisabled()
  await field('Title').fill('Fast VPN')
  await page.getByRole('switch', { name: 'Hosts in random order' }).click()
  await save.click()
  await expect.element(toast('Subscription settings updated successfully')).toBeVisible()
  const {
    createdAt: _,
    updatedAt: __,
    hwidSettings: ___,
    ...whole
  } = sampleSubscriptionSettings({
    profileTitle: 'Fast VPN',
    randomizeHosts: true,
    customResponseHeaders: {},
  })
  expect(requests(updateSubscriptionSettings)).toEqual([whole])
  await expect.element(save).toBeDisabled()
})

it('XSQ-001 devices are limited here, which is sent only once it was changed, with the texts for those that are refused', async () => {
  await showPage(SETTINGS)
  await page.getByRole('switch', { name: 'Limit devices' }).click()
  await field('Devices per user').fill('3')
  await field('Announcement at the limit').fill('Three are enough')
  await tab('User status remarks').click()
  await list('Remarks for too many devices').getByRole('button', { name: 'Add a remark' }).click()
  await remark('Remarks for too many devices', 1).fill('Remove a device')
  await save.click()
  await expect.poll(() => requests(updateSubscriptionSettings)).toHaveLength(1)
  expect(requests(updateSubscriptionSettings)[0]).toMatchObject({
    hwidSettings: { enabled: true, fallbackDeviceLimit: 3, maxDevicesAnnounce: 'Three are enough' },
    hwidExceededRemarks: ['Remove a device'],
    hwidMissingRemarks: [],
  })
  await tab('Subscription info').click()
  await field('Devices per user').fill('many')
  await userEvent.tab()
  await expect.element(page.getByText(/“many” is not a number/)).toBeVisible()
})

it('SUBSET-012 SUBSET-013 the interval is one hour at least, and the announcement says how long it may be', async () => {
  await showPage(SETTINGS)
  const interval = field('Update interval')
  await interval.fill('0')
  await userEvent.tab()
  await expect.element(page.getByText('Must be at least 1.')).toBeVisible()
  await expect.element(interval).toHaveValue('0')
  await expect.element(field('Announcement')).toHaveAttribute('placeholder', 'Announcement, max 200 characters')
  await field('Announcement').fill('x'.repeat(201))
  await expect.element(page.getByText('201 of 200 characters')).toBeVisible()
  await save.click()
  await expect.element(page.getByText('At most 200 characters')).toBeVisible()
  expect(requests(updateSubscriptionSettings)).toEqual([])
})

it('headers that proxies do not pass on are warned of while they are typed, and the routing is offered as a link', async () => {
  const warning = page.getByRole('alert').filter({ hasText: /apps get about .* of headers/ })
  const link = warning.getByRole('group', { name: 'Routing link' })
  await showPage(SETTINGS)
  await expect.element(save).toBeVisible()
  await expect.element(warning).not.toBeInTheDocument()
  await field('Routing for Happ').fill('happ://routing/add/'.padEnd(9216, 'x'))
  await expect.element(warning).toMatchTextContent(/9\.\d\d KiB/)
  await expect.element(link.getByRole('button', { name: 'Copy' })).toBeVisible()
  expect(await violations()).toEqual([])
  refuse(updateSubscriptionSettings, {
    status: 400,
    errors: [{ code: 'custom', path: ['happRouting'], message: 'The longest is routing with 9223.' }],
  })
  await save.click()
  await expect.element(page.getByText('The longest is routing with 9223.')).toBeVisible()
  await field('Routing for Happ').fill('')
  await tab('Additional response headers').click()
  for (let row = 1; row <= 3; row++) {
    await button('Add a header').click()
    await field(`Key of header ${row}`).fill(`X-${row}`)
    await field(`Value of header ${row}`).fill('y'.repeat(1000))
  }
  await expect.element(warning).toBeVisible()
  await expect.element(link).not.toBeInTheDocument()
})

it('a header that the server sets is refused by its name before it is sent', async () => {
  await showPage(`${SETTINGS}?tab=headers`)
  await button('Add a header').click()
  await field('Key of header 1').fill('Cache-Control')
  await field('Value of header 1').fill('public')
  await expect.element(page.getByText('Cache-Control is set by the server and cannot be replaced')).toBeVisible()
  await save.click()
  expect(requests(updateSubscriptionSettings)).toEqual([])
})

it('SUBSET-007 SUBSET-008 a list without any text holds the form back and says so', async () => {
  await showPage(SETTINGS)
  await field('Title').fill('x')
  await tab('User status remarks').click()
  await list('Remarks of limited users').getByRole('button', { name: 'Remove remark 1' }).click()
  await list('Remarks of limited users').getByRole('button', { name: 'Add a remark' }).click()
  await remark('Remarks of limited users', 1).fill('   ')
  await tab('Subscription info').click()
  await save.click()
  await expect.element(toast('Validation error')).toMatchTextContent(/You must add at least one remark with text/)
  await expect.element(tab('User status remarks')).toHaveAttribute('aria-selected', 'true')
  expect(requests(updateSubscriptionSettings)).toEqual([])
})

it('SUBSET-009 what the server has against a field stands on it, also where its tab is closed', async () => {
  refuse(updateSubscriptionSettings, {
    status: 400,
    errors: [
      { code: 'custom', path: ['supportLink'], message: 'leads nowhere' },
      { code: 'custom', path: ['customResponseHeaders', 'X-One'], message: 'is odd' },
    ],
  })
  await showPage(SETTINGS)
  await field('Title').fill('x')
  await save.click()
  await expect.element(page.getByText('leads nowhere')).toBeVisible()
  await expect.element(tab('Additional response headers').getByRole('img', { name: 'Something here is not right' })).toBeVisible()
  await tab('Additional response headers').click()
  await expect.element(page.getByText('is odd')).toBeVisible()
})

it('SUBSET-010 SUBSET-011 rows that are empty are not sent', async () => {
  await showPage(`${SETTINGS}?tab=headers`)
  for (let row = 0; row < 3; row++) await button('Add a header').click()
  await field('Key of header 2').fill('X-Two')
  await field('Value of header 2').fill('2')
  await field('Value of header 3').fill('without a key')
  await tab('User status remarks').click()
  await list('Remarks of expired users').getByRole('button', { name: 'Add a remark' }).click()
  await save.click()
  await expect.element(toast('Subscription settings updated successfully')).toBeVisible()
  expect(requests(updateSubscriptionSettings)[0]).toMatchObject({
    customResponseHeaders: { 'X-Two': '2' },
    expiredUsersRemarks: ['Your time is over'],
  })
})

it('headers are refused where they stand, in words, and there are thirty at most', async () => {
  settings = sampleSubscriptionSettings({
    customResponseHeaders: Object.fromEntries(Array.from({ length: 29 }, (_, n) => [`X-${n}`, '1'])),
  })
  await showPage(`${SETTINGS}?tab=headers`)
  await expect.element(field('Key of header 29')).toBeVisible()
  await button('Add a header').click()
  await expect.element(button('Add a header')).toBeDisabled()
  await field('Key of header 30').fill('x-0')
  await expect.element(page.getByText('Stands twice')).toBeVisible()
  await field('Key of header 30').fill('two words')
  await expect.element(page.getByText('Only letters, digits, underscores and dashes')).toBeVisible()
  await save.click()
  expect(requests(updateSubscriptionSettings)).toEqual([])
})

it('SUBSET-014 keys are put in at the cursor, in double braces, and those that do not exist are told', async () => {
  await showPage(`${SETTINGS}?tab=remarks`)
  const first = remark('Remarks of expired users', 1)
  await first.fill('Left: ! {{NOPE}}')
  await expect.element(page.getByText('Not known, shown as typed: {{NOPE}}')).toBeVisible()
  const input = first.element()
  if (input instanceof HTMLInputElement) input.setSelectionRange(6, 6)
  await list('Remarks of expired users').getByRole('button', { name: 'Insert a key into “Remark 1”' }).click()
  await page.getByRole('menuitem', { name: 'Days left' }).click()
  await expect.element(first).toHaveValue('Left: {{DAYS_LEFT}}! {{NOPE}}')
  await expect.poll(() => lastAsked()?.expiredUsersRemarks).toEqual(['Left: {{DAYS_LEFT}}! {{NOPE}}'])
})

it('SUBSET-015 a remark reaches the form 300 ms after the last key, and at once when the field is left', async () => {
  await showPage(`${SETTINGS}?tab=remarks`)
  await expect.element(remark('Remarks of expired users', 1)).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await remark('Remarks of expired users', 1).fill('typed')
  const isOff = () => save.element().hasAttribute('disabled')
  vi.advanceTimersByTime(299)
  await Promise.resolve()
  expect(isOff()).toBe(true)
  vi.advanceTimersByTime(1)
  await vi.waitFor(() => expect(isOff()).toBe(false))
  vi.useRealTimers()
  await button('Discard changes').click()
  await expect.element(remark('Remarks of expired users', 1)).toHaveValue('Your time is over')
  await remark('Remarks of expired users', 1).fill('left at once')
  await userEvent.tab()
  await save.click()
  await expect.poll(() => requests(updateSubscriptionSettings)[0]?.expiredUsersRemarks).toEqual(['left at once'])
})

it('several lines that are pasted become several remarks; emoji and marks of direction stay', async () => {
  await showPage(`${SETTINGS}?tab=remarks`)
  const target = remark('Remarks of expired users', 1)
  await target.click()
  const data = new DataTransfer()
  data.setData('text', '👨‍👩‍👧 first\r\n\u200fدوم\n\n  \nthird')
  target.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  await expect.element(remark('Remarks of expired users', 4)).toHaveValue('third')
  await save.click()
  await expect
    .poll(() => requests(updateSubscriptionSettings)[0]?.expiredUsersRemarks)
    .toEqual(['Your time is over', '👨‍👩‍👧 first', '\u200fدوم', 'third'])
})

it('two administrators at once: what the other one saved is shown and kept, and what both changed is asked about', async () => {
  await showPage(SETTINGS)
  await field('Title').fill('mine')
  settings = sampleSubscriptionSettings({
    profileTitle: 'theirs',
    supportLink: 'https://theirs.example',
    expiredUsersRemarks: ['theirs'],
  })
  await save.click()
  const notice = toast('Another administrator has just changed this')
  await expect.element(notice).toMatchTextContent(/Support linkhttps:\/\/theirs\.example/)
  await expect.element(notice).toMatchTextContent(/Remarks of expired userstheirs/)
  await expect.element(notice).toMatchTextContent(/Titletheirs/)
  expect(requests(updateSubscriptionSettings)).toEqual([])
  await notice.getByRole('button', { name: 'Keep what I have' }).click()
  await save.click()
  await expect.element(toast('Subscription settings updated successfully')).toBeVisible()
  expect(requests(updateSubscriptionSettings)).toMatchObject([
    { profileTitle: 'mine', supportLink: 'https://theirs.example', expiredUsersRemarks: ['theirs'] },
  ])
})

it('the preview shows what is not saved yet, for the chosen user, app and status', async () => {
  answer(searchAll, () => ({
    users: [{ uuid: uuid(1), username: 'alice', status: 'ACTIVE' as const, match: 'username' as const, value: 'alice' }],
    nodes: [],
    hosts: [],
    internalSquads: [],
    externalSquads: [],
    configProfiles: [],
  }))
  await showPage(SETTINGS)
  await expect.element(preview.getByText('one', { exact: true })).toBeVisible()
  expect(requests(previewSubscription)[0]).toMatchObject({ userAgent: 'Happ/3.5.0', settings: { profileTitle: 'Title' } })
  await field('Title').fill('unsaved')
  await expect.poll(() => lastAsked()?.profileTitle).toBe('unsaved')
  await preview.getByRole('combobox', { name: 'App' }).click()
  await page.getByRole('option', { name: 'FlClash' }).click()
  await preview.getByRole('combobox', { name: 'As if the user were' }).click()
  await page.getByRole('option', { name: 'expired' }).click()
  await preview.getByRole('combobox', { name: 'User', exact: true }).fill('ali')
  await page.getByRole('option', { name: 'alice' }).click()
  await expect
    .poll(() => requests(previewSubscription).at(-1))
    .toMatchObject({ userAgent: 'FlClash/0.8.80', status: 'EXPIRED', userUuid: uuid(1) })
  expect(requests(updateSubscriptionSettings)).toEqual([])
})

it('what cannot be saved is not asked for, and a refused preview says why', async () => {
  await showPage(SETTINGS)
  await field('Announcement').fill('x'.repeat(201))
  await expect.poll(() => requests(previewSubscription).at(-1)).toEqual({ userAgent: 'Happ/3.5.0' })
  refuse(previewSubscription, { status: 404, message: 'User not found', code: 'A025' })
  await field('Announcement').fill('fine')
  await expect.element(preview.getByRole('alert')).toBeVisible()
})

it('while settings are read there are shapes, and a failure can be tried again', async () => {
  const go = hold(getSubscriptionSettings)
  refuse(getSubscriptionSettings, { status: 500, message: 'broken' })
  await showPage(SETTINGS)
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  go()
  await expect.element(button('Try again')).toBeVisible()
  answer(getSubscriptionSettings, () => settings)
  await button('Try again').click()
  await expect.element(field('Title')).toHaveValue('Title')
})

it.each(['en', 'fa'] as const)('in %s nothing hinders anybody and nothing is wider than the screen', async (language) => {
  settings = sampleSubscriptionSettings({
    customResponseHeaders: { 'X-One': 'x'.repeat(900) },
    expiredUsersRemarks: ['{{NOPE}} '.repeat(50)],
  })
  for (const { width, height } of [{ width: 1440, height: 900 }, PHONE]) {
    for (const name of ['info', 'remarks', 'headers']) {
      await showPage(`${SETTINGS}?tab=${name}`, { language, width, height })
      await expect.element(page.getByRole('tab').first()).toBeInTheDocument()
      await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBe(0)
      expect(await violations()).toEqual([])
      for (const tab of page.getByRole('tab').elements()) {
        expect(tab.getBoundingClientRect().left).toBeGreaterThanOrEqual(0)
        expect(tab.getBoundingClientRect().right).toBeLessThanOrEqual(width)
      }
      await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
    }
  }
})
