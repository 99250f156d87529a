import {
  cancelJob,
  deleteBackup,
  getJob,
  listBackups,
  makeBackup,
  tryBackupTarget,
  updateBackupSchedule,
  updateBackupTargets,
  type Job,
} from '@causeway/contract'
import { armor, Decrypter, identityToRecipient } from 'age-encryption'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleBackups, sampleTargets } from '../../../test/sample-backups.ts'
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
  await expect.element(row.getByRole('link', { name: 'Backups', exact: true })).toBeVisible()
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
  await expect.element(progress).toMatchTextContent(/compared with the database, and sent to its targets/)
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
  await page.getByRole('button', { name: 'Set up', exact: true }).click()
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

it('BACK-003 encryption is set up by a key that is made here and shown once, whose last part is asked back', async () => {
  answer(updateBackupTargets, () => sampleBackups({ targets: { ...sampleTargets(), states: [] } }))
  await showPage(BACKUPS)
  await expect.element(page.getByRole('button', { name: 'Targets' })).toBeDisabled()
  await page.getByRole('button', { name: 'Set up encryption' }).click()
  const dialog = page.getByRole('dialog', { name: 'Backup encryption' })
  await dialog.getByText('Key', { exact: true }).click()
  await dialog.getByRole('button', { name: 'Make a key' }).click()
  const shown = dialog.getByText(/^AGE-SECRET-KEY-1/)
  await expect.element(shown).toBeVisible()
  const identity = shown.element().textContent ?? ''
  const save = dialog.getByRole('button', { name: 'Encrypt backups' })
  const asked = dialog.getByRole('textbox', { name: 'Last 6 characters of the key' })
  await asked.fill('ABCDEF')
  await expect.element(dialog.getByText('These are not the last characters of the key')).toBeVisible()
  await expect.element(save).toBeDisabled()
  await asked.fill(identity.slice(-6).toLowerCase())
  expect(await violations()).toEqual([])
  await save.click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [sent] = requests(updateBackupTargets)
  expect(sent).toEqual({ recipient: await identityToRecipient(identity), lockedKey: null })
  expect(JSON.stringify(sent)).not.toContain(identity)
})

it('BACK-003 of a passphrase the server gets a locked key alone, which the passphrase opens', async () => {
  answer(updateBackupTargets, () => sampleBackups())
  await showPage(`${BACKUPS}?targets=key`)
  const dialog = page.getByRole('dialog', { name: 'Backup encryption' })
  await dialog.getByLabelText('Passphrase', { exact: true }).last().fill('aaaaaaaaaaaa')
  await expect.element(dialog.getByText('Easily guessed. Use at least 6 different characters')).toBeVisible()
  await dialog.getByLabelText('Passphrase', { exact: true }).last().fill('correct horse battery')
  await dialog.getByLabelText('Passphrase again').fill('correct horse')
  await expect.element(dialog.getByText('The passphrases differ')).toBeVisible()
  await dialog.getByLabelText('Passphrase again').fill('correct horse battery')
  await dialog.getByRole('button', { name: 'Encrypt backups' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  const [sent] = requests(updateBackupTargets)
  const decrypter = new Decrypter()
  decrypter.addPassphrase('correct horse battery')
  const identity = await decrypter.decrypt(armor.decode(sent?.lockedKey ?? ''), 'text')
  expect(await identityToRecipient(identity.trim())).toBe(sent?.recipient)
})

it('BACK-002 targets show what they hold and why one failed, and a store is tried before it is saved', async () => {
  answer(listBackups, () => sampleBackups({ targets: sampleTargets() }))
  answer(updateBackupTargets, () => sampleBackups({ targets: sampleTargets() }))
  answer(tryBackupTarget, () => ({
    failure: 'The clock of this server is not the one of https://s3.example.com, which refuses it. Set the clock right.',
  }))
  await showPage(BACKUPS, { language: 'ru' })
  const card = page.getByRole('region', { name: 'Копии на других машинах' })
  await expect.element(card.getByText('https://s3.example.com/panel/causeway заполнено.')).toBeVisible()
  await expect.element(card.getByText('causeway-2026-11-25T04-30-00Z')).toBeVisible()
  expect(await violations()).toEqual([])
  await card.getByRole('button', { name: 'Хранилища' }).click()
  const dialog = page.getByRole('dialog', { name: 'Хранилища копий' })
  await dialog.getByRole('textbox', { name: 'Бакет', exact: true }).fill('other')
  await dialog.getByRole('button', { name: 'Проверить хранилище' }).click()
  await expect.element(dialog.getByText(/^Часы этого сервера расходятся с https:\/\/s3\.example\.com/)).toBeVisible()
  const wanted = { store: { ...sampleTargets().store, bucket: 'other' } }
  expect(requests(tryBackupTarget)).toEqual([wanted])
  await dialog.getByRole('button', { name: 'Сохранить' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(requests(updateBackupTargets)).toEqual([wanted])
})

it('BACK-007 restore instructions hold the real names', async () => {
  answer(listBackups, () => sampleBackups({ targets: sampleTargets() }))
  await showPage(BACKUPS)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore on a new machine' })
  await expect
    .element(dialog.getByText(/causeway restore s3:\/\/panel\/causeway --endpoint https:\/\/s3\.example\.com/))
    .toBeVisible()
  await expect.element(dialog.getByText('The secret of access key AKIDEXAMPLE')).toBeVisible()
  await expect.element(dialog.getByText('The key that begins with AGE-SECRET-KEY-1')).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Print' })).toBeVisible()
})

it('BACK-004 the last backup says when it was rehearsed, and by what', async () => {
  await showPage(BACKUPS)
  const last = page.getByRole('region', { name: 'Last backup' })
  await expect.element(last).toMatchTextContent(/Restorable, rehearsed · .*94,409 rows in 3 tables compared with the source in 4/)
})

it('BACK-001 what is at a target with its log is told, and sending the log is switched off and on', async () => {
  answer(listBackups, () => sampleBackups({ targets: sampleTargets() }))
  answer(updateBackupTargets, ({ isLogSent = true }) => sampleBackups({ targets: { ...sampleTargets(), isLogSent } }))
  await showPage(BACKUPS)
  const folder = page.getByRole('region', { name: '/mnt/backups' })
  await expect.element(folder).toMatchTextContent(/Everything is here, with the log of changes, up to/)
  await page.getByRole('button', { name: 'Targets', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Backup targets' })
  await dialog.getByRole('switch', { name: 'Send the log of changes' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateBackupTargets)).toEqual([{ isLogSent: false }])
})

it('BACK-005 a log of changes that does not reach its target is told on the page and on home, with its reason', async () => {
  answerSmallPanel()
  const [state] = sampleTargets().states
  const log = {
    sentUntil: new Date(Date.now() - 3_600_000).toISOString(),
    isRestorable: true,
    failure: 'There is no folder /mnt/backups. Make it, or mount the disk it is on.',
  }
  answer(listBackups, () => sampleBackups({ targets: { ...sampleTargets(), states: [{ ...state!, log }] } })) // the sample has two
  const shown = await showPage(BACKUPS)
  await expect.element(page.getByText('Changes since the last backup do not reach their target')).toBeVisible()
  await expect.element(page.getByText(/There is no folder \/mnt\/backups/)).toBeVisible()
  expect(await violations()).toEqual([])
  await shown.unmount()
  await showPage('/dashboard/home')
  await expect
    .element(page.getByRole('region', { name: 'Needs attention' }).getByText(/log of changes|do not reach/))
    .toBeVisible()
})

it('BACK-007 the instructions name every place, say where the log ends, and what opens it without us', async () => {
  const targets = { ...sampleTargets(), lockedKey: '-----BEGIN AGE ENCRYPTED FILE-----' }
  answer(listBackups, () => sampleBackups({ targets }))
  await showPage(`${BACKUPS}?targets=restore`)
  const dialog = page.getByRole('dialog', { name: 'Restore on a new machine' })
  await expect.element(dialog).toMatchTextContent(/causeway restore s3:.*causeway restore '\/mnt\/backups'/)
  await expect.element(dialog).toMatchTextContent(/Changes made after the end of the log are lost/)
  await expect.element(dialog).toMatchTextContent(/age -d -i causeway-key-….age/)
})
