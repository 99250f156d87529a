import {
  createWebhook,
  deleteWebhook,
  eventName,
  getWebhook,
  getWebhookDelivery,
  listDomainEvents,
  listWebhookDeliveries,
  listWebhooks,
  resendFailedDeliveries,
  resendWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  type Webhook,
  type WebhookDelivery,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const WEBHOOKS = '/dashboard/utils/webhooks'
const LONG_AGO = '2026-01-02T03:04:05.000Z'
const SECRET = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY'

const dialog = (name: string) => page.getByRole('dialog', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

let hooks: Webhook[]

function sampleWebhook(given: Partial<Webhook> = {}): Webhook {
  return {
    uuid: uuid(1),
    name: 'shop bot',
    url: 'https://bot.example.com/webhook',
    events: null,
    expiryNames: 'new',
    isPaused: false,
    isFromEnvironment: false,
    overlapEndsAt: null,
    hasNewSecret: false,
    lastSuccessAt: LONG_AGO,
    failingSince: null,
    lastError: null,
    stoppedAt: null,
    waiting: 0,
    unread: 0,
    unreadSince: null,
    failed: 0,
    missed: 0,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

function sampleDelivery(given: Partial<WebhookDelivery> = {}): WebhookDelivery {
  return {
    uuid: uuid(50),
    event: 'user.created',
    thing: 'anna',
    at: LONG_AGO,
    state: 'failed',
    attempts: 2,
    status: 503,
    error: 'It answered 503. Only answers from 200 to 299 count as received.',
    nextAttemptAt: null,
    behind: null,
    endedAt: LONG_AGO,
    ...given,
  }
}

beforeEach(() => {
  hooks = [
    sampleWebhook(),
    sampleWebhook({
      uuid: uuid(2),
      name: 'admin bot',
      failingSince: LONG_AGO,
      lastError: 'Nothing listens at this address.',
      waiting: 7,
      failed: 3,
    }),
    sampleWebhook({ uuid: uuid(3), name: 'environment', isFromEnvironment: true, isPaused: true }),
  ]
  const change = (which: string, given: Partial<Webhook>) => {
    hooks = hooks.map((hook) => (hook.uuid === which ? { ...hook, ...given } : hook))
    return hooks.find((hook) => hook.uuid === which) ?? sampleWebhook()
  }
  answer(listWebhooks, () => ({ webhooks: hooks }))
  answer(getWebhook, (input) => hooks.find((hook) => hook.uuid === input.uuid) ?? sampleWebhook())
  answer(createWebhook, ({ name, url, events = null }) => {
    const made = sampleWebhook({ uuid: uuid(9), name, url, events, lastSuccessAt: null })
    hooks = [...hooks, made]
    return { webhook: made, secret: SECRET }
  })
  answer(updateWebhook, ({ uuid: which, name, isPaused }) =>
    change(which, { ...(name === undefined ? {} : { name }), ...(isPaused === undefined ? {} : { isPaused }) }),
  )
  answer(rotateWebhookSecret, (input) => ({
    webhook: change(input.uuid, { overlapEndsAt: '2031-01-01T00:00:00.000Z' }),
    secret: SECRET,
  }))
  answer(deleteWebhook, (input) => {
    hooks = hooks.filter((hook) => hook.uuid !== input.uuid)
    return { isDeleted: true }
  })
  answer(testWebhook, () => ({
    at: LONG_AGO,
    durationMs: 42,
    status: 418,
    answer: 'no tea',
    error: 'It answered 418. Only answers from 200 to 299 count as received.',
    body: '{"event":"service.panel_started"}',
  }))
  answer(resendFailedDeliveries, () => ({ deliveries: 3 }))
  answer(listWebhookDeliveries, () => ({ deliveries: [sampleDelivery()], total: 1 }))
  answer(getWebhookDelivery, () => ({
    ...sampleDelivery(),
    url: 'https://bot.example.com/webhook',
    headers: { 'x-remnawave-signature': 'abc123' },
    body: '{"event":"user.created","data":{"username":"anna"}}',
    tries: [
      {
        number: 1,
        at: LONG_AGO,
        durationMs: 12,
        status: 503,
        answer: 'busy',
        error: 'It answered 503. Only answers from 200 to 299 count as received.',
      },
    ],
  }))
  answer(resendWebhookDelivery, () => sampleDelivery({ state: 'waiting' }))
  answer(listDomainEvents, () => ({
    events: eventName.options.map((event) => ({ event, body: `{"event": "${event}"}`, isDue: event !== 'user.not_connected' })),
  }))
})

it('HOOK-004 a webhook is made in two fields, and its secret is shown once', async () => {
  await showPage(WEBHOOKS)
  await button('New webhook').click()
  const frame = dialog('New webhook')
  await frame.getByRole('textbox', { name: 'Name' }).fill('crm')
  await frame.getByRole('textbox', { name: 'Address' }).fill('https://crm.example.com/hook')
  await frame.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(frame.getByText(SECRET)).toBeVisible()
  expect(requests(createWebhook)).toEqual([
    { name: 'crm', url: 'https://crm.example.com/hook', events: null, expiryNames: 'new' },
  ])
  await frame.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect.element(card('crm')).toMatchTextContent(/Nothing sent yet/)
})

it('HOOK-004 events are chosen by family and one by one, and what the server refuses stands at its field', async () => {
  await showPage(`${WEBHOOKS}?create=new`)
  const frame = dialog('New webhook')
  await frame.getByRole('textbox', { name: 'Name' }).fill('crm')
  await frame.getByRole('textbox', { name: 'Address' }).fill('http://10.0.0.1/hook')
  await frame.getByText('What is chosen').click()
  await frame.getByRole('checkbox', { name: 'Users' }).click()
  await frame.getByRole('checkbox', { name: 'Bills' }).click()
  refuse(createWebhook, {
    status: 400,
    errors: [
      {
        code: 'custom',
        path: ['url'],
        message: 'lies in a private network. Name the host in OUTGOING_PRIVATE_HOSTS to allow it',
      },
    ],
  })
  await frame.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(frame.getByText('lies in a private network', { exact: false })).toBeVisible()
  const [sent] = requests(createWebhook)
  expect(sent?.['events']).toEqual(eventName.options.filter((event) => event.startsWith('crm.')))
})

it('HOOK-006 the list tells at a glance which webhook fails, since when and why', async () => {
  await showPage(WEBHOOKS)
  await expect.element(card('shop bot')).toMatchTextContent(/Working/)
  const failing = card('admin bot')
  await expect.element(failing).toMatchTextContent(/Failing/)
  await expect.element(failing).toMatchTextContent(/Nothing listens at this address\./)
  await expect.element(failing).toMatchTextContent(/Waiting7/)
  await expect.element(failing).toMatchTextContent(/Given up3/)
  await button('Actions for admin bot').click()
  await page.getByRole('menuitem', { name: 'Send failed ones again' }).click()
  await expect.poll(() => requests(resendFailedDeliveries)).toEqual([{ uuid: uuid(2) }])
})

it('HOOK-004 a webhook of the environment is paused here, and changed there', async () => {
  await showPage(WEBHOOKS)
  await expect.element(card('environment')).toMatchTextContent(/Set by WEBHOOK_URL/)
  await button('Actions for environment').click()
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toBeDisabled()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument()
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await expect.poll(() => requests(updateWebhook)).toEqual([{ uuid: uuid(3), isPaused: false }])
})

it('HOOK-004 a webhook is renamed, its secret rotated with an overlap, and deleted after a question', async () => {
  await showPage(`${WEBHOOKS}?edit=${uuid(1)}`)
  const name = dialog('Webhook').getByRole('textbox', { name: 'Name' })
  await name.fill('shop')
  await dialog('Webhook').getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateWebhook)).toEqual([{ uuid: uuid(1), name: 'shop' }])
  await button('Actions for shop').click()
  await page.getByRole('menuitem', { name: 'Rotate the secret' }).click()
  await dialog('Rotate the secret').getByRole('button', { name: 'Rotate', exact: true }).click()
  await expect.element(dialog('Rotate the secret').getByText(SECRET)).toBeVisible()
  expect(requests(rotateWebhookSecret)).toEqual([{ uuid: uuid(1), overlapHours: 24 }])
  await dialog('Rotate the secret').getByRole('button', { name: 'Close', exact: true }).last().click()
  await button('Actions for shop').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog('Delete webhook shop?').getByRole('button', { name: 'Delete' }).click()
  await expect.element(card('shop')).not.toBeInTheDocument()
})

it('HOOK-005 a test is sent by a button, and the receiver’s own words are shown', async () => {
  await showPage(WEBHOOKS)
  await card('shop bot').getByRole('button', { name: 'Send test' }).click()
  const frame = dialog('Send a test event')
  await frame.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.element(frame.getByText('418 after 42 ms')).toBeVisible()
  await expect.element(frame.getByText('no tea')).toBeVisible()
  expect(requests(testWebhook)).toEqual([{ uuid: uuid(1) }])
})

it('HOOK-005 deliveries are filtered, opened with request and answer side by side, and sent again', async () => {
  await showPage(`${WEBHOOKS}/${uuid(1)}?state=failed`)
  await expect.element(page.getByRole('heading', { level: 1, name: 'shop bot' })).toBeVisible()
  expect(requests(listWebhookDeliveries)[0]).toMatchObject({ uuid: uuid(1), state: 'failed' })
  await page.getByRole('cell', { name: 'user.created' }).click()
  const frame = dialog('Delivery')
  await expect.element(frame.getByRole('region', { name: 'Request' })).toMatchTextContent(/x-remnawave-signature: abc123/)
  await expect.element(frame.getByRole('region', { name: 'Answer', exact: true })).toMatchTextContent(/busy/)
  await frame.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => requests(resendWebhookDelivery)).toEqual([{ uuid: uuid(50) }])
})

it('HOOK-005 events that have no delivery yet are counted above the list, and why nothing is sent is said', async () => {
  const unreadSince = '2026-11-26T12:00:00.000Z'
  hooks = [sampleWebhook({ unread: 1234, unreadSince, isPaused: true }), sampleWebhook({ uuid: uuid(2) })]
  await showPage(`${WEBHOOKS}/${uuid(1)}`)
  const at = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(unreadSince))
  await expect.element(page.getByText(`Waiting and not in this list yet: 1,234, the first since ${at}.`)).toBeVisible()
  await expect.element(page.getByText('This webhook is paused: nothing is sent.')).toBeVisible()
  await showPage(`${WEBHOOKS}/${uuid(2)}`)
  await expect.element(page.getByRole('cell', { name: 'user.created' })).toBeVisible()
  await expect.element(page.getByText('not in this list yet')).not.toBeInTheDocument()
})

it('HOOK-005 a delivery behind an earlier one names it and leads there, also on a phone', async () => {
  const waiting = { state: 'waiting', error: null, attempts: 0, status: null } as const
  const behind = { uuid: uuid(50), event: 'user.created' }
  const later = sampleDelivery({ ...waiting, uuid: uuid(51), event: 'user.modified', behind })
  answer(listWebhookDeliveries, () => ({ deliveries: [later, sampleDelivery({ state: 'waiting' })], total: 2 }))
  const rest = { url: 'https://bot.example.com/webhook', headers: {}, body: '{}', tries: [] }
  answer(getWebhookDelivery, (input) => ({ ...(input.uuid === later.uuid ? later : sampleDelivery()), ...rest }))
  const screen = await showPage(`${WEBHOOKS}/${uuid(1)}`)
  await page.getByRole('link', { name: 'Waits for user.created' }).click()
  await expect.element(dialog('Delivery')).toMatchTextContent(/user\.created/)
  expect(screen.address()).toContain(`delivery=${uuid(50)}`)
  screen.go(`${WEBHOOKS}/${uuid(1)}?delivery=${uuid(51)}`)
  await expect.element(dialog('Delivery')).toMatchTextContent(/sent once an earlier event about the same has arrived/)
  await dialog('Delivery').getByRole('button', { name: 'Show the earlier one' }).click()
  await expect.poll(() => screen.address()).toContain(`delivery=${uuid(50)}`)
  await showPage(`${WEBHOOKS}/${uuid(1)}`, PHONE)
  await expect.element(page.getByRole('link', { name: 'Waits for user.created' })).toBeVisible()
})

it('HOOK-005 the name of a webhook turns nothing round, and in Persian an answer has one kind of figures', async () => {
  hooks = [sampleWebhook({ name: 'abc\u202Etxt' })]
  await showPage(WEBHOOKS)
  await expect.element(page.getByRole('button', { name: 'Actions for abctxt' })).toBeVisible()
  await showPage(`${WEBHOOKS}/${uuid(1)}?delivery=${uuid(50)}`, { language: 'fa' })
  await expect.element(page.getByText('۵۰۳ پس از ۱۲ میلی‌ثانیه')).toBeVisible()
  await expect.element(page.getByText('پاسخ ۵۰۳. تنها پاسخ‌های ۲۰۰ تا ۲۹۹').first()).toBeVisible()
})

it('HOOK-001 every event is listed with its words and a sample, and what is switched off says so', async () => {
  await showPage('/dashboard/utils/webhook-events')
  for (const event of eventName.options) await expect.element(page.getByText(event, { exact: true })).toBeVisible()
  await expect.element(page.getByText('Switched off')).toBeVisible()
  await page.getByText('user.created', { exact: true }).click()
  await expect.element(page.getByRole('region', { name: 'Sample body' }).first()).toMatchTextContent(/"event": "user\.created"/)
})

it.each(['en', 'fa'] as const)(
  'in %s the pages fit a desktop and a phone, without accessibility violations',
  async (language) => {
    for (const path of [WEBHOOKS, `${WEBHOOKS}/${uuid(1)}`, '/dashboard/utils/webhook-events', `${WEBHOOKS}?create=new`]) {
      await showPage(path, { language })
      for (const { width, height } of [{ width: 1440, height: 900 }, PHONE]) {
        await page.viewport(width, height)
        await expect.element(page.getByRole('heading', { level: 1, includeHidden: true })).toBeInTheDocument()
        await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBe(0)
        expect(await violations()).toEqual([])
        await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
      }
    }
  },
)
