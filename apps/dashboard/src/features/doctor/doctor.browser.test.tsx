import { examineInstallation, type DoctorFinding } from '@causeway/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse } from '../../../test/fake-api.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const DOCTOR = '/dashboard/utils/doctor'
const WELL: DoctorFinding[] = [
  { check: 'version', state: 'ok', finding: 'versionOfCommit', values: { version: '1.2.3', commit: 'abc1234' } },
  { check: 'disk', state: 'ok', finding: 'disk', values: { folder: '/data', freeMegabytes: 12_345 } },
]
const row = (text: string) => page.getByRole('listitem').filter({ hasText: text })

it('SHIP-012 each check is shown with its state and what to do, wrong ones first', async () => {
  const findings: DoctorFinding[] = [
    ...WELL,
    { check: 'files', state: 'bad', finding: 'fileOpen', values: { path: '/data/master.key', mode: '0644', shouldBe: '0600' } },
    { check: 'backups', state: 'warning', finding: 'backupOld', values: { days: 9 } },
  ]
  answer(examineInstallation, () => ({ isWrong: true, findings }))
  await showPage(DOCTOR)
  await expect.element(page.getByText('2 checks need attention')).toBeVisible()
  await expect.element(row('Secret files').getByText('/data/master.key is open to other users (0644).')).toBeVisible()
  await expect.element(row('Secret files').getByText('Wrong')).toBeVisible()
  await expect.element(row('Backups').getByText(/The last backup is 9 days old/)).toBeVisible()
  await expect.element(row('Disk').getByText('12,345 MB free for /data.')).toBeVisible()
  const names = page
    .getByRole('listitem')
    .filter({ hasText: /Wrong|Warning|Good/ })
    .elements()
    .map((element) => element.textContent)
  expect(names.map((text) => /^(Secret files|Backups|Version|Disk)/.exec(text ?? '')?.[1])).toEqual([
    'Secret files',
    'Backups',
    'Version',
    'Disk',
  ])
  expect(await violations()).toEqual([])
})

it('SHIP-012 an installation that is well says so, on a phone too', async () => {
  answer(examineInstallation, () => ({ isWrong: false, findings: WELL }))
  await showPage(DOCTOR, { ...PHONE })
  await expect.element(page.getByText('All checks are good')).toBeVisible()
  await expect.element(row('Version').getByText('Causeway 1.2.3 (abc1234).')).toBeVisible()
})

it('a failure is told and can be tried again', async () => {
  refuse(examineInstallation, { status: 500, message: 'It broke.' })
  await showPage(DOCTOR)
  await expect.element(page.getByRole('button', { name: /Try again|Retry/ })).toBeVisible()
})
