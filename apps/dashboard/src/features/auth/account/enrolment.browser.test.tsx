import {
  confirmAuthenticator,
  errors,
  getAccount,
  getAuthStatus,
  getSecondFactor,
  listPasskeys,
  listSessions,
  listUsers,
  logout,
  startAuthenticator,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const HOME = '/dashboard/home'
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
const account = { uuid: '9f2f2c2e-0000-4000-8000-000000000001', username: 'newcomer', isPasswordLoginAllowed: true }
const heading = page.getByRole('heading', { level: 1, name: 'Set up a second factor' })
let isDue: boolean

beforeEach(() => {
  answerSmallPanel()
  isDue = true
  answer(getAccount, () => ({ ...account, isSecondFactorDue: isDue }))
  answer(getSecondFactor, () => ({
    authenticatorSince: isDue ? null : new Date(0).toISOString(),
    passkeys: 0,
    recoveryCodesLeft: isDue ? 0 : 10,
  }))
  answer(listPasskeys, () => ({ passkeys: [] }))
  answer(listSessions, () => ({ total: 0, sessions: [] }))
  answer(startAuthenticator, () => ({ secret: SECRET, uri: `otpauth://totp/Causeway:newcomer?secret=${SECRET}` }))
  answer(confirmAuthenticator, () => {
    isDue = false
    return { recoveryCodes: Array.from({ length: 10 }, (_, index) => `code-${index}`), endedSessions: 0 }
  })
})

it('SIGN-007 a session without the required second factor sets one up before anything else, keeps its codes, and goes on', async () => {
  const { address } = await showPage(HOME)
  await expect.element(heading).toBeVisible()
  await expect.element(page.getByText(/newcomer has none yet/)).toBeVisible()
  expect(page.getByRole('navigation').elements()).toEqual([])
  expect(await violations()).toEqual([])
  await page.getByRole('button', { name: 'Set up…' }).click()
  await page.getByLabelText('Code').fill('123456')
  await page.getByRole('button', { name: 'Turn on' }).click()
  // The codes are read before the panel opens.
  await expect.element(page.getByRole('dialog', { name: 'Your recovery codes' })).toBeVisible()
  expect(address()).toContain('/auth/second-factor')
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await expect.poll(address).toBe(HOME)
})

it('SIGN-007 a refused read leads there while the panel is open, without a message of its own', async () => {
  isDue = false
  const { go } = await showPage('/dashboard/account')
  await expect.element(page.getByRole('heading', { level: 1, name: 'newcomer' })).toBeVisible()
  isDue = true
  refuse(listUsers, { status: 428, message: errors.secondFactorDue.message })
  go('/dashboard/management/users')
  await expect.element(heading).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
})

it('SIGN-007 on a phone, in Persian, it can be left by signing out', async () => {
  answer(logout, () => ({ isLoggedOut: true }))
  refuse(getAuthStatus, { status: 503 })
  await showPage(HOME, { language: 'fa', ...PHONE })
  await expect.element(page.getByRole('heading', { level: 1, name: 'عامل دوم را راه‌اندازی کنید' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  await page.getByRole('button', { name: 'خروج' }).click()
  await expect.poll(() => requests(logout).length).toBe(1)
})
