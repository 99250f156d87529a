import {
  getUser,
  listUserHwidDevices,
  listUserTags,
  listUsers,
  getHost,
  getHwidSettings,
  listConfigProfiles,
  listHosts,
  listHostTags,
  listNodes,
  getSystemStats,
  listInternalSquads,
  previewSubscription,
} from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import {
  sampleConfigProfile,
  sampleHost,
  sampleInbound,
  samplePreview,
  sampleSystemStats,
  sampleUser,
  uuid,
} from '../../../test/samples.ts'
import { PHONE, showPage, showPart } from '../../../test/screen.tsx'
import { SubscriptionInspector } from './parts/subscription-inspector.tsx'
import { SubscriptionPreview } from './parts/subscription-preview.tsx'

const texts = ['subscription-preview']
const alice = sampleUser()
const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const facts = () => [...document.querySelectorAll('p[aria-live=polite]')].map((one) => one.textContent)

beforeEach(() => {
  answer(previewSubscription, ({ userAgent }) =>
    userAgent.startsWith('FlClash') ? samplePreview({ format: 'mihomo', body: 'proxies: []\n', bytes: 12 }) : samplePreview(),
  )
  answer(listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(listUsers, () => ({ users: [alice], total: 1 }))
  answer(getUser, () => alice)
  answer(listUserTags, () => ({ tags: [] }))
  answer(getSystemStats, () => sampleSystemStats())
  answer(listInternalSquads, () => ({ total: 0, internalSquads: [] }))
})

it('a user is inspected from the menu of actions: exact bytes and headers of an app, and two apps side by side', async () => {
  answer(getHwidSettings, () => ({ isDeviceLimitEnabled: false, fallbackDeviceLimit: 0 }))
  await showPage(`/dashboard/management/users?edit=${alice.uuid}`)
  await page.getByRole('dialog').getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Inspect subscription' }).click()
  const drawer = page.getByRole('dialog', { name: 'What alice receives' })
  await expect.element(drawer.getByText('shadowsocks · tcp · one.example:8388')).toBeVisible()
  expect(requests(previewSubscription)).toEqual([{ userUuid: alice.uuid, userAgent: 'Happ/3.5.0' }])
  await drawer.getByRole('button', { name: 'Compare with another app' }).click()
  const second = drawer.getByRole('region', { name: 'Second app' })
  await expect.element(second.getByText('Mihomo', { exact: true })).toBeVisible()
  await expect.element(drawer.getByRole('region', { name: 'First app' }).getByText('Share links')).toBeVisible()
  await second.getByText('Body', { exact: true }).click()
  await expect.element(second.getByText('proxies: []')).toBeVisible()
  await drawer.getByRole('button', { name: 'One app only' }).click()
  await expect.element(second).not.toBeInTheDocument()
})

it('a body can be read decoded and as it is sent, and is copied as it is shown', async () => {
  let copied = ''
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void (copied = text))
  await showPart(<SubscriptionInspector userUuid={uuid(1)} />, { texts })
  await expect.element(page.getByText('one', { exact: true })).toBeVisible()
  await page.getByText('Body', { exact: true }).click()
  await expect.element(page.getByText('ss://secret@one.example:8388#one')).toBeVisible()
  await page.getByText('As sent').click()
  await expect.element(page.getByText(samplePreview().body)).toBeVisible()
  await page.getByRole('button', { name: 'Copy the body' }).click()
  expect(copied).toBe(samplePreview().body)
  await page.getByText('Headers', { exact: true }).click()
  await expect.element(page.getByText('Title', { exact: true })).toBeVisible()
  await expect.element(page.getByText('x-frame-options')).not.toBeVisible()
  await page.getByText('1 header of every answer').click()
  await expect.element(page.getByText('x-frame-options')).toBeVisible()
  vi.restoreAllMocks()
})

it('what is left out is said with its reason, texts in place of hosts are told, and signs that nobody sees are counted', async () => {
  const bare = { address: '0.0.0.0', port: 1, protocol: 'trojan', network: 'tcp', security: 'tls', hostUuid: null }
  answer(previewSubscription, () =>
    samplePreview({
      servers: [{ ...bare, remark: 'two\nlines \u200f!' }],
      leftOut: [
        { hostUuid: uuid(1), remark: 'off', reason: 'disabled' },
        { hostUuid: uuid(2), remark: 'new kind', reason: 'format' },
      ],
    }),
  )
  await showPart(<SubscriptionPreview />, { texts })
  await expect.element(page.getByText('2 invisible signs')).toBeVisible()
  await expect.element(page.getByText('only a text')).toBeVisible()
  const left = page.getByRole('region', { name: 'Left out' })
  await expect.element(left).toMatchTextContent(/2 hosts left out/)
  await expect.element(left).toMatchTextContent(/offDisabled/)
  await expect.element(left).toMatchTextContent(/new kindThis app cannot express it/)
})

it('where devices are limited one of them is chosen, and a refusal is said', async () => {
  answer(previewSubscription, ({ hwid }) =>
    hwid === 'phone-1'
      ? samplePreview({ device: 'known' })
      : samplePreview({ device: 'unnamed', body: '', bytes: 0, servers: [] }),
  )
  answer(listUserHwidDevices, () => ({
    total: 1,
    devices: [
      {
        hwid: 'phone-1',
        userUuid: uuid(1),
        platform: 'iOS',
        osVersion: null,
        deviceModel: 'iPhone 15',
        userAgent: null,
        createdAt: alice.createdAt,
        updatedAt: alice.updatedAt,
      },
    ],
  }))
  await showPart(<SubscriptionPreview userUuid={uuid(1)} />, { texts })
  await expect.poll(facts).toEqual([expect.stringContaining('Refused: the app names no device')])
  await choose('Device', 'iPhone 15')
  await expect.poll(facts).toEqual([expect.stringContaining('The device is known')])
  expect(requests(previewSubscription).at(-1)).toMatchObject({ hwid: 'phone-1' })
})

it('what differs between two apps is counted and marked', async () => {
  const [server] = samplePreview().servers
  if (!server) throw new Error('the sample has a server')
  answer(previewSubscription, ({ userAgent }) =>
    userAgent.startsWith('FlClash')
      ? samplePreview({ servers: [server], headers: { 'profile-title': 'b' } })
      : samplePreview({ servers: [server, { ...server, remark: 'two' }], headers: { 'profile-title': 'a' } }),
  )
  await showPart(<SubscriptionInspector userUuid={uuid(1)} />, { texts })
  await expect.element(page.getByText('two', { exact: true })).toBeVisible()
  expect(page.getByText('Only here').query()).toBeNull()
  await page.getByRole('button', { name: 'Compare with another app' }).click()
  await expect.element(page.getByRole('status')).toHaveTextContent('1 server differs · 1 header differs')
  await expect.element(page.getByRole('listitem').filter({ hasText: 'two' })).toMatchTextContent('Only here')
  expect(page.getByText('Only here').elements()).toHaveLength(1)
  await page.getByText('Headers', { exact: true }).first().click()
  await expect.element(page.getByText('Differs', { exact: true })).toBeVisible()
})

it('another app is named by its user agent, and a browser gets a page in which nothing runs', async () => {
  await showPart(<SubscriptionPreview />, { texts })
  await choose('App', 'Another app')
  await page.getByRole('textbox', { name: 'User agent' }).fill('own/1.0')
  await expect.poll(() => requests(previewSubscription).at(-1)).toEqual({ userAgent: 'own/1.0' })
  answer(previewSubscription, () => samplePreview({ format: 'page', body: '<h1>Hello</h1>', servers: [] }))
  await choose('App', 'Browser (page)')
  await page.getByText('Body', { exact: true }).click()
  await expect.poll(() => requests(previewSubscription).at(-1)).toMatchObject({ wantsPage: true })
  await expect.element(page.getByTitle('Page for browsers')).toHaveAttribute('sandbox', '')
})

it('a host in the form is previewed as it stands there, not as it is stored', async () => {
  const inbound = sampleInbound()
  const host = sampleHost({ inbound: { configProfileUuid: inbound.profileUuid, configProfileInboundUuid: inbound.uuid } })
  answer(listHosts, () => [host])
  answer(getHost, () => host)
  answer(listHostTags, () => ({ tags: [] }))
  answer(listNodes, () => [])
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds: [inbound] })] }))
  await showPage(`/dashboard/management/hosts?edit=${host.uuid}`)
  const modal = page.getByRole('dialog', { name: 'Edit host' })
  await modal.getByRole('textbox', { name: 'Remark' }).fill('unsaved 🇩🇪')
  await modal.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'What apps receive' }).click()
  await expect
    .poll(() => requests(previewSubscription).at(-1)?.hosts)
    .toEqual([expect.objectContaining({ uuid: host.uuid, remark: 'unsaved 🇩🇪', address: host.address })])
})

it.each(['en', 'fa'] as const)('in %s it has no accessibility violations on a desktop and on a phone', async (language) => {
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  for (const size of [{ width: 1440, height: 900 }, PHONE]) {
    await showPage(`/dashboard/management/users?inspect=${alice.uuid}`, { language, ...size })
    await expect.element(page.getByText('one', { exact: true })).toBeVisible()
    for (const place of [0, 1, 2]) {
      const radio = page.getByRole('dialog').getByRole('radio').nth(place).element()
      if (radio instanceof HTMLElement) radio.click()
      expect(await violations()).toEqual([])
      expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(window.innerWidth)
    }
  }
})

it('RULE-002: the response rule that chose the answer is named', async () => {
  answer(previewSubscription, ({ userAgent }) =>
    userAgent.startsWith('FlClash')
      ? samplePreview({ format: 'nothing', body: '', rule: { name: null, type: 'BLOCK' } })
      : samplePreview({ rule: { name: 'Happ users', type: 'XRAY_BASE64' } }),
  )
  await showPart(<SubscriptionPreview />, { texts })
  await expect.element(page.getByText('By rule “Happ users”')).toBeVisible()
  await choose('App', 'FlClash')
  await expect.element(page.getByText('Refused: no response rule matches')).toBeVisible()
})
