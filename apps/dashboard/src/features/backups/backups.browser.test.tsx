import { cancelJob, deleteBackup, getJob, listBackups, makeBackup, updateBackupSchedule, type Job } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleBackups } from '../../../test/sample-backups.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const BACKUPS = '/dashboard/utils/backups'
const now = page.getByRole('button', { name: 'Back up now' })
const progress = page.getByRole('status', { name: 'Backup in progress' })
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

const JOB: Job = {
  id: uuid(901),
  kind: 'makeBackup',
  group: 'backups',
  status: 'running',
  done: 40,
  total: 100,
  attempts: 0,
  error: null,
  isRecurring: false,
  createdAt: daysAgo(0),
  startedAt: daysAgo(0),
  dueAt: daysAgo(0),
  finishedAt: null,
}

beforeEach(() => {
  answer(makeBackup, () => ({ jobId: JOB.id }))
  answer(getJob, () => JOB)
})

it('BACK-006 the last backup is shown with age, size and users, and the line for cron', async () => {
  await showPage(BACKUPS)
  const last = page.getByRole('region', { name: 'Last backup' })
  await expect.element(last).toMatchTextContent(/1 hr\. ago.*49\.59 MiB.*4,277/)
  await expect.element(page.getByText(/^30 4 \* \* \* DATA_DIR=/)).toBeVisible()
  expect(page.getByRole('alert').elements()).toEqual([])
  expect(await violations()).toEqual([])
})

it.each([
  ['never was one', sampleBackups({ last: null, backups: [] }), 'There has never been a backup'],
  [
    'is old',
    sampleBackups({ last: { ...sampleBackups().last!, takenAt: daysAgo(8) } }), // the sample has one
    'The last backup is more than 7 days old',
  ],
])('a warning says on the page and on home that there %s', async (_, backups, title) => {
  answerSmallPanel()
  answer(listBackups, () => backups)
  const shown = await showPage(BACKUPS)
  await expect.element(page.getByText(title)).toBeVisible()
  await shown.unmount()
  await showPage('/dashboard/home')
  const row = page
    .getByRole('region', { name: 'Needs attention' })
    .getByRole('listitem')
    .filter({ hasText: /Backups/ })
  await expect.element(row.getByRole('link', { name: 'Backups' })).toBeVisible()
})

it('BACK-006 one now shows how far it is, can be cancelled, and says how it ended', async () => {
  let job = JOB
  answer(getJob, () => job)
  answer(cancelJob, () => job)
  await showPage(BACKUPS)
  await now.click()
  await expect.element(progress).toMatchTextContent(/Copying: 40%/)
  await expect.element(progress.getByRole('button', { name: /^Cancel/ })).toBeVisible()
  job = { ...JOB, done: 99 }
  await expect.element(progress).toMatchTextContent(/started once, to prove that it works/)
  job = { ...JOB, status: 'done', done: 100, finishedAt: daysAgo(0) }
  await expect.element(page.getByRole('status').filter({ hasText: 'The backup is made' })).toBeVisible()
  expect(requests(makeBackup)).toHaveLength(1)
})

it('a backup that fails says why, in the reader’s language', async () => {
  answer(getJob, () => ({
    ...JOB,
    status: 'failed' as const,
    error: 'There is no room for /srv/b: 900 MB are needed, and there are 20 MB.',
    finishedAt: daysAgo(0),
  }))
  await showPage(`${BACKUPS}?job=${JOB.id}`, { language: 'ru' })
  await expect.element(page.getByText('Для /srv/b нет места: нужно 900 MB, а есть 20 MB.')).toBeVisible()
})

it('BACK-006 deleting asks, and names what it deletes', async () => {
  const name = 'causeway-2026-11-26T04-30-00Z'
  answer(deleteBackup, () => ({ isDeleted: true }))
  await showPage(BACKUPS)
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Delete backup ${name}?` })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => requests(deleteBackup)).toEqual([{ name }])
})

it('BACK-009 a database of its own says what its backups are, and has the same button', async () => {
  answer(listBackups, () => sampleBackups({ hasOwnDatabase: true, last: null, backups: [] }))
  await showPage(BACKUPS)
  await expect.element(page.getByText(/database of your own/)).toBeVisible()
  await expect.element(now).toBeEnabled()
  await expect.element(page.getByText('There has never been a backup')).toBeVisible()
})

it('a phone shows it in Persian, from right to left, without a violation', async () => {
  await showPage(BACKUPS, { language: 'fa', ...PHONE })
  await expect.element(page.getByRole('region', { name: 'آخرین پشتیبان' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  expect(await violations()).toEqual([])
})

it('BACK-001 the schedule says when, in which zone and how many stay; a change sends only what differs', async () => {
  let backups = sampleBackups()
  answer(listBackups, () => backups)
  answer(updateBackupSchedule, () => {
    backups = sampleBackups({ schedule: { ...sampleBackups().schedule!, hour: 23, keepWeekly: 0 } }) // the sample has one
    return backups
  })
  await showPage(BACKUPS)
  const card = page.getByRole('region', { name: 'Schedule' })
  await expect.element(card).toMatchTextContent(/4:00 AM.*Asia\/Tehran.*in 2 hr\..*7 days · 4 weeks · 12 months/)
  await card.getByRole('button', { name: 'Change' }).click()
  const dialog = page.getByRole('dialog', { name: 'Backup schedule' })
  await dialog.getByRole('textbox', { name: 'Weeks to keep' }).fill('600')
  await expect.element(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Weeks to keep' }).fill('0')
  await dialog.getByRole('combobox', { name: 'Make a backup' }).click()
  await page.getByRole('option', { name: 'Every day at 11:00 PM' }).click()
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.element(page.getByText('The schedule is saved')).toBeVisible()
  expect(requests(updateBackupSchedule)).toEqual([{ hour: 23, keepWeekly: 0 }])
  await expect.element(card).toMatchTextContent(/11:00 PM.*7 days · 12 months/)
})

it('BACK-001 without a schedule the page says so, and the first one is made at once', async () => {
  answer(listBackups, () => sampleBackups({ schedule: { ...sampleBackups().schedule!, hour: null, nextAt: null } })) // the sample has one
  await showPage(BACKUPS)
  await expect.element(page.getByText('No backup is made by itself.')).toBeVisible()
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByRole('combobox', { name: 'Make a backup' }).click()
  await page.getByRole('option', { name: 'Every day at 3:00 AM' }).click()
  await expect.element(page.getByText('The first one is made within a minute.')).toBeVisible()
})

it('BACK-005 a failed backup is told with its reason on the page and on home', async () => {
  answerSmallPanel()
  answer(listBackups, () => sampleBackups({ failure: 'There is no room for it.' }))
  const shown = await showPage(BACKUPS)
  await expect.element(page.getByRole('alert')).toMatchTextContent(/The last backup failed.*There is no room for it\./)
  await shown.unmount()
  await showPage('/dashboard/home')
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await expect.element(attention).toMatchTextContent(/Backup failed.*There is no room for it\./)
})
