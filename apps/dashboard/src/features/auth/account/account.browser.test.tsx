import {
  changePassword,
  endOtherSessions,
  endSession,
  getAccount,
  getSecondFactor,
  listIdentities,
  listPasskeys,
  listSessions,
  startIdentityLink,
  unlinkIdentity,
} from '@causeway/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, hold, refuse, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import type { Session } from './account.queries.ts'

const ACCOUNT = '/dashboard/account'
const CHROME = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'
/** And a minute, so that the hours stay whole while the test runs. */
const hours = (count: number) => new Date(Date.now() + (count * 60 + 1) * 60_000).toISOString()
const session = (number: number, values: Partial<Session>): Session => ({
  uuid: uuid(number),
  address: '192.0.2.7',
  userAgent: CHROME,
  createdAt: hours(-2.5),
  expiresAt: hours(10),
  isCurrent: false,
  ...values,
})
const own = session(1, { isCurrent: true })
const phone = session(2, { userAgent: IPHONE, address: '198.51.100.20' })
const script = session(3, { userAgent: 'backup-script', address: null })

beforeEach(() => {
  answerSmallPanel()
  answer(getAccount, () => ({ uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'admin', isPasswordLoginAllowed: true }))
  answer(getSecondFactor, () => ({ authenticatorSince: null, passkeys: 0, recoveryCodesLeft: 0 }))
  answer(listPasskeys, () => ({ passkeys: [] }))
  answer(listSessions, () => ({ total: 3, sessions: [own, phone, script] }))
})

const part = (name: string) => page.getByRole('region', { name })

it('SIGN-001 the account is reached from the menu, and has password, sessions, language, theme and notices', async () => {
  await showPage('/dashboard/management/hosts')
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Account settings' }).click()
  await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('admin')
  await expect.element(part('Sessions').getByRole('listitem').first()).toBeVisible()
  await expect.element(part('Password').getByRole('button', { name: 'Change password…' })).toBeVisible()
  await expect.element(part('Notices').getByRole('link', { name: 'Open notices' })).toBeVisible()
  expect(await violations()).toEqual([])
})

it('SIGN-010 a sign-in from a new place and a changed factor are told on every page, until they are settled in this browser', async () => {
  const alerts = [
    { id: 12, at: hours(-1), action: 'verifyPasskeyRegistration', address: '203.0.113.7' },
    { id: 9, at: hours(-2), action: 'login', address: '203.0.113.7' },
  ] as const
  const told = { uuid: uuid(7), username: 'admin', isPasswordLoginAllowed: true }
  answer(getAccount, () => ({ ...told, alerts: [...alerts] }))
  const shown = await showPage('/dashboard/management/hosts')
  const strip = part('Changes to your account')
  await expect.element(strip.getByRole('listitem').nth(0)).toMatchTextContent(/^Passkey added · 203\.0\.113\.7 · 59 min\. ago$/)
  await expect.element(strip.getByRole('listitem').nth(1)).toMatchTextContent(/^Signed in from a new place · 203\.0\.113\.7/)
  expect(await violations()).toEqual([])
  await strip.getByRole('link', { name: 'That was not me' }).click()
  await expect.element(part('Sessions')).toBeVisible()
  await strip.getByRole('button', { name: 'That was me' }).click()
  await expect.element(strip).not.toBeInTheDocument()
  await shown.unmount()
  answer(getAccount, () => ({ ...told, alerts: [{ ...alerts[1], id: 13, at: hours(0) }, ...alerts] }))
  await showPage(ACCOUNT, PHONE)
  await expect.element(strip).toBeVisible()
  expect(strip.getByRole('listitem').elements()).toHaveLength(1)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

it('SIGN-001 language and theme apply at once, on a phone too', async () => {
  await showPage(ACCOUNT, PHONE)
  const look = part('Language and theme')
  await look.getByText('Dark').click()
  await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('dark')
  await look.getByText('Light').click()
  await expect.poll(() => document.documentElement.dataset['mantineColorScheme']).toBe('light')
  await look.getByRole('combobox', { name: 'Language' }).click()
  await page.getByRole('option', { name: 'Русский' }).click()
  await expect.element(part('Язык и тема')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

describe('the own password', () => {
  const field = (name: string) => page.getByLabelText(name, { exact: true })

  it('is changed with the current one, and the other sessions are said to end', async () => {
    answer(changePassword, () => ({ endedSessions: 2 }))
    await showPage(ACCOUNT)
    await part('Password').getByRole('button', { name: 'Change password…' }).click()
    const dialog = page.getByRole('dialog')
    await expect.element(field('Current password')).toHaveFocus()
    await expect.element(dialog.getByText('All other sessions of this account end.')).toBeVisible()
    expect(await violations('[role=dialog]')).toEqual([])
    await field('Current password').fill('Correct4horse')
    await field('New password').fill('Another4horse')
    await field('Repeat the new password').fill('Another4horse')
    await dialog.getByRole('button', { name: 'Change password' }).click()
    await expect.element(page.getByText('Password changed, 2 other sessions ended')).toBeVisible()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(requests(changePassword)).toEqual([{ currentPassword: 'Correct4horse', password: 'Another4horse' }])
  })

  it('a wrong current one is said on its field, and nothing that was typed is lost', async () => {
    const message = 'This is not the current password'
    refuse(changePassword, { status: 400, errors: [{ code: 'custom', path: ['currentPassword'], message }] })
    await showPage(`${ACCOUNT}?dialog=password`, { language: 'ru' })
    await field('Текущий пароль').fill('Wrong4horses')
    await field('Новый пароль').fill('Another4horse')
    await field('Повторите новый пароль').fill('Another4horse')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Это не текущий пароль')).toBeVisible()
    await expect.element(field('Новый пароль')).toHaveValue('Another4horse')
  })

  it('is checked before it is sent', async () => {
    await showPage(`${ACCOUNT}?dialog=password`)
    await field('New password').fill('short')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('The password is too short: at least 12 characters')).toBeVisible()
    await expect.element(page.getByText('Enter a password')).toBeVisible()
    expect(requests(changePassword)).toEqual([])
  })

  it('says where passwords do not sign in', async () => {
    answer(getAccount, () => ({ uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'admin', isPasswordLoginAllowed: false }))
    await showPage(`${ACCOUNT}?dialog=password`, PHONE)
    const warning = page.getByRole('dialog').getByText('Signing in with a password is turned off', { exact: false })
    await expect.element(warning).toBeVisible()
  })
})

describe('sessions', () => {
  it('SIGN-002 are listed with program, place and times; one is ended', async () => {
    answer(endSession, () => ({ endedSessions: 1 }))
    await showPage(ACCOUNT)
    const dialog = part('Sessions')
    const rows = dialog.getByRole('listitem')
    await expect
      .poll(() => rows.elements().map((row) => row.textContent))
      .toEqual([
        'Chrome on LinuxThis session192.0.2.7Signed in 2 hr. agoEnds in 10 hr.',
        'Safari on iPhone198.51.100.20Signed in 2 hr. agoEnds in 10 hr.End',
        'backup-scriptUnknown addressSigned in 2 hr. agoEnds in 10 hr.End',
      ])
    expect(rows.first().getByRole('button').elements()).toEqual([])
    answer(listSessions, () => ({ total: 2, sessions: [own, script] }))
    await dialog.getByRole('button', { name: 'End the session Safari on iPhone' }).click()
    await expect.element(page.getByText('1 session ended')).toBeVisible()
    await expect.poll(() => rows.elements().length).toBe(2)
    expect(requests(endSession)).toEqual([{ uuid: phone.uuid }])
  })

  it('SIGN-002 all others are ended after a question that names their number', async () => {
    answer(endOtherSessions, () => ({ endedSessions: 2 }))
    await showPage(ACCOUNT, PHONE)
    await page.getByRole('button', { name: 'End all 2 others' }).click()
    const question = page.getByRole('dialog', { name: 'End 2 other sessions?' })
    await expect.element(question).toBeVisible()
    answer(listSessions, () => ({ total: 1, sessions: [own] }))
    await question.getByRole('button', { name: 'End all 2 others' }).click()
    await expect.element(page.getByText('2 sessions ended')).toBeVisible()
    await expect.element(page.getByText('Nothing else is signed in to this account.')).toBeVisible()
    expect(page.getByRole('button', { name: /^End/ }).elements()).toEqual([])
  })

  it('are waited for, and a failure leads on', async () => {
    const release = hold(listSessions)
    refuse(listSessions, { status: 500, message: 'No answer' })
    await showPage(ACCOUNT)
    const dialog = part('Sessions')
    await expect.element(dialog.getByRole('status', { name: 'Loading' })).toBeVisible()
    release()
    await expect.element(dialog.getByRole('alert')).toBeVisible()
    answer(listSessions, () => ({ total: 1, sessions: [own] }))
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Nothing else is signed in to this account.')).toBeVisible()
  })
})

describe('accounts at sign-in providers', () => {
  const linked = { uuid: uuid(41), provider: 'github', label: 'ann@example.com', createdAt: hours(-50) }
  const other = { uuid: uuid(42), provider: 'generic', label: 'ann', createdAt: hours(-5) }

  it('SIGN-001 SIGN-006 are not there before a provider is turned on', async () => {
    await showPage(ACCOUNT)
    await expect.element(part('Passkeys')).toBeVisible()
    expect(part('Sign-in providers').elements()).toEqual([])
  })

  it('SIGN-006 are listed, and one is unlinked after a question while the other stays', async () => {
    let identities = [linked, other]
    answer(listIdentities, () => ({ identities, providers: ['github' as const] }))
    answer(unlinkIdentity, ({ uuid: gone }) => {
      identities = identities.filter((each) => each.uuid !== gone)
      return { endedSessions: 0 }
    })
    await showPage(ACCOUNT, PHONE)
    const card = part('Sign-in providers')
    await expect.element(card.getByText('GitHub', { exact: true })).toBeVisible()
    await card.getByRole('button', { name: 'Unlink ann@example.com' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click()
    await expect.element(card.getByText('ann@example.com')).not.toBeInTheDocument()
    await expect.element(card.getByText('ann', { exact: true })).toBeVisible()
    expect(requests(unlinkIdentity)).toMatchObject([{ uuid: linked.uuid }])
    expect(await violations()).toEqual([])
  })

  it('SIGN-006 linking leads to the provider, and the tab knows the state that it comes back with', async () => {
    answer(listIdentities, () => ({ identities: [], providers: ['github' as const, 'generic' as const] }))
    answer(startIdentityLink, () => ({ authorizationUrl: `${location.href.split('#')[0]}#to-the-provider` }))
    await showPage(ACCOUNT)
    await part('Sign-in providers').getByRole('button', { name: 'Link GitHub' }).click()
    await expect.poll(() => requests(startIdentityLink)).toMatchObject([{ provider: 'github' }])
  })
})
