import { deleteMoveInFile, getMoveIn, markMoveIn, runMoveIn, uploadMoveInFile, type MoveIn } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { uuid } from '../../../test/samples.ts'
import { PHONE, showPage } from '../../../test/screen.tsx'

const MOVE_IN = '/dashboard/utils/move-in'
/** One moment for all, so that the order of two times does not depend on how long the tests before took. */
const NOW = Date.now()
const ago = (minutes: number) => new Date(NOW - minutes * 60_000).toISOString()

const EMPTY: MoveIn = {
  obstacle: null,
  upload: null,
  running: null,
  panel: null,
  source: null,
  report: null,
  reportedAt: null,
  failure: null,
  stoppedAt: null,
  importedAt: null,
  isHeld: false,
  startedAt: null,
  endedAt: null,
  nodes: [],
}
const RUNNING = { isDryRun: false, startedAt: ago(0), counts: {}, finishing: null, isCancelled: false }
const REHEARSED: MoveIn = {
  ...EMPTY,
  panel: 'remnawave',
  source: 'dump.sql.gz',
  reportedAt: ago(5),
  upload: { name: 'dump.sql.gz', bytes: 52_000_000, receivedBytes: 52_000_000 },
  report: {
    version: '2.1.5 to 2.1.19',
    isDryRun: true,
    counts: { user: 4277, node: 3, userUsage: 91_022 },
    findings: [
      { rule: 'nameTaken', sentence: 'Of users …', count: 30, examples: ['Anna of 2024 becomes Anna_2', 'bob becomes bob_2'] },
      { rule: 'notCarried', sentence: 'Contents …', count: 2, examples: ['the table external_squads with 2 rows'] },
    ],
  },
}
const node = (number: number, given: Partial<MoveIn['nodes'][number]>): MoveIn['nodes'][number] => ({
  uuid: uuid(number),
  name: `Node ${number}`,
  countryCode: 'DE',
  isDisabled: false,
  isConnected: true,
  isConnecting: false,
  isNodeOnline: true,
  xrayVersion: '25.1.1',
  nodeVersion: '2.1.0',
  message: null,
  bytes: 0,
  ...given,
})
const HELD: MoveIn = {
  ...REHEARSED,
  importedAt: ago(3),
  isHeld: true,
  nodes: [node(1, { bytes: null }), node(2, { bytes: null })],
}
const STARTED: MoveIn = {
  ...HELD,
  stoppedAt: ago(4),
  isHeld: false,
  startedAt: ago(1),
  nodes: [
    node(1, { bytes: 3_221_225_472 }),
    node(2, { isConnected: false, isNodeOnline: false, message: 'The agent at 192.0.2.2:2222 does not answer.' }),
  ],
}

let state: MoveIn
beforeEach(() => {
  state = EMPTY
  answer(getMoveIn, () => state)
  answer(runMoveIn, () => ({ isStarted: true }))
  answer(markMoveIn, () => ({ isDone: true }))
  answer(uploadMoveInFile, ({ offset, content }) => ({ receivedBytes: offset + atob(content).length }))
  answer(deleteMoveInFile, () => ({ isDeleted: true }))
})

const fileInput = () => document.querySelector<HTMLInputElement>('input[type=file]')! // the page has one
const step = (name: string) => page.getByRole('region', { name: 'The moment' }).getByRole('listitem').filter({ hasText: name })
const isDone = (name: string) => step(name).getByRole('img', { name: 'Done' })

it('MOVE-013 a file is sent in pieces, the rehearsal gets the secrets, and its report is shown', async () => {
  await showPage(MOVE_IN)
  const rehearse = page.getByRole('button', { name: 'Rehearse' })
  await expect.element(rehearse).toBeDisabled()
  const file = new File([new Uint8Array(4_500_000).fill(7)], 'dump.sql')
  await userEvent.upload(fileInput(), file)
  await expect.poll(() => requests(uploadMoveInFile).map(({ offset }) => offset)).toEqual([0, 2_000_000, 4_000_000])
  state = { ...EMPTY, upload: { name: 'dump.sql', bytes: 4_500_000, receivedBytes: 4_500_000 } }
  await expect.element(rehearse).toBeEnabled()
  await page.getByLabelText('JWT_AUTH_SECRET').fill('session')
  await rehearse.click()
  expect(requests(runMoveIn)).toEqual([{ panel: 'remnawave', isDryRun: true, sessionSecret: 'session' }])
  state = REHEARSED
  const report = page.getByRole('region', { name: 'Rehearsal' })
  await expect.element(report).toMatchTextContent(/Nothing was written.*Users.*4,277.*Days of usage.*91,022/)
  await report.getByText(/^Users whose names are equal .* \(30\)$/).click()
  await expect.element(report.getByText('Anna of 2024 becomes Anna_2')).toBeVisible()
  await expect.element(report.getByText('and 28 more')).toBeVisible()
  expect(await violations()).toEqual([])
})

it('MOVE-013 the import after a rehearsal reads the same source with the same secrets', async () => {
  const upload = REHEARSED.upload
  state = { ...EMPTY, upload }
  await showPage(MOVE_IN)
  await page.getByText('Its database', { exact: true }).click()
  const address = page.getByLabelText('Address of its database')
  await address.fill('postgres://reader:secret@db.example/panel')
  await page.getByLabelText('JWT_AUTH_SECRET').fill('session')
  await page.getByRole('button', { name: 'Rehearse' }).click()
  state = { ...EMPTY, upload, running: { ...RUNNING, isDryRun: true } }
  await expect.element(address).not.toBeVisible()
  state = { ...REHEARSED, source: 'postgres://db.example/panel' }
  await expect.element(address).toHaveValue('postgres://reader:secret@db.example/panel')
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Import' }).click()
  const source = { panel: 'remnawave', databaseUrl: 'postgres://reader:secret@db.example/panel', sessionSecret: 'session' }
  await expect.poll(() => requests(runMoveIn)).toEqual([true, false].map((isDryRun) => ({ ...source, isDryRun })))

  await showPage(MOVE_IN) // anew: the file that is there too is not what was rehearsed
  await expect.element(address).toBeVisible()
})

it('MOVE-013 a file that was broken off goes on where it ended', async () => {
  state = { ...EMPTY, upload: { name: 'dump.sql', bytes: 3_000_000, receivedBytes: 2_000_000 } }
  await showPage(MOVE_IN)
  await expect.element(page.getByText(/1\.91 MiB of 2\.86 MiB received/)).toBeVisible()
  await userEvent.upload(fileInput(), new File([new Uint8Array(3_000_000)], 'dump.sql'))
  await expect.poll(() => requests(uploadMoveInFile).map(({ offset }) => offset)).toEqual([2_000_000])
})

it('MOVE-013 MOVE-020 an address is refused on its field, and no credential is kept by the browser', async () => {
  refuse(runMoveIn, {
    status: 400,
    message: 'Validation failed',
    errors: [
      { code: 'custom', path: ['databaseUrl'], message: 'must be an address such as postgres://user:password@host:5432/panel' },
    ],
  })
  await showPage(MOVE_IN)
  await page.getByText('Its database').click()
  await page.getByLabelText('Address of its database').fill('hidden-word')
  await page.getByLabelText('JWT_API_TOKENS_SECRET').fill('hidden-word')
  await page.getByRole('button', { name: 'Rehearse' }).click()
  await expect.element(page.getByText(/Must be an address such as postgres/)).toBeVisible()
  const kept = [localStorage, sessionStorage].flatMap((store) => Object.values(store))
  expect([...kept, location.href].join('\n')).not.toContain('hidden-word')
})

it('MOVE-013 an import asks, shows how far it is, and leads on to the moment', async () => {
  state = REHEARSED
  await showPage(MOVE_IN)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Import now?' })
  await expect.element(dialog).toMatchTextContent(/refuses requests until the import has ended/)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect.poll(() => requests(runMoveIn)).toEqual([{ panel: 'remnawave', isDryRun: false }])
  state = { ...REHEARSED, running: { ...RUNNING, counts: { user: 4277, node: 3, userUsage: 43_371 } } }
  const progress = page.getByRole('status', { name: 'Progress' })
  await expect.element(progress).toMatchTextContent(/Importing 33%.*4,277 users/) // its indexes are still to come
  state = { ...REHEARSED, running: { ...RUNNING, counts: REHEARSED.report!.counts, finishing: { done: 10, total: 40 } } }
  await expect.element(progress).toMatchTextContent(/Importing 74%.*10 of 40 indexes built/)
  await progress.getByRole('button', { name: 'Cancel' }).click()
  await expect.poll(() => requests(markMoveIn)).toEqual([{ mark: 'cancel' }])
  state = HELD
  await expect.element(step('Every node is connected')).toMatchTextContent(/Node 1.*Left to the old panel/)
  await step('Stop the old panel').getByRole('button', { name: 'It is stopped' }).click()
  await expect.poll(() => requests(markMoveIn)).toEqual([{ mark: 'cancel' }, { mark: 'stopped' }])
  state = { ...HELD, stoppedAt: ago(0) }
  await expect.element(step('Import again')).toHaveFocus()
})

it('MOVE-013 the moment: a start without a newer import asks, and each node says its state and reason', async () => {
  state = { ...HELD, stoppedAt: ago(1) }
  await showPage(MOVE_IN)
  await expect.element(isDone('Stop the old panel')).toBeVisible()
  expect(isDone('Import again').elements()).toEqual([])
  await page.getByRole('button', { name: 'Take the nodes over' }).click()
  await page.getByRole('dialog', { name: 'Take the nodes over now?' }).getByRole('button', { name: 'Cancel' }).click()
  expect(requests(markMoveIn)).toEqual([])
  state = { ...HELD, stoppedAt: ago(4) }
  await expect.element(isDone('Import again')).toBeVisible()
  await page.getByRole('button', { name: 'Take the nodes over' }).click()
  await expect.poll(() => requests(markMoveIn)).toEqual([{ mark: 'start' }])
  state = STARTED
  await expect
    .element(step('Every node is connected'))
    .toMatchTextContent(/Node 2.*Disconnected.*192\.0\.2\.2:2222 does not answer/)
  await expect.element(step('Every node is connected')).toMatchTextContent(/Node 1.*Connected.*3\.00 GiB booked/)
  expect(isDone('Every node is connected').elements()).toEqual([])
  await expect.element(isDone('Traffic goes on counting')).toBeVisible()
  expect(await violations()).toEqual([])
})

it('MOVE-013 each step tells when it was done, and one that was left out does not count as done', async () => {
  state = { ...STARTED, stoppedAt: ago(2), nodes: [node(1, { bytes: 5 })] }
  await showPage(MOVE_IN)
  await expect.element(step('Import again').getByRole('img', { name: 'Left out' })).toBeVisible()
  await expect.element(step('Stop the old panel')).toMatchTextContent(/Stop the old panel · \d+ min\. ago/)
  await expect.element(page.getByText('Moved in')).toBeVisible()
})

it('MOVE-013 done: the file can go, and going back gives the nodes back', async () => {
  state = { ...STARTED, nodes: [node(1, { bytes: 5 })] }
  await showPage(MOVE_IN)
  await page.getByRole('status').getByRole('button', { name: 'Finish and delete the file' }).click()
  await page.getByRole('region', { name: 'Going back' }).getByRole('button', { name: 'Give the nodes back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Give the nodes back' }).click()
  await expect.poll(() => requests(markMoveIn)).toEqual([{ mark: 'end' }, { mark: 'release' }])
})

it('MOVE-013 what stands in the way, and why a run failed, are said', async () => {
  state = {
    ...REHEARSED,
    obstacle: 'This installation was changed after its import.',
    failure: 'The dump x cannot be read: it is cut off.',
  }
  await showPage(MOVE_IN)
  await expect.element(page.getByText('This installation was changed after its import.')).toBeVisible()
  await expect.element(page.getByText('The dump x cannot be read: it is cut off.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await expect.element(page.getByRole('button', { name: 'Rehearse' })).toBeEnabled()
})

it.each([
  ['Marzban, PasarGuard', { xrayConfig: '{"inbounds":[]}', address: '192.0.2.1', linkPath: 'links' }, 'marzban'],
  ['3x-ui', { address: '192.0.2.1' }, '3x-ui'],
])('MOVE-013 %s is asked for what it needs', async (label, given, panel) => {
  state = { ...EMPTY, upload: { name: 'x.db', bytes: 1, receivedBytes: 1 } }
  await showPage(MOVE_IN)
  await page.getByText(label, { exact: true }).click()
  for (const [name, value] of Object.entries(given)) {
    const field = {
      xrayConfig: 'Configuration of the core',
      address: 'Address of the old server',
      linkPath: 'Path of old links',
    }[name]
    await page.getByLabelText(field ?? '').fill(value)
  }
  await page.getByRole('button', { name: 'Rehearse' }).click()
  await expect.poll(() => requests(runMoveIn)).toEqual([{ panel, isDryRun: true, ...given }])
})

it('a phone shows it in Persian, from right to left, without a violation', async () => {
  state = STARTED
  await showPage(MOVE_IN, { language: 'fa', ...PHONE })
  await expect.element(page.getByRole('region', { name: 'بازگشت' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
  expect(await violations()).toEqual([])
})
