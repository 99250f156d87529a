import {
  createApiToken,
  createLimitedApiToken,
  deleteApiToken,
  getApiTokenDetails,
  getProofOptions,
  listApiTokenDetails,
  listApiTokens,
  listResellers,
  proveIdentity,
  tokenPermissions,
  updateApiToken,
  type ApiTokenDetails,
} from '@causeway/contract'
import i18n from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, hold, refuse, requests } from '../../../test/fake-api.ts'
import { sampleApiToken, uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { curlLine, READ_ONLY } from './token-form.ts'

const TOKENS = '/dashboard/management/api-tokens'
const dialog = (name: string) => page.getByRole('dialog', { name })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
let copied = ''

interface Sample extends Partial<ApiTokenDetails> {
  token?: string
}
type Shown = ApiTokenDetails & { token: string }
let tokens: Shown[]
let docs: { isDocsEnabled: boolean; scalarPath: string | null; swaggerPath: string | null }

function sampleToken(number: number, given: Sample = {}): Shown {
  return {
    ...sampleApiToken({ uuid: uuid(number) }),
    token: `eyJhbGciOiJIUzI1NiJ9.claims${number}.signature`,
    ...given,
  }
}

beforeEach(() => {
  answer(listResellers, () => ({ resellers: [] }))
  tokens = [sampleToken(1)]
  docs = { isDocsEnabled: false, scalarPath: '/scalar', swaggerPath: '/docs' }
  copied = ''
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => void (copied = text))
  answer(listApiTokens, () => ({
    apiKeys: tokens.map((each) => ({ ...each, updatedAt: each.createdAt, token: each.isShownOnce ? '' : each.token })),
    docs,
  }))
  answer(listApiTokenDetails, () => ({ tokens }))
  answer(getApiTokenDetails, (input) => tokens.find((each) => each.uuid === input.uuid) ?? sampleToken(1))
  answer(createApiToken, ({ tokenName = '' }) => add({ tokenName }))
  answer(createLimitedApiToken, (input) => add(input))
  answer(updateApiToken, ({ uuid: of, ...edit }) => {
    tokens = tokens.map((each) => (each.uuid === of ? merged(each, edit) : each))
    return tokens.find((each) => each.uuid === of) ?? sampleToken(1)
  })
  answer(deleteApiToken, (input) => {
    tokens = tokens.filter((each) => each.uuid !== input.uuid)
    return true
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function merged<Entity extends object>(before: Entity, change: object): Entity {
  return { ...before, ...change } // what was sent has been held against the contract
}

function add(given: object): { uuid: string; token: string } {
  const made = merged(sampleToken(tokens.length + 1), given)
  tokens = [...tokens, made]
  return made
}

async function choose(item: string, name = 'shop bot'): Promise<void> {
  await button(`Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: item }).click()
}

it('SIGN-008 texts of tokens are shown after another proof, where the last one is old', async () => {
  answer(listApiTokens, () => ({
    apiKeys: tokens.map((each) => ({ ...each, updatedAt: each.createdAt, token: '' })),
    isTextWithheld: true,
    docs,
  }))
  answer(getProofOptions, () => ({ isCodeAsked: false, passkey: null }))
  answer(proveIdentity, () => {
    answer(listApiTokens, () => ({ apiKeys: tokens.map((each) => ({ ...each, updatedAt: each.createdAt })), docs }))
    return { provenAt: new Date().toISOString() }
  })
  await showPage(TOKENS)
  await page.getByRole('button', { name: /^Show the token/ }).click()
  await page
    .getByRole('dialog', { name: 'Confirm that it is you' })
    .getByLabelText(/^Password/)
    .fill('Correct4horse')
  await userEvent.keyboard('{Enter}')
  await page.getByRole('button', { name: 'Copy Token' }).click()
  expect(copied).toBe(tokens[0]?.token)
})

it('SHELL-029 SHELL-047 the page of API tokens has its address and stands last in the group Management', async () => {
  await showPage(TOKENS)
  await expect.element(page.getByRole('heading', { level: 1, name: 'API tokens' })).toBeVisible()
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveTextContent('Dashboard/API tokens')
  const group = page.getByRole('group', { name: 'Management' })
  const entries = [...group.element().querySelectorAll(':scope > a, :scope > button')].map((one) => one.textContent)
  const order = ['Users', 'Internal squads', 'Config profiles', 'Hosts', 'Nodes', 'API tokens']
  expect(entries.filter((name) => order.includes(name ?? ''))).toEqual(order)
  expect(entries.at(-1)).toBe('API tokens')
  await expect.element(group.getByRole('link', { name: 'API tokens' })).toHaveAttribute('aria-current', 'page')
})

it('TOKEN-001 TOKEN-002 the card of documents is there when they are served, and each opens in a new tab', async () => {
  await showPage(TOKENS)
  await expect.element(card('shop bot')).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'API documentation' })).not.toBeInTheDocument()
  docs = { ...docs, isDocsEnabled: true }
  await showPage(TOKENS)
  const shown = page.getByRole('region', { name: 'API documentation' })
  for (const [name, path] of [
    ['Scalar', '/scalar'],
    ['Swagger', '/docs'],
  ] as const) {
    const link = shown.getByRole('link', { name })
    await expect.element(link).toHaveAttribute('href', path)
    await expect.element(link).toHaveAttribute('target', '_blank')
  }
})

it('TOKEN-003 TOKEN-009 TOKEN-010 TOKEN-012 a token is made by a name alone, by the wire’s own request, and its text is shown', async () => {
  await showPage(TOKENS)
  await button('New API token').click()
  const modal = dialog('New API token')
  const create = modal.getByRole('button', { name: 'Create', exact: true })
  const name = modal.getByRole('textbox', { name: 'Name' })
  await expect.element(create).toBeDisabled()
  await name.fill('x'.repeat(256))
  await expect.element(modal.getByText('At most 255 characters')).toBeVisible()
  await expect.element(create).toBeDisabled()
  await name.fill('   ')
  await expect.element(modal.getByText('Must not be empty')).toBeVisible()
  await name.fill('backup')
  // By default it would only read, and end.
  await modal.getByText('Everything').click()
  await modal.getByRole('button', { name: 'Let it never end' }).click()
  await create.click()
  await expect.element(toast('Api token created successfully')).toBeVisible()
  expect(requests(createApiToken)).toEqual([{ tokenName: 'backup', generation: '3.4' }])
  expect(requests(createLimitedApiToken)).toEqual([])
  const text = tokens.at(-1)?.token ?? ''
  await expect.element(modal.getByRole('group', { name: 'Token' })).toHaveTextContent(text)
  // The button that was pressed is gone; the keyboard goes on at what comes next.
  await expect.element(modal.getByRole('button', { name: 'Copy Token' })).toHaveFocus()
  await modal.getByRole('button', { name: 'Copy Try it' }).click()
  expect(copied).toBe(curlLine(text, location.origin, null))
  expect(copied).toBe(`curl -H 'Authorization: Bearer ${text}' '${location.origin}/api/users?start=0&size=1'`)
  await modal.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect.element(card('backup')).toBeVisible()
})

it('WIRE-019 the program is chosen by name, and what that changes is said', async () => {
  await showPage(`${TOKENS}?create=new`)
  const modal = dialog('New API token')
  await modal.getByRole('textbox', { name: 'Name' }).fill('shop')
  await expect.element(modal.getByText('the panel says that it is 3.4.4', { exact: false })).toBeVisible()
  await modal.getByRole('combobox', { name: 'Program' }).fill('remnashop')
  await page.getByRole('option', { name: 'remnashop' }).click()
  await expect.element(modal.getByText('looking up nobody gives an empty list', { exact: false })).toBeVisible()
  await modal.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(toast('Api token created successfully')).toBeVisible()
  expect(requests(createLimitedApiToken)).toMatchObject([{ tokenName: 'shop', generation: '2.8' }])
})

it('a new token only reads and ends after 90 days, unless more is chosen; ticks are set and taken away together', async () => {
  await showPage(`${TOKENS}?create=new`)
  const modal = dialog('New API token')
  await modal.getByRole('textbox', { name: 'Name' }).fill('careful')
  await expect.element(modal.getByRole('radio', { name: 'Only read' })).toBeChecked()
  await modal.getByText('What is chosen').click()
  const ticks = () =>
    modal
      .getByRole('checkbox')
      .elements()
      .filter((one) => (one as HTMLInputElement).checked).length // all are inputs
  expect(ticks()).toBe(READ_ONLY.length)
  await modal.getByRole('button', { name: 'All', exact: true }).click()
  await expect.poll(ticks).toBe(tokenPermissions.size)
  await modal.getByRole('button', { name: 'None', exact: true }).click()
  await expect.poll(ticks).toBe(0)
  await expect.element(modal.getByText('Nothing is chosen: the token will open nothing.')).toBeVisible()
  await modal.getByRole('button', { name: 'Reading', exact: true }).click()
  await modal.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.poll(() => requests(createLimitedApiToken).length).toBe(1)
  const [sent] = requests(createLimitedApiToken)
  expect(sent?.permissions).toEqual([...READ_ONLY])
  expect(Math.round((Date.parse(sent?.expiresAt ?? '') - Date.now()) / 86_400_000)).toBe(90)
})

it('what the server has against a token stands on its field', async () => {
  refuse(createLimitedApiToken, { status: 400, errors: [{ code: 'custom', path: ['tokenName'], message: 'is taken' }] })
  await showPage(`${TOKENS}?create=new`)
  await dialog('New API token').getByRole('textbox', { name: 'Name' }).fill('bot')
  await dialog('New API token').getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(dialog('New API token').getByText('is taken')).toBeVisible()
})

it('an end, permissions and showing it once are sent by a request of ours', async () => {
  await showPage(`${TOKENS}?create=new`)
  const modal = dialog('New API token')
  await modal.getByRole('textbox', { name: 'Name' }).fill('reader')
  await modal.getByRole('button', { name: '30 days' }).click()
  await modal.getByText('Only read').click()
  await modal.getByText('What is chosen').click()
  await modal.getByRole('checkbox', { name: 'Users: Change' }).click()
  await modal.getByRole('checkbox', { name: 'Infra billing: Read' }).click()
  await modal.getByRole('switch', { name: 'Show the token only once' }).click()
  await modal.getByRole('button', { name: 'Create', exact: true }).click()
  await expect.element(modal.getByText('Copy the token now. It is not shown again.')).toBeVisible()
  const [sent] = requests(createLimitedApiToken)
  expect(sent).toMatchObject({
    tokenName: 'reader',
    isShownOnce: true,
    permissions: [...READ_ONLY.filter((name) => name !== 'billing.read'), 'users.write'],
  })
  const days = (Date.parse(sent?.expiresAt ?? '') - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(30)
  await modal.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect.element(card('reader')).toMatchTextContent(/Shown once, when it was made\./)
  await expect.element(card('reader')).toMatchTextContent(new RegExp(`${READ_ONLY.length} permissions`))
})

it('TOKEN-004 TOKEN-013 cards copy their token, and say so for half a second', async () => {
  await showPage(TOKENS)
  await expect.element(card('shop bot')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const copy = card('shop bot').getByRole('button', { name: 'Copy Token' })
  await copy.click()
  const done = card('shop bot').getByRole('button', { name: 'Copied' })
  await vi.waitFor(() => expect(done.elements()).toHaveLength(1))
  expect(copied).toBe(tokens[0]?.token)
  vi.advanceTimersByTime(499)
  expect(done.elements()).toHaveLength(1)
  vi.advanceTimersByTime(1)
  await vi.waitFor(() => expect(done.elements()).toHaveLength(0))
})

it('a card says when and from where its token was used, what it may do and when it ends', async () => {
  tokens = [
    sampleToken(1, {
      lastUsedAt: inDays(-2),
      lastUsedFrom: '192.0.2.7',
      lastUserAgent: 'shop/1.0',
      permissions: [...READ_ONLY],
    }),
    sampleToken(2, { tokenName: 'over', expiresAt: inDays(-1), permissions: ['users.read'] }),
    sampleToken(3, { tokenName: 'nearly', expiresAt: inDays(3) }),
    sampleToken(4, { tokenName: 'ربات فروشگاه' }),
  ]
  await showPage(TOKENS)
  await expect.element(card('shop bot')).toMatchTextContent(/Last used2 days ago192\.0\.2\.7 ?shop\/1\.0/)
  await expect.element(card('shop bot')).toMatchTextContent(/May doOnly read/)
  await expect.element(card('over')).toMatchTextContent(/Ended/)
  await expect.element(card('over')).toMatchTextContent(/Last usednever/)
  await expect.element(card('over')).toMatchTextContent(/1 permission/)
  await expect.element(card('nearly')).toMatchTextContent(/Ends in 3 days/)
  // What is too long is cut at its own end.
  expect(getComputedStyle(page.getByRole('heading', { name: 'ربات فروشگاه' }).element()).direction).toBe('rtl')
  await choose('Copy a curl line', 'over')
  expect(copied).toContain('/api/users?start=0&size=1')
})

it('TOKEN-005 TOKEN-011 a token is deleted after a question that says where it can be undone', async () => {
  await showPage(TOKENS)
  await choose('Delete')
  const question = dialog('Delete API token shop bot?')
  await expect.element(question.getByText('It can be undone in History.')).toBeVisible()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(requests(deleteApiToken)).toEqual([])
  await choose('Delete')
  await question.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.element(toast('Api token deleted successfully')).toBeVisible()
  expect(requests(deleteApiToken)).toEqual([{ uuid: uuid(1) }])
  await expect.element(page.getByText('Nothing found')).toBeVisible()
})

it('TOKEN-006 without tokens the page says Nothing found', async () => {
  tokens = []
  await showPage(TOKENS)
  await expect.element(page.getByText('Nothing found')).toBeVisible()
  await expect.element(button('New API token')).toBeEnabled()
})

it('while tokens are read there are shapes of cards, and a failure can be tried again', async () => {
  const go = hold(listApiTokens)
  refuse(listApiTokens, { status: 500, message: 'broken' })
  await showPage(TOKENS)
  await expect.element(page.getByRole('status', { name: 'Loading' })).toBeVisible()
  go()
  await expect.element(button('Try again')).toBeVisible()
  answer(listApiTokens, () => ({ apiKeys: [], docs }))
  await button('Try again').click()
  await expect.element(page.getByText('Nothing found')).toBeVisible()
})

it('an edit sends what changed; two administrators lose nothing of each other', async () => {
  await showPage(`${TOKENS}?edit=${uuid(1)}`)
  const modal = dialog('API token')
  await modal.getByRole('textbox', { name: 'Name' }).fill('mine')
  tokens = [sampleToken(1, { permissions: ['users.read'] })]
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect.element(modal.getByRole('alert')).toMatchTextContent(/May dousers\.read/)
  expect(requests(updateApiToken)).toEqual([])
  await modal.getByRole('button', { name: 'Got it' }).click()
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect.element(toast('Api token updated successfully')).toBeVisible()
  expect(requests(updateApiToken)).toEqual([{ uuid: uuid(1), tokenName: 'mine' }])
})

it('who leaves a dialog that a menu opened stands at the button of the menu again', async () => {
  await showPage(TOKENS)
  await choose('Edit')
  await expect.element(dialog('API token')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(card('shop bot').getByRole('button', { name: 'Actions for shop bot' })).toHaveFocus()
})

it('every permission that a token may have has its words in every language', async () => {
  await showPage(TOKENS)
  for (const language of ['en', 'ru', 'fa', 'zh']) {
    await i18n.loadLanguages(language)
    for (const name of tokenPermissions) {
      const [area, right] = name.split('.')
      expect(i18n.exists(`api-tokens:area.${area}`, { lng: language }), `${language} ${name}`).toBe(true)
      expect(i18n.exists(`api-tokens:right.${right}`, { lng: language }), `${language} ${name}`).toBe(true)
    }
  }
})

it.each(['en', 'fa'] as const)('in %s nothing hinders anybody and nothing is wider than the screen', async (language) => {
  docs = { ...docs, isDocsEnabled: true }
  tokens = [sampleToken(1, { tokenName: 'x'.repeat(255), lastUsedAt: inDays(-1), lastUsedFrom: '2001:db8::1' })]
  for (const { width, height } of [{ width: 1440, height: 900 }, PHONE]) {
    for (const search of ['', '?create=new']) {
      await showPage(`${TOKENS}${search}`, { language, width, height })
      await expect.element(page.getByRole('heading', { level: 1 })).toBeInTheDocument()
      await expect.poll(() => document.querySelectorAll('main [aria-busy=true]').length).toBe(0)
      expect(await violations()).toEqual([])
      await expect.poll(() => document.documentElement.scrollWidth - window.innerWidth).toBeLessThanOrEqual(0)
    }
  }
})
