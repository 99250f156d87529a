import {
  confirmAuthenticator,
  deletePasskey,
  getAccount,
  getSecondFactor,
  listPasskeys,
  listSessions,
  makeRecoveryCodes,
  removeAuthenticator,
  renamePasskey,
  startAuthenticator,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const ACCOUNT = '/dashboard/account'
const CODES = Array.from({ length: 10 }, (_, index) => `code-${index}`)
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const off = { authenticatorSince: null, passkeys: 0, recoveryCodesLeft: 0 }
const on = { authenticatorSince: new Date(Date.now() - 86_400_000).toISOString(), passkeys: 0, recoveryCodesLeft: 10 }
const part = (name: string) => page.getByRole('region', { name })
const passkey = (id: string, name: string) => ({ id, name, createdAt: new Date(0).toISOString(), lastUsedAt: null })

beforeEach(() => {
  answerSmallPanel()
  answer(getAccount, () => ({ uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'admin', isPasswordLoginAllowed: true }))
  answer(listSessions, () => ({ total: 0, sessions: [] }))
  answer(getSecondFactor, () => off)
  answer(listPasskeys, () => ({ passkeys: [] }))
  answer(startAuthenticator, () => ({ secret: SECRET, uri: `otpauth://totp/Causeway:admin?secret=${SECRET}&issuer=Causeway` }))
})

it('SIGN-004 an authenticator is set up by picture or text, and ten recovery codes are shown once', async () => {
  answer(confirmAuthenticator, () => ({ recoveryCodes: CODES, endedSessions: 1 }))
  await showPage(ACCOUNT)
  await part('Second factor').getByRole('button', { name: 'Set up…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await expect.element(dialog.getByRole('img', { name: 'Picture for the authenticator app' })).toBeVisible()
  await expect.element(dialog.getByText(SECRET)).toBeVisible()
  expect(await violations('[role=dialog]')).toEqual([])
  await dialog.getByLabelText('Code').fill('12')
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect.element(dialog.getByText('Enter the six digits that the app shows')).toBeVisible()
  await dialog.getByLabelText('Code').fill('۱۲۳ 456')
  answer(getSecondFactor, () => on)
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  const codes = page.getByRole('dialog', { name: 'Your recovery codes' })
  await expect.poll(() => codes.getByRole('listitem').elements().length).toBe(10)
  expect(requests(confirmAuthenticator)).toEqual([{ code: '123456' }])
  await codes.getByRole('button', { name: 'I have kept them' }).click()
  await expect.element(codes).not.toBeInTheDocument()
  await expect.element(part('Second factor').getByText('10 codes left')).toBeVisible()
})

it('SIGN-004 a wrong code is said on its field, in the reader’s language, on a phone', async () => {
  const message = 'This code is wrong, has been used before, or is too old.'
  refuse(confirmAuthenticator, { status: 400, errors: [{ code: 'custom', path: ['code'], message }] })
  await showPage(`${ACCOUNT}?dialog=authenticator`, { language: 'ru', ...PHONE })
  await page.getByLabelText('Код', { exact: true }).fill('123456')
  await page.getByRole('button', { name: 'Включить' }).click()
  await expect.element(page.getByText('Код неверен, уже использован или устарел.')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})

it('SIGN-004 it is removed, and codes are made anew, after a question', async () => {
  answer(getSecondFactor, () => on)
  answer(removeAuthenticator, () => ({ endedSessions: 0 }))
  answer(makeRecoveryCodes, () => ({ recoveryCodes: CODES }))
  await showPage(ACCOUNT)
  await part('Second factor').getByRole('button', { name: 'New codes…' }).click()
  const remake = page.getByRole('dialog', { name: 'Create new recovery codes?' })
  await remake.getByRole('button', { name: 'New codes…' }).click()
  await page.getByRole('dialog', { name: 'Your recovery codes' }).getByRole('button', { name: 'I have kept them' }).click()
  await part('Second factor').getByRole('button', { name: 'Remove' }).click()
  answer(getSecondFactor, () => off)
  await page.getByRole('dialog', { name: 'Remove the authenticator app?' }).getByRole('button', { name: 'Remove' }).click()
  await expect.element(part('Second factor').getByRole('button', { name: 'Set up…' })).toBeVisible()
  expect(requests(removeAuthenticator)).toHaveLength(1)
})

it('SIGN-005 passkeys are listed by name, renamed and removed', async () => {
  const [laptop, phone] = [passkey('a', 'Laptop'), passkey('b', 'Phone')]
  answer(listPasskeys, () => ({ passkeys: [laptop, phone] }))
  answer(renamePasskey, () => ({ passkeys: [laptop, phone] }))
  answer(deletePasskey, () => ({ passkeys: [laptop] }))
  await showPage(ACCOUNT)
  const rows = part('Passkeys').getByRole('listitem')
  await expect.poll(() => rows.elements().length).toBe(2)
  await page.getByRole('button', { name: 'Rename the passkey Laptop' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
  await dialog.getByLabelText('Name').fill('Desk')
  await dialog.getByRole('button', { name: 'Rename' }).click()
  await expect.poll(() => requests(renamePasskey)).toEqual([{ id: 'a', name: 'Desk' }])
  await page.getByRole('button', { name: 'Remove the passkey Phone' }).click()
  await page.getByRole('dialog', { name: 'Remove the passkey Phone?' }).getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => requests(deletePasskey)).toEqual([{ id: 'b' }])
  expect(await violations()).toEqual([])
})
