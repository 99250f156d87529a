import {
  createNoticeRule,
  createNoticeWay,
  createWebhook,
  listNoticeRules,
  listNoticeWays,
  listWebhooks,
} from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { startReceiver, type Receiver } from '../apps/server/test/receiver.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { closePeople, everyone, openPeople, type People } from './stage/people.ts'
import { WAYS, type Person } from './stage/person.ts'
import { seeding } from './stage/seeding.ts'

// The five things that people come to webhooks and notices for, each with mouse, keyboard and phone, without being told how.

const HOME = '/dashboard/home'

let panel: Panel
let admin: SignedIn
let people: People
let receiver: Receiver
let seed: ReturnType<typeof seeding>

test.beforeAll(async ({ browser }) => {
  receiver = await startReceiver()
  panel = await startPanel({ env: { OUTGOING_PRIVATE_HOSTS: '127.0.0.1' } })
  admin = await signedIn(panel)
  seed = seeding(admin.api)
  people = await openPeople(browser, panel, admin)
})
test.afterAll(async () => {
  await closePeople(people)
  await panel.close()
  await receiver.close()
})

/** A list is one tab stop, and what is newest stands last in it. */
async function toLast({ way, press }: Person): Promise<void> {
  if (way === 'keyboard') await press('F6', 'End')
}

test('NOTE-001 NOTE-002 be told from now on: a receiver is set up and tried, and what happens arrives', async () => {
  await everyone(people, { mouse: 8, keyboard: 50, phone: 9 }, HOME, async (who) => {
    const { page } = who
    const before = receiver.received.length
    await who.goTo('Notices')
    await who.choose(page.getByRole('button', { name: 'New receiver' }))
    const frame = page.getByRole('dialog', { name: 'New receiver' })
    if (who.way === 'keyboard') {
      await who.choose(frame.getByRole('radio', { name: 'Telegram' }), { by: 'Shift+Tab', press: 'ArrowRight' })
      await who.press('ArrowRight')
    } else await who.choose(frame.getByText('Webhook', { exact: true }))
    await who.type(frame.getByRole('textbox', { name: 'Address' }), `${receiver.url}/${who.way}`)
    await who.choose(frame.getByRole('button', { name: 'Create', exact: true }))
    await who.choose(frame.getByRole('button', { name: 'Send', exact: true }))
    await expect(frame.getByText(/^Arrived after/)).toBeVisible()
    expect(receiver.received.slice(before).map(({ path }) => path)).toEqual([`/hook/${who.way}`])
  })
})

test('NOTE-002 be left alone at night: a rule gets quiet hours', async () => {
  for (const way of WAYS) {
    const { uuid } = await admin.api(createNoticeWay, { name: `Night ${way}`, webhook: { url: `${receiver.url}/night` } })
    await admin.api(createNoticeRule, {
      condition: 'sharedAccount',
      amount: { mouse: 11, keyboard: 12, phone: 13 }[way],
      ways: [uuid],
    })
  }
  await everyone(people, { mouse: 5, keyboard: 90, phone: 6 }, HOME, async (who) => {
    const { page } = who
    const amount = { mouse: 11, keyboard: 12, phone: 13 }[who.way]
    await who.goTo('Notices')
    await who.choose(page.getByRole('button', { name: `Actions for A user is on ${amount} devices or more` }))
    await who.choose(page.getByRole('menuitem', { name: 'Edit' }), { by: 'ArrowDown' })
    const frame = page.getByRole('dialog', { name: 'Rule' })
    await who.choose(frame.getByRole('switch', { name: 'Quiet hours' }), { press: 'Space' })
    await who.choose(frame.getByRole('button', { name: 'Save' }))
    await expect(frame).toHaveCount(0)
    const { rules } = await admin.api(listNoticeRules, {})
    expect(rules.find((rule) => rule.amount === amount)).toMatchObject({ quietFrom: '22:00', quietTo: '08:00' })
  })
})

test('NOTE-005 why was I not told: the message, the reason, and it is sent again', async () => {
  const { uuid } = await admin.api(createNoticeWay, { name: 'Deaf', webhook: { url: `${receiver.url}/deaf` } })
  await admin.api(createNoticeRule, { condition: 'userEvents', ways: [uuid] })
  receiver.answer = (reply, { path }) => reply.writeHead(path.endsWith('/deaf') ? 503 : 200).end('busy')
  await seed.makeUser({ username: 'not_told' })
  await expect
    .poll(async () => (await admin.api(listNoticeWays, {})).ways.find((way) => way.uuid === uuid)?.lastError, { timeout: 15_000 })
    .toContain('503')
  await everyone(people, { mouse: 3, keyboard: 40, phone: 4 }, HOME, async (who) => {
    const { page } = who
    await who.goTo('Notices')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Deaf', exact: true }) })
    await expect(card).toContainText('It answered 503.')
    await toLast(who)
    await who.choose(card.getByRole('link', { name: 'Messages' }), { by: 'ArrowRight' })
    await expect(page.getByText('User not_told was created.')).toBeVisible()
    await expect(page.getByText('Waiting', { exact: true }).first()).toBeVisible()
  })
  receiver.answer = (reply) => reply.end('thanks')
})

test('HOOK-004 HOOK-005 connect a bot: a webhook in two fields, and a test that arrives', async () => {
  await everyone(people, { mouse: 9, keyboard: 60, phone: 10 }, HOME, async (who) => {
    const { page } = who
    const before = receiver.received.length
    await who.goTo('Webhooks')
    await who.choose(page.getByRole('button', { name: 'New webhook' }))
    const frame = page.getByRole('dialog', { name: 'New webhook' })
    await who.type(frame.getByRole('textbox', { name: 'Name' }), `bot ${who.way}`)
    await who.type(frame.getByRole('textbox', { name: 'Address' }), `${receiver.url}/bot-${who.way}`)
    await who.choose(frame.getByRole('button', { name: 'Create', exact: true }))
    await expect(frame.getByText('It is not shown again.', { exact: false })).toBeVisible()
    await who.choose(frame.getByRole('button', { name: 'Close', exact: true }).last())
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: `bot ${who.way}`, exact: true }) })
    await toLast(who)
    await who.choose(card.getByRole('button', { name: 'Send test' }), { by: 'ArrowRight' })
    await who.choose(page.getByRole('dialog', { name: 'Send a test event' }).getByRole('button', { name: 'Send', exact: true }))
    await expect(page.getByText(/^200 after/)).toBeVisible()
    expect(receiver.received.slice(before).some(({ path }) => path === `/hook/bot-${who.way}`)).toBe(true)
  })
})

test('HOOK-005 HOOK-006 what did the bot answer: the failed delivery with request and answer', async () => {
  const url = `${receiver.url}/broken`
  receiver.answer = (reply, { path }) => reply.writeHead(path.endsWith('/broken') ? 500 : 200).end('no such user')
  await admin.api(createWebhook, { name: 'broken bot', url, events: ['user.created'] })
  await seed.makeUser({ username: 'unheard_of' })
  await expect
    .poll(async () => (await admin.api(listWebhooks, {})).webhooks.find((hook) => hook.url === url)?.lastError, {
      timeout: 15_000,
    })
    .toContain('500')
  await everyone(people, { mouse: 3, keyboard: 50, phone: 4 }, HOME, async (who) => {
    const { page } = who
    await who.goTo('Webhooks')
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'broken bot', exact: true }) })
    await toLast(who)
    await who.choose(card.getByRole('link', { name: 'Deliveries' }), { by: 'ArrowRight' })
    const row = who.way === 'phone' ? page.getByText('unheard_of') : page.getByRole('row').filter({ hasText: 'unheard_of' })
    await who.choose(row, { by: 'Tab' })
    const drawer = page.getByRole('dialog', { name: 'Delivery' })
    await expect(drawer.getByRole('region', { name: 'Request' })).toContainText('unheard_of')
    await expect(drawer.getByRole('region', { name: 'Answer', exact: true }).first()).toContainText('no such user')
  })
})
