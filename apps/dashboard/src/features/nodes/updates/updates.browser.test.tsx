import { getNodeUpdates, startNodeUpdate, takeBackNodeUpdate, type NodeUpdate, type NodeUpdates } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../../test/fake-api.ts'
import { uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'
import { answerSmallPanel } from '../../../../test/small-panel.ts'

const NODES = '/dashboard/management/nodes'
const AT = '2026-11-27T00:00:00.000Z'

const held = (number: number, name: string, given: Partial<NodeUpdates['nodes'][number]>) => ({
  uuid: uuid(number),
  name,
  countryCode: 'DE',
  agentVersion: '0.1.0',
  coreVersion: '26.1.1',
  geoVersion: '',
  usersOnline: 3,
  isConnected: true,
  isUpdatable: true,
  older: ['agent', 'core'] as NodeUpdates['nodes'][number]['older'], // what the server says
  ...given,
})
const turn = (number: number, name: string, state: NodeUpdate['nodes'][number]['state']) => ({
  uuid: uuid(number),
  name,
  countryCode: 'DE',
  wave: 1,
  state,
  usersBefore: 0,
  usersBack: 0,
  failure: null,
  said: null,
})
const update = (given: Partial<NodeUpdate> = {}): NodeUpdate => ({
  uuid: uuid(90),
  part: 'core',
  version: '26.3.27',
  state: 'running',
  isPaused: false,
  beginsAt: null,
  actorName: 'admin',
  error: null,
  startedAt: AT,
  endedAt: null,
  nodes: [turn(1, 'Oslo', 'watched')],
  ...given,
})

let seen: NodeUpdates
beforeEach(() => {
  answerSmallPanel()
  const nodes = [
    held(1, 'Oslo', {}),
    held(2, 'Bergen', { usersOnline: 4, older: ['core'] }),
    held(3, 'Rome', { isUpdatable: false }),
    held(4, 'Away', { isConnected: false }),
  ]
  seen = { carried: { agent: '0.2.0', core: '26.3.27', geo: null, processors: ['x64'] }, nodes, last: null }
  answer(getNodeUpdates, () => seen)
})

it('JOIN-010 a new Xray is told as a restart with the people online, for the chosen nodes, at an hour of choice', async () => {
  answer(startNodeUpdate, () => update())
  await showPage(NODES)
  const strip = page.getByRole('region', { name: 'Updates of nodes' })
  await expect.element(strip).toMatchTextContent(/Agent\W+0\.2\.0\W+is available for 1 node/)
  await expect.element(strip).toMatchTextContent(/1 node has an older version and is updated by its own program/)
  await strip.getByRole('button', { name: 'Update Xray…' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog).toMatchTextContent(/7 users who are online now reconnect\./)
  await dialog.getByRole('checkbox', { name: /Bergen/ }).click()
  await expect.element(dialog).toMatchTextContent(/3 users who are online now reconnect\./)
  await expect.element(dialog.getByLabelText('Begins at')).not.toBeInTheDocument()
  await dialog.getByRole('radio', { name: 'At a time' }).click()
  await expect.element(dialog.getByLabelText('Begins at')).toBeVisible()
  seen = { ...seen, last: update({ beginsAt: '2099-01-01T04:00:00.000Z' }) }
  await dialog.getByRole('button', { name: 'Update 1 node' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(requests(startNodeUpdate)).toEqual([{ part: 'core', nodeUuids: [uuid(1)], beginsAt: expect.stringMatching(/T.*Z$/) }])
  await expect.element(strip).toMatchTextContent(/begins at/)
})

it('JOIN-009 an update under way shows its nodes, is taken back after a question, and a failed one says why', async () => {
  seen = { ...seen, last: update({ part: 'agent', version: '0.2.0' }) }
  answer(takeBackNodeUpdate, () => {
    const failed = { ...turn(1, 'Oslo', 'failed'), failure: 'update' as const, said: 'It ended by itself (code 1).' }
    const last = update({ part: 'agent', version: '0.2.0', state: 'failed', endedAt: new Date().toISOString(), nodes: [failed] })
    seen = { ...seen, last }
    return last
  })
  await showPage(NODES)
  const strip = page.getByRole('region', { name: 'Updates of nodes' })
  await expect.element(strip).toMatchTextContent(/Nodes are being updated to Agent\W+0\.2\.0/)
  await expect.element(strip.getByRole('listitem').filter({ hasText: 'Oslo' }).last()).toMatchTextContent(/Watched/)
  await expect.element(strip.getByRole('button', { name: 'Update Xray…' })).not.toBeInTheDocument()
  await strip.getByRole('button', { name: 'Take back' }).click()
  await expect.element(page.getByRole('dialog')).toMatchTextContent(/Users stay connected\./)
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await expect.element(strip).toMatchTextContent(/It ended by itself \(code 1\)\./)
  expect(requests(takeBackNodeUpdate)).toEqual([{ uuid: uuid(90) }])
})
