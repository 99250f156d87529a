import {
  continueRollout,
  getRolloutConfig,
  listRollouts,
  pauseRollout,
  prepareRollout,
  startRollout,
  takeBackRollout,
  updateConfigProfile,
  waiveRolloutProof,
  type Rollout,
} from '@causeway/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { ADDRESS, CHANGED, CONFIG, dialog, given, save, saveNow, verdict, write } from '../../../../test/profile-editor.ts'
import { sampleRollout, sampleRolloutNode, uuid } from '../../../../test/samples.ts'
import { PHONE, showPage } from '../../../../test/screen.tsx'

const HELSINKI = { uuid: uuid(401), name: 'Helsinki', countryCode: 'FI' }
const WARSAW = { uuid: uuid(402), name: 'Warsaw', countryCode: 'PL' }
const OSLO = { uuid: uuid(403), name: 'Oslo', countryCode: 'NO' }
const LATER = '2099-01-01T00:00:00.000Z'
const strip = page.getByRole('region', { name: 'Roll-out' })
const oneFirst = dialog.getByRole('radio', { name: 'One node first' })
const begin = dialog.getByRole('button', { name: 'Begin with one node' })

function givenNodes(prepared: { hasEngine?: boolean; testsConfig?: boolean; isEmpty?: boolean } = {}): void {
  const { hasEngine = true, testsConfig = true, isEmpty = false } = prepared
  given({ nodes: [HELSINKI, WARSAW] })
  const nodes = [
    { ...HELSINKI, usersOnline: 12, usersRecently: 14, testsConfig },
    { ...WARSAW, usersOnline: 0, usersRecently: 3, testsConfig: true },
    { ...OSLO, usersOnline: 0, usersRecently: 0, testsConfig: true },
  ]
  answer(prepareRollout, () => ({
    watchSeconds: 60,
    hasEngine,
    first: isEmpty ? null : WARSAW.uuid,
    nodes: isEmpty ? [] : nodes,
  }))
}
function givenRollout(rollout: Partial<Rollout>): void {
  answer(listRollouts, () => ({ rollouts: [sampleRollout(rollout)] }))
}
async function askToSave(): Promise<void> {
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await write(CHANGED)
  await save.click()
}

it('a save goes everywhere at once unless one node is to be first, and then begins where fewest users are', async () => {
  givenNodes()
  let isBegun = false
  answer(listRollouts, () => ({ rollouts: isBegun ? [sampleRollout()] : [] }))
  answer(startRollout, () => {
    isBegun = true
    return sampleRollout()
  })
  await askToSave()
  await expect.element(dialog.getByRole('radio', { name: 'Everywhere at once' })).toBeChecked()
  await expect.element(saveNow).toBeVisible()
  await oneFirst.click()
  await expect
    .element(dialog.getByRole('combobox', { name: 'First node' }))
    .toHaveValue('\u2068Warsaw\u2069 · 3 users in the last minutes')
  await expect.element(dialog.getByText(/Each node is watched for 60 seconds/)).toBeVisible()
  expect(await violations()).toEqual([])
  await begin.click()
  await expect.poll(() => requests(startRollout)).toEqual([{ uuid: uuid(201), config: JSON.parse(CHANGED) }])
  expect(requests(updateConfigProfile)).toEqual([])
  // What was typed is with the roll-out now, and the editor shows what the profile holds.
  await expect.element(strip).toMatchTextContent(/A new revision is being rolled out/)
  await expect.element(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await expect.element(dialog).not.toBeInTheDocument()
})

it('the first node can be chosen, and the reason goes along', async () => {
  givenNodes()
  answer(startRollout, () => sampleRollout())
  await askToSave()
  await oneFirst.click()
  await dialog.getByRole('combobox', { name: 'First node' }).click()
  await page.getByRole('option', { name: '\u2068Helsinki\u2069 · 14 users in the last minutes' }).click()
  await dialog.getByLabelText('Why').fill('to be careful')
  await begin.click()
  await expect
    .poll(() => requests(startRollout))
    .toEqual([{ uuid: uuid(201), config: JSON.parse(CHANGED), reason: 'to be careful', firstNodeUuid: HELSINKI.uuid }])
})

it('a first node that no user has used in the last minutes is said to prove nothing', async () => {
  givenNodes()
  await askToSave()
  await oneFirst.click()
  const warning = dialog.getByText(/No user has used this node in the last minutes/)
  await expect
    .element(dialog.getByRole('combobox', { name: 'First node' }))
    .toHaveValue('\u2068Warsaw\u2069 · 3 users in the last minutes')
  await expect.element(warning).not.toBeInTheDocument()
  await dialog.getByRole('combobox', { name: 'First node' }).click()
  await page.getByRole('option', { name: '\u2068Oslo\u2069 · 0 users in the last minutes' }).click()
  await expect.element(warning).toBeVisible()
})

it('a roll-out whose first node no user uses says that it waits, and goes on when told to', async () => {
  givenNodes()
  let rollout = sampleRollout({
    nodes: [sampleRolloutNode({ ...HELSINKI, state: 'unproven' }), sampleRolloutNode({ ...WARSAW, wave: 2 })],
  })
  answer(listRollouts, () => ({ rollouts: [rollout] }))
  answer(waiveRolloutProof, () => (rollout = { ...rollout, isProofWaived: true }))
  await showPage(ADDRESS)
  await expect.element(strip).toMatchTextContent(/Not proven: the core runs, and no user has used .Helsinki. since/)
  await expect
    .element(strip.getByRole('list', { name: 'Wave 1' }))
    .toMatchTextContent(/Helsinki.*Not proven.*no user in the last minutes/)
  expect(await violations()).toEqual([])
  await strip.getByRole('button', { name: 'Go on without proof' }).click()
  await dialog.getByRole('button', { name: 'Go on without proof' }).click()
  await expect.poll(() => requests(waiveRolloutProof)).toEqual([{ uuid: rollout.uuid }])
  await expect.element(strip.getByText(/Not proven: the core runs/)).not.toBeInTheDocument()
})

it('E41 what the server says of a roll-out that failed is told in the language of the reader', async () => {
  given()
  const error = 'Inbound "A" exists in another profile by now. Choose another tag.'
  givenRollout({ state: 'failed', endedAt: LATER, error, nodes: [sampleRolloutNode({ state: 'good' })] })
  await showPage(ADDRESS, { language: 'ru' })
  const russian = page.getByRole('region', { name: 'Поэтапное обновление' })
  await expect.element(russian).toMatchTextContent(/Инбаунд «A» тем временем появился в другом профиле/)
  expect(russian.element().textContent).not.toMatch(/exists in another profile/)
})

it.each([
  [true, /The Xray of this server tries it for them: Helsinki/],
  [false, /this server has no Xray to try it with.*Helsinki/],
])('whose agents cannot try a configuration is said (the server can: %s)', async (hasEngine, sentence) => {
  givenNodes({ hasEngine, testsConfig: false })
  await askToSave()
  await oneFirst.click()
  await expect.element(dialog.getByText(sentence)).toBeVisible()
})

it('without a connected node there is nobody to begin with', async () => {
  givenNodes({ isEmpty: true })
  await askToSave()
  await oneFirst.click()
  await expect.element(dialog.getByText(/No node that runs this profile is connected/)).toBeVisible()
  await expect.element(begin).toBeDisabled()
})

it('a roll-out that is refused says why, and what was typed stays', async () => {
  givenNodes()
  refuse(startRollout, { status: 409, message: 'A new revision of this profile is being rolled out.' })
  await askToSave()
  await oneFirst.click()
  await begin.click()
  await expect.element(page.getByText('A new revision of this profile is being rolled out.')).toBeVisible()
  await expect.element(save).toBeEnabled()
})

it('while it runs, each node is shown with what is thought of it; it can be paused, continued and taken back', async () => {
  givenNodes()
  let rollout = sampleRollout({
    nodes: [
      sampleRolloutNode({ ...HELSINKI, state: 'good', usersBefore: 12, usersBack: 11 }),
      sampleRolloutNode({ ...WARSAW, wave: 2, state: 'watched', usersBefore: 2, usersBack: 5 }),
      sampleRolloutNode({ uuid: uuid(403), name: 'Oslo', wave: 2 }),
    ],
  })
  answer(listRollouts, () => ({ rollouts: [rollout] }))
  answer(pauseRollout, () => (rollout = { ...rollout, isPaused: true }))
  answer(continueRollout, () => (rollout = { ...rollout, isPaused: false }))
  answer(takeBackRollout, () => (rollout = { ...rollout, state: 'takenBack', endedAt: LATER }))
  await showPage(ADDRESS)
  await expect.element(strip).toMatchTextContent(/A new revision is being rolled out 1 of 3 nodes · ann/)
  const first = strip.getByRole('list', { name: 'Wave 1' }).getByRole('listitem')
  await expect.element(first).toMatchTextContent(/Helsinki.*Good.*11 of 12 users back/)
  const second = strip.getByRole('list', { name: 'Wave 2' })
  await expect.element(second).toMatchTextContent(/Warsaw.*Watched.*2 of 2 users back.*Oslo.*Waiting/)
  await expect.element(save).toBeDisabled()
  expect(await violations()).toEqual([])
  await strip.getByRole('button', { name: 'Pause' }).click()
  await expect.element(strip).toMatchTextContent(/The roll-out is paused/)
  await strip.getByRole('button', { name: 'Continue' }).click()
  await expect.element(strip).toMatchTextContent(/is being rolled out/)
  await strip.getByRole('button', { name: 'Take back' }).click()
  await dialog.getByRole('button', { name: 'Take back' }).click()
  await expect.element(strip).toMatchTextContent(/was taken back; all nodes run what they ran before/)
  await expect.element(first).toMatchTextContent(/Helsinki.*Put back/)
})

it('one whose first node was taken away says so, and that no other was touched', async () => {
  givenNodes()
  const nodes = [sampleRolloutNode({ ...HELSINKI, state: 'skipped' }), sampleRolloutNode({ ...WARSAW, wave: 2 })]
  givenRollout({ state: 'failed', endedAt: LATER, error: 'in English only', nodes })
  await showPage(ADDRESS)
  await expect.element(strip).toMatchTextContent(/The first node was switched off, moved, deleted or away/)
  await expect.element(strip).toMatchTextContent(/Helsinki.*Switched off, moved, deleted or away.*Warsaw.*Not touched/)
  await expect.element(strip).not.toMatchTextContent(/in English only/)
})

it('one that failed says what the core said, and gives its text back', async () => {
  givenNodes()
  const said = 'failed to build inbound config with tag A: unknown config id: wormhole'
  givenRollout({
    state: 'failed',
    endedAt: LATER,
    error: `Helsinki: ${said}`,
    nodes: [sampleRolloutNode({ ...HELSINKI, state: 'failed', failure: 'core', said })],
  })
  const text = { ...CONFIG, log: { loglevel: 'error' } }
  answer(getRolloutConfig, () => ({ config: text }))
  await showPage(ADDRESS)
  await expect.element(strip).toMatchTextContent(/The last roll-out failed.*Helsinki.*Failed.*The core did not run with it\./)
  await expect.element(strip.getByText(said)).toBeVisible()
  await strip.getByRole('button', { name: 'Put its text into the editor' }).click()
  await expect.element(save).toBeEnabled()
})

it.each([
  ['users', 'Of 4 users online before, 1 came back.'],
  ['bytes', 'Users came, but received nothing through it.'],
  ['away', 'The node did not answer any more.'],
  ['restarted', 'Its core ended by itself while it was watched, and was started again.'],
] as const)('why a node failed stands beside it: %s', async (failure, sentence) => {
  given()
  const nodes = [sampleRolloutNode({ state: 'failed', failure, usersBefore: 4, usersBack: 1 })]
  givenRollout({ state: 'failed', endedAt: LATER, error: 'x', nodes })
  await showPage(ADDRESS)
  await expect.element(strip.getByText(sentence)).toBeVisible()
})

it('one that ended well, or before the last save, is not told of', async () => {
  given({ updatedAt: LATER })
  givenRollout({ state: 'failed', endedAt: '2026-01-01T00:00:00.000Z', error: 'x' })
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await expect.element(strip).not.toBeInTheDocument()
})

it('the list says which profile is on its way, and of which that failed', async () => {
  given({ nodes: [HELSINKI, WARSAW] })
  givenRollout({ nodes: [sampleRolloutNode({ state: 'good' }), sampleRolloutNode({ uuid: uuid(402), wave: 2 })] })
  await showPage('/dashboard/management/config-profiles')
  const card = page.getByRole('list', { name: 'Config profiles' }).getByRole('listitem').first()
  await expect.element(card).toMatchTextContent(/Rolling out: 1 of 2/)
  givenRollout({ state: 'failed', endedAt: LATER })
  await showPage('/dashboard/management/config-profiles')
  const badge = card.getByText('Roll-out failed', { exact: true })
  await expect.element(badge).toBeVisible()
  const widthOf = (element: Element) => element.getBoundingClientRect().width
  expect(widthOf(badge.element())).toBeLessThan(widthOf(card.element()) / 2)
})

it('on a phone, and from right to left, nothing is wider than the screen', async () => {
  given()
  const said = `x${'y'.repeat(300)}`
  givenRollout({
    state: 'failed',
    endedAt: LATER,
    error: 'x',
    nodes: [sampleRolloutNode({ state: 'failed', failure: 'core', said })],
  })
  await showPage(ADDRESS, { ...PHONE, language: 'fa' })
  await expect.element(page.getByRole('region', { name: 'انتشار مرحله‌ای' })).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE.width)
})
