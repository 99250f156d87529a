import { changePassword, endOtherSessions, endSession, getAccount, listSessions } from '@causeway/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, hold, refuse, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'
import type { Session } from './account.queries.ts'

const HOSTS = '/dashboard/management/hosts'
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
  answer(listSessions, () => ({ total: 3, sessions: [own, phone, script] }))
})

async function openFromMenu(name: string) {
  await page.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toBeVisible()
  return dialog
}

describe('the own password', () => {
  const field = (name: string) => page.getByLabelText(name, { exact: true })

  it('is changed with the current one, and the other sessions are said to end', async () => {
    answer(changePassword, () => ({ endedSessions: 2 }))
    const screen = await showPage(HOSTS)
    const dialog = await openFromMenu('Change password…')
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
    expect(screen.address()).toBe(HOSTS)
  })

  it('a wrong current one is said on its field, and nothing that was typed is lost', async () => {
    const message = 'This is not the current password'
    refuse(changePassword, { status: 400, errors: [{ code: 'custom', path: ['currentPassword'], message }] })
    await showPage(`${HOSTS}?account=password`, { language: 'ru' })
    await field('Текущий пароль').fill('Wrong4horses')
    await field('Новый пароль').fill('Another4horse')
    await field('Повторите новый пароль').fill('Another4horse')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('Это не текущий пароль')).toBeVisible()
    await expect.element(field('Новый пароль')).toHaveValue('Another4horse')
  })

  it('is checked before it is sent', async () => {
    await showPage(`${HOSTS}?account=password`)
    await field('New password').fill('short')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('The password is too short: at least 12 characters')).toBeVisible()
    await expect.element(page.getByText('Enter a password')).toBeVisible()
    expect(requests(changePassword)).toEqual([])
  })

  it('says where passwords do not sign in', async () => {
    answer(getAccount, () => ({ uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'admin', isPasswordLoginAllowed: false }))
    await showPage(`${HOSTS}?account=password`, PHONE)
    await expect.element(page.getByText('Signing in with a password is turned off', { exact: false })).toBeVisible()
  })
})

describe('sessions', () => {
  it('SIGN-002 are listed with program, place and times; one is ended', async () => {
    answer(endSession, () => ({ endedSessions: 1 }))
    await showPage(HOSTS)
    const dialog = await openFromMenu('Sessions…')
    const rows = dialog.getByRole('listitem')
    await expect
      .poll(() => rows.elements().map((row) => row.textContent))
      .toEqual([
        'Chrome on LinuxThis session192.0.2.7Signed in 2 hr. agoEnds in 10 hr.',
        'Safari on iPhone198.51.100.20Signed in 2 hr. agoEnds in 10 hr.End',
        'backup-scriptUnknown addressSigned in 2 hr. agoEnds in 10 hr.End',
      ])
    expect(rows.first().getByRole('button').elements()).toEqual([])
    expect(await violations('[role=dialog]')).toEqual([])
    answer(listSessions, () => ({ total: 2, sessions: [own, script] }))
    await dialog.getByRole('button', { name: 'End the session Safari on iPhone' }).click()
    await expect.element(page.getByText('1 session ended')).toBeVisible()
    await expect.poll(() => rows.elements().length).toBe(2)
    expect(requests(endSession)).toEqual([{ uuid: phone.uuid }])
  })

  it('SIGN-002 all others are ended after a question that names their number', async () => {
    answer(endOtherSessions, () => ({ endedSessions: 2 }))
    await showPage(`${HOSTS}?account=sessions`, PHONE)
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
    await showPage(`${HOSTS}?account=sessions`)
    const dialog = page.getByRole('dialog')
    await expect.element(dialog.getByRole('status', { name: 'Loading' })).toBeVisible()
    release()
    await expect.element(dialog.getByRole('alert')).toBeVisible()
    answer(listSessions, () => ({ total: 1, sessions: [own] }))
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await expect.element(page.getByText('Nothing else is signed in to this account.')).toBeVisible()
  })
})
