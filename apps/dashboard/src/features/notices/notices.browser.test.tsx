import {
  countAddressNodes,
  createNoticeRule,
  createNoticeWay,
  deleteNoticeRule,
  deleteNoticeWay,
  getNoticeRule,
  getNoticeWay,
  listNoticeMessages,
  listNoticeRules,
  listNoticeWays,
  noticeCondition,
  resendNoticeMessage,
  testNoticeWay,
  updateNoticeRule,
  updateNoticeWay,
  usualNotices,
  type NoticeMessage,
  type NoticeRule,
  type NoticeWay,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const NOTICES = '/dashboard/utils/notices'
const MESSAGES = `${NOTICES}/messages`
const LONG_AGO = '2026-01-02T03:04:05.000Z'
const TOKEN = '123456789:AAEhBP0av28fZk5TqYxPq-u8yqyyGxOr9_Y'
const UNKNOWN_CHAT = 'Telegram does not know this chat. Compare its number, and write to the bot first.'

const dialog = (name: string) => page.getByRole('dialog', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const rule = (sentence: string) => page.getByRole('listitem', { name: sentence })

let ways: NoticeWay[]
let rules: NoticeRule[]

function sampleWay(given: Partial<NoticeWay> = {}): NoticeWay {
  return {
    uuid: uuid(1),
    name: 'Team chat',
    kind: 'telegram',
    language: 'en',
    telegram: { chat: '-1001234567890', topic: null, apiRoot: null, proxyHost: null },
    email: null,
    webhook: null,
    isPaused: false,
    isFromEnvironment: false,
    rules: 2,
    lastSuccessAt: LONG_AGO,
    failingSince: null,
    lastError: null,
    waiting: 0,
    held: null,
    failed: 0,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

function sampleRule(given: Partial<NoticeRule> = {}): NoticeRule {
  return {
    uuid: uuid(20),
    condition: 'nodeDown',
    amount: 3,
    ways: [uuid(1)],
    quietFrom: null,
    quietTo: null,
    zone: null,
    mostPerHour: null,
    digest: 'none',
    isPaused: false,
    isFromEnvironment: false,
    lastAt: LONG_AGO,
    held: null,
    createdAt: LONG_AGO,
    updatedAt: LONG_AGO,
    ...given,
  }
}

function sampleMessage(given: Partial<NoticeMessage> = {}): NoticeMessage {
  return {
    uuid: uuid(50),
    wayUuid: uuid(1),
    wayName: 'Team chat',
    title: 'Nodes',
    lines: [{ text: 'Node Warsaw is down since 12:00.', url: 'https://panel.example.com/dashboard/management/nodes' }],
    state: 'failed',
    attempts: 3,
    at: LONG_AGO,
    nextAttemptAt: null,
    endedAt: LONG_AGO,
    error: UNKNOWN_CHAT,
    answer: 'Bad Request: chat not found',
    ...given,
  }
}

const mail = { host: 'smtp.example.com', port: 465, security: 'tls', username: null, hasPassword: false } as const

beforeEach(() => {
  ways = [
    sampleWay(),
    sampleWay({
      uuid: uuid(2),
      name: 'Mailbox',
      kind: 'email',
      telegram: null,
      email: { ...mail, from: 'panel@example.com', to: ['ops@example.com'] },
      failingSince: LONG_AGO,
      lastError: 'The mail server refused the sender: 550 no',
      waiting: 4,
      failed: 2,
    }),
    sampleWay({ uuid: uuid(3), name: 'Environment', isFromEnvironment: true, isPaused: true, rules: 0 }),
  ]
  rules = [
    sampleRule(),
    sampleRule({
      uuid: uuid(21),
      condition: 'usersExpiring',
      digest: 'daily',
      ways: [uuid(1), uuid(2)],
      quietFrom: '22:00',
      quietTo: '08:00',
      lastAt: null,
    }),
    sampleRule({ uuid: uuid(22), condition: 'diskLow', amount: 2, ways: [uuid(99)], isPaused: true }),
  ]
  answer(listNoticeWays, () => ({ ways }))
  answer(getNoticeWay, (input) => ways.find((way) => way.uuid === input.uuid) ?? sampleWay())
  answer(createNoticeWay, ({ telegram }) => {
    const made = sampleWay({ uuid: uuid(9), name: `Telegram ${telegram?.chat ?? ''}`, lastSuccessAt: null })
    ways = [...ways, made]
    return made
  })
  answer(updateNoticeWay, ({ uuid: which, isPaused }) => {
    ways = ways.map((way) => (way.uuid === which && isPaused !== undefined ? { ...way, isPaused } : way))
    return ways.find((way) => way.uuid === which) ?? sampleWay()
  })
  answer(deleteNoticeWay, (input) => {
    ways = ways.filter((way) => way.uuid !== input.uuid)
    return { isDeleted: true }
  })
  answer(testNoticeWay, () => ({ durationMs: 42, error: UNKNOWN_CHAT, answer: 'Bad Request: chat not found' }))
  answer(listNoticeRules, () => ({ rules }))
  answer(getNoticeRule, (input) => rules.find((each) => each.uuid === input.uuid) ?? sampleRule())
  answer(createNoticeRule, () => {
    const made = sampleRule({ uuid: uuid(29), condition: 'billsDue', amount: 7 })
    rules = [...rules, made]
    return made
  })
  answer(updateNoticeRule, ({ uuid: which, isPaused }) => {
    rules = rules.map((each) => (each.uuid === which && isPaused !== undefined ? { ...each, isPaused } : each))
    return rules.find((each) => each.uuid === which) ?? sampleRule()
  })
  answer(deleteNoticeRule, (input) => {
    rules = rules.filter((each) => each.uuid !== input.uuid)
    return { isDeleted: true }
  })
  answer(listNoticeMessages, () => ({ messages: [sampleMessage()], total: 1, held: 3 }))
  answer(resendNoticeMessage, () => sampleMessage({ state: 'waiting' }))
})

it('NOTE-001 a first notice is set up in three fields, and tried at once', async () => {
  ways = []
  rules = []
  await showPage(NOTICES)
  await expect.element(page.getByText('No receivers yet')).toBeVisible()
  await button('New receiver').click()
  const frame = dialog('New receiver')
  await frame.getByLabelText('Bot token').fill(TOKEN)
  await frame.getByRole('textbox', { name: 'Chat' }).fill('-1001234567890')
  await expect.element(frame.getByText('Node down')).toBeVisible() // the third field is filled in
  await frame.getByRole('button', { name: 'Create', exact: true }).click()
  await frame.getByRole('button', { name: 'Send', exact: true }).click()
  await expect.element(frame.getByText(UNKNOWN_CHAT)).toBeVisible()
  await expect.element(frame.getByText('Bad Request: chat not found')).toBeVisible()
  expect(requests(createNoticeWay)).toEqual([
    {
      language: 'en',
      conditions: usualNotices,
      telegram: { chat: '-1001234567890', topic: null, apiRoot: null, token: TOKEN, proxy: null },
    },
  ])
  expect(requests(testNoticeWay)).toEqual([{ uuid: uuid(9) }])
})

it('NOTE-001 mail is sent by a server with a port that goes with its encryption, and a refusal stands at its field', async () => {
  await showPage(`${NOTICES}?create=new`)
  const frame = dialog('New receiver')
  await frame.getByText('E-mail').click()
  await frame.getByRole('textbox', { name: 'To', exact: true }).fill('ops@example.com, boss@example.com')
  await frame.getByRole('textbox', { name: 'From', exact: true }).fill('panel@example.com')
  await frame.getByRole('textbox', { name: 'Mail server' }).fill('10.0.0.1')
  await frame.getByRole('combobox', { name: 'Encryption' }).click()
  await page.getByRole('option', { name: 'STARTTLS' }).click()
  await expect.element(frame.getByRole('textbox', { name: 'Port' })).toHaveValue('587')
  const message = 'lies in a private network. Name the host in OUTGOING_PRIVATE_HOSTS to allow it'
  refuse(createNoticeWay, { status: 400, errors: [{ code: 'custom', path: ['email', 'host'], message }] })
  await frame.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(frame.getByText(/^This lies in a private network/)).toBeVisible()
  expect(requests(createNoticeWay)[0]?.['email']).toMatchObject({
    host: '10.0.0.1',
    port: 587,
    security: 'starttls',
    to: ['ops@example.com', 'boss@example.com'],
  })
})

it('NOTE-001 what is missing or wrong is said before anything is sent', async () => {
  await showPage(`${NOTICES}?create=new`)
  const frame = dialog('New receiver')
  await frame.getByLabelText('Bot token').fill('no token')
  await frame.getByRole('textbox', { name: 'Chat' }).fill('my chat')
  await frame.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(frame.getByText(/^Must be a bot token such as 123456789:AAE…$/)).toBeVisible()
  await expect.element(frame.getByText(/^Must be the number of a chat/)).toBeVisible()
  expect(requests(createNoticeWay)).toEqual([])
})

it('NOTE-002 a receiver and a rule in quiet hours say so, with the moment of their end', async () => {
  const until = '2026-11-27T05:00:00.000Z'
  const held = { count: 3, reason: 'quietHours', until } as const
  ways = [sampleWay({ waiting: 3, held }), sampleWay({ uuid: uuid(2), name: 'Other', waiting: 4, held })]
  rules = [sampleRule({ held }), sampleRule({ uuid: uuid(21), condition: 'diskLow', amount: 2 })]
  await showPage(NOTICES)
  const at = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(until))
  const words = `Held back by quiet hours until ${at}: 3`
  await expect.element(card('Team chat')).toMatchTextContent(words)
  await expect.element(card('Team chat')).toMatchTextContent(/Quiet hours/)
  await expect.element(card('Team chat')).not.toMatchTextContent(/Sending/)
  await expect.element(card('Other')).toMatchTextContent(/Sending/) // one is under way
  await expect.element(rule('A node is down for more than 3 min')).toMatchTextContent(words)
  await expect.element(rule('Less than 2 GiB of disk are free')).not.toMatchTextContent(/Held back/)
})

it('NOTE-002 the condition on addresses says how many nodes can tell, in the list and while it is chosen', async () => {
  rules = [sampleRule({ condition: 'manyAddresses', amount: 5 }), sampleRule({ uuid: uuid(21) })]
  answer(countAddressNodes, () => ({ able: 2, total: 5 }))
  await showPage(NOTICES)
  await expect
    .element(rule('A user is connected from 5 addresses or more at once'))
    .toMatchTextContent(/2 of 5 nodes can tell addresses/)
  await expect.element(rule('A node is down for more than 3 min')).not.toMatchTextContent(/can tell/)
  await button('New rule').click()
  const frame = dialog('New rule')
  await frame.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Many addresses at once' }).click()
  await expect.element(frame.getByText(/2 of 5 nodes can tell addresses\. The others are not connected/)).toBeVisible()
})

it('NOTE-001 receivers of one name are told apart by where they lead', async () => {
  const telegram = { chat: '@team', topic: 7, apiRoot: null, proxyHost: null }
  ways = [sampleWay(), sampleWay({ uuid: uuid(2), telegram }), sampleWay({ uuid: uuid(3), name: 'Alone' })]
  rules = [sampleRule({ ways: [uuid(1), uuid(2), uuid(3)] })]
  await showPage(NOTICES)
  await expect
    .element(rule('A node is down for more than 3 min'))
    .toMatchTextContent(/Team chat · -1001234567890, Team chat · @team · #7, Alone/)
})

it('NOTE-003 in Persian the figures of a rule are Persian ones', async () => {
  await showPage(NOTICES, { language: 'fa' })
  await expect.element(page.getByText(/سکوت از ۲۲:۰۰ تا ۰۸:۰۰/)).toBeVisible()
})

it('NOTE-005 the list tells at a glance which receiver fails, since when and why', async () => {
  await showPage(NOTICES)
  await expect.element(card('Team chat')).toMatchTextContent(/Working/)
  const failing = card('Mailbox')
  await expect.element(failing).toMatchTextContent(/Failing/)
  await expect.element(failing).toMatchTextContent(/The mail server refused the sender: 550 no/)
  await expect.element(failing).toMatchTextContent(/Waiting4/)
  await expect.element(failing).toMatchTextContent(/Given up2/)
})

it('NOTE-007 what the environment has set is paused here, and changed there', async () => {
  await showPage(NOTICES)
  await expect.element(card('Environment')).toMatchTextContent(/Set by TELEGRAM_NOTIFY_/)
  await button('Actions for Environment').click()
  await expect.element(page.getByRole('menuitem', { name: 'Edit' })).toBeDisabled()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).not.toBeInTheDocument()
  await page.getByRole('menuitem', { name: 'Resume' }).click()
  await expect.poll(() => requests(updateNoticeWay)).toEqual([{ uuid: uuid(3), isPaused: false }])
})

it('NOTE-001 a receiver is changed without typing its token again, and deleted after a question', async () => {
  await showPage(`${NOTICES}?edit=${uuid(1)}`)
  const frame = dialog('Receiver')
  await expect.element(frame.getByLabelText('Bot token')).toHaveValue('')
  await frame.getByRole('textbox', { name: 'Chat' }).fill('@team')
  await frame.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateNoticeWay)).toEqual([{ uuid: uuid(1), telegram: { chat: '@team' } }])
  await button('Actions for Team chat').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog('Delete receiver Team chat?').getByRole('button', { name: 'Delete' }).click()
  await expect.element(card('Team chat')).not.toBeInTheDocument()
})

it('NOTE-002 rules read as sentences with receivers and limits, and are switched off and on', async () => {
  await showPage(NOTICES)
  await expect.element(rule('A node is down for more than 3 min')).toMatchTextContent(/Team chat/)
  const expiring = rule('A user expires within 3 days')
  await expect
    .element(expiring)
    .toMatchTextContent(/Team chat, Mailbox · Once a day at 9:00, together · quiet from 22:00 to 08:00/)
  await expect.element(rule('Less than 2 GiB of disk are free')).toMatchTextContent(/No receiver/)
  // The track is drawn over the switch itself.
  await page.getByRole('switch', { name: 'In force: Less than 2 GiB of disk are free' }).click({ force: true })
  await expect.poll(() => requests(updateNoticeRule)).toEqual([{ uuid: uuid(22), isPaused: false }])
})

it('NOTE-002 a rule is made by choosing what, how much, whom and when', async () => {
  await showPage(NOTICES)
  await button('New rule').click()
  const frame = dialog('New rule')
  await frame.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Bills due' }).click()
  await frame.getByRole('textbox', { name: 'Days' }).fill('5')
  await frame.getByRole('switch', { name: 'Quiet hours' }).click()
  await frame.getByRole('textbox', { name: 'Messages per hour, at most' }).fill('4')
  await frame.getByRole('button', { name: 'Create', exact: true }).click()
  await expect
    .poll(() => requests(createNoticeRule))
    .toEqual([
      {
        condition: 'billsDue',
        amount: 5,
        ways: [uuid(1), uuid(2), uuid(3)],
        quietFrom: '22:00',
        quietTo: '08:00',
        zone: null,
        mostPerHour: 4,
        digest: 'none',
      },
    ])
})

it('NOTE-006 every condition can be chosen, the week’s summary too', async () => {
  await showPage(`${NOTICES}?rule=new`)
  await dialog('New rule').getByRole('combobox', { name: 'When' }).click()
  await expect.element(page.getByRole('option', { name: 'Weekly summary' })).toBeInTheDocument()
  expect(page.getByRole('option').elements()).toHaveLength(noticeCondition.options.length)
})

it('NOTE-002 a rule is changed in what differs, and deleted after a question', async () => {
  await showPage(`${NOTICES}?rule=${uuid(20)}`)
  const frame = dialog('Rule')
  await frame.getByRole('textbox', { name: 'For longer than, in minutes' }).fill('10')
  await frame.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateNoticeRule)).toEqual([{ uuid: uuid(20), amount: 10 }])
  await button('Actions for A node is down for more than 3 min').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog('Delete this rule?').getByRole('button', { name: 'Delete' }).click()
  await expect.element(rule('A node is down for more than 3 min')).not.toBeInTheDocument()
})

it('NOTE-005 what was not sent is found, opened with the other side’s words, and sent again', async () => {
  await showPage(`${MESSAGES}?state=failed`)
  await expect.element(page.getByText(/3 notices wait for their digest/)).toBeVisible()
  expect(requests(listNoticeMessages)[0]).toMatchObject({ state: 'failed' })
  await page.getByRole('cell', { name: 'Node Warsaw is down since 12:00.' }).click()
  const frame = dialog('Message')
  await expect.element(frame.getByText(UNKNOWN_CHAT)).toBeVisible()
  await expect.element(frame.getByText('Bad Request: chat not found')).toBeVisible()
  await expect.element(frame.getByRole('link', { name: 'Node Warsaw is down since 12:00.' })).toBeVisible()
  await frame.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => requests(resendNoticeMessage)).toEqual([{ uuid: uuid(50) }])
})

it.each(['en', 'fa'] as const)(
  'NOTE-003 in %s the pages fit a desktop and a phone, without accessibility violations',
  async (language) => {
    for (const path of [NOTICES, MESSAGES, `${NOTICES}?create=new`, `${NOTICES}?rule=new`]) {
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
