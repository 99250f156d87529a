import { getAccount, getJob, getUserCounts, importUsers, planUserImport, type ImportedLine } from '@causeway/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const USERS = '/dashboard/management/users'
const CSV = 'username,expireAt\nanna,\nben_new,2090-01-01\ncat_new,'
const dialog = page.getByRole('dialog', { name: 'Import users' })
const lines: ImportedLine[] = [
  { line: 2, username: 'anna', outcome: 'update', changes: ['tag'], reasons: [] },
  { line: 3, username: 'ben_new', outcome: 'create', changes: [], reasons: [] },
  { line: 4, username: 'cat_new', outcome: 'refuse', changes: [], reasons: ['a new user needs expireAt'] },
]
const counts = { create: 1, update: 1, same: 0, refuse: 1 }

// The page and its dialogs are many files: what is waited for below is the import.
beforeAll(() => Promise.all([import('../users-page.tsx'), import('../user-dialogs.tsx')]), 120_000)

beforeEach(() => {
  answerSmallPanel()
  localStorage.setItem('users-mobile-notice', JSON.stringify({ version: 1, state: { isDismissed: true } }))
  answer(planUserImport, () => ({ columns: ['username' as const, 'expireAt' as const], ignored: ['colour'], counts, lines }))
  answer(importUsers, () => ({ affectedRows: 2, jobId: uuid(901) }))
  answer(getJob, ({ id }) => ({
    id,
    kind: 'importUsers',
    group: 'users',
    status: 'running' as const,
    done: 1,
    total: 2,
    attempts: 0,
    error: null,
    isRecurring: false,
    createdAt: new Date(),
    startedAt: new Date(),
    dueAt: new Date(),
    finishedAt: null,
  }))
})

async function choose(): Promise<void> {
  await expect.poll(() => document.querySelector('input[type=file]')).not.toBeNull()
  const field = document.querySelector<HTMLInputElement>('input[type=file]')
  if (!field) throw new Error('there is no field for a file')
  await userEvent.upload(field, new File([CSV], 'users.csv', { type: 'text/csv' }))
}

it('ADMIN-009 a reseller is told what the plan of an import cannot know', async () => {
  const room = { name: 'North', maxUsers: 10, maxBytes: null, maxDays: null, users: 1, promisedBytes: 0 }
  const reseller = { ...room, opens: ['listUsers', 'getUser', 'planUserImport', 'importUsers'] }
  refuse(getUserCounts, { status: 500, message: 'not asked for here' })
  answer(getAccount, () => ({ uuid: uuid(7), username: 'rex', isPasswordLoginAllowed: true, reseller }))
  await showPage(`${USERS}?import=new`)
  await choose()
  await expect.element(dialog.getByText(/^A new name that a user outside your squads has/)).toBeVisible()
})

it('a file is previewed line by line, what is refused first, and imported as it was seen', async () => {
  await showPage(USERS)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect.element(dialog.getByRole('button', { name: 'Import 0 users' })).toBeDisabled()
  await choose()
  await expect.element(dialog.getByText('Refused: 1')).toBeVisible()
  const list = dialog.getByRole('list', { name: 'What each line does' })
  await expect.element(list.getByRole('listitem')).toMatchTextContent(/Line 4.*cat_new.*a new user needs expireAt/)
  await expect.element(dialog.getByText('Columns that are not read: colour')).toBeVisible()
  await dialog.getByText('Updated: 1').click()
  await expect.element(list.getByRole('listitem')).toMatchTextContent(/Line 2.*anna.*tag/)
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Import 2 users' }).click()
  await expect.poll(() => requests(importUsers)).toEqual([{ csv: CSV, expected: counts }])
  await expect.element(page.getByRole('status', { name: 'Progress', exact: true })).toMatchTextContent(/1.*2/)
  await expect.element(dialog).not.toBeInTheDocument()
})

it('a file that cannot be read says why beside it, and imports nothing', async () => {
  refuse(planUserImport, {
    status: 400,
    message: 'Validation failed',
    errors: [{ code: 'custom', path: ['csv'], message: 'needs a head with the column username' }],
  })
  await showPage(`${USERS}?import=file`)
  await choose()
  await expect.element(dialog.getByText('needs a head with the column username')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Import 0 users' })).toBeDisabled()
})

it('a phone shows it in Persian, from right to left, without a violation', async () => {
  await showPage(`${USERS}?import=file`, { language: 'fa', ...PHONE })
  await choose()
  await expect.element(page.getByText('رد می‌شود: ۱')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  expect(await violations()).toEqual([])
})
