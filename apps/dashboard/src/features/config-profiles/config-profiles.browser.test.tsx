import {
  createConfigProfile,
  deleteConfigProfile,
  planChange,
  listConfigProfiles,
  listInternalSquads,
  updateConfigProfile,
  type ConfigProfile,
} from '@causeway/contract'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleInbound, sampleInternalSquad, sampleLosses, samplePlan, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'

const PROFILES = '/dashboard/management/config-profiles'
const dialog = (name: string) => page.getByRole('dialog', { name })
const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const heading = page.getByRole('heading', { level: 1 })

beforeEach(() => given(sampleConfigProfile()))
afterEach(() => {
  vi.useRealTimers()
})

function given(...configProfiles: ConfigProfile[]): void {
  answer(listConfigProfiles, () => ({ total: configProfiles.length, configProfiles }))
}

it('PROF-001 PROF-002 PROF-003 PROF-005 PROF-007 a card shows a profile and its nodes', async () => {
  given(
    sampleConfigProfile({ name: 'Used', nodes: [{ uuid: uuid(401), name: 'Helsinki', countryCode: 'FI' }] }),
    sampleConfigProfile({ uuid: uuid(202), name: 'Idle' }),
  )
  await showPage(PROFILES)
  await expect.element(page.getByRole('button', { name: 'Refresh config profiles' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'New config profile' })).toBeVisible()
  await expect.element(card('Used')).toBeVisible()
  expect(getComputedStyle(page.getByRole('list', { name: 'Config profiles' }).element()).display).toBe('grid')
  await card('Used').getByRole('button', { name: '1 node' }).click()
  const nodes = dialog('Nodes of Used')
  await expect.element(nodes.getByRole('listitem')).toMatchTextContent(/Helsinki$/)
  await expect.element(nodes.getByRole('img', { name: 'Finland' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await card('Idle').getByRole('button', { name: '0 nodes' }).click()
  await expect.element(dialog('Nodes of Idle').getByText('This profile is not active on any nodes')).toBeVisible()
})

it('PROF-006 without profiles the page says so', async () => {
  given()
  await showPage(PROFILES)
  await expect.element(page.getByText('No config profiles available')).toBeVisible()
})

it('PROF-010 PROF-011 a name is checked while it is typed, and one that is taken is said under it', async () => {
  await showPage(`${PROFILES}?create=new`)
  const modal = dialog('New config profile')
  const name = modal.getByLabelText('Name')
  const create = modal.getByRole('button', { name: 'Create' })
  await expect.element(create).toBeDisabled()
  await expect.element(name).toBeRequired()
  for (const [text, complaint] of [
    ['a', 'At least 2 characters'],
    ['a'.repeat(31), 'At most 30 characters'],
  ] as const) {
    await name.fill(text)
    await expect.element(modal.getByText(complaint)).toBeVisible()
    await expect.element(create).toBeDisabled()
  }
  refuse(createConfigProfile, { status: 400, message: 'The name must be unique', code: 'A113' })
  await name.fill('taken')
  await create.click()
  await expect.element(modal.getByText('must be unique')).toBeVisible()
  await expect.element(name).toHaveValue('taken')
})

it('PROF-014 deleting a profile asks first and names what goes with it', async () => {
  answer(deleteConfigProfile, () => ({ isDeleted: true }))
  answer(planChange, () =>
    samplePlan({
      nodes: [{ uuid: uuid(401), name: 'Helsinki', tags: ['VLESS_TCP'], core: 'stops', isConnected: true, usersOnline: 0 }],
      hosts: [{ uuid: uuid(501), name: 'Poland', loses: 'inbound' }],
      users: sampleLosses({ some: 0, all: 7, online: 2 }),
    }),
  )
  given(
    sampleConfigProfile({
      name: 'Used',
      nodes: [{ uuid: uuid(401), name: 'Helsinki', countryCode: 'FI' }],
      inbounds: [sampleInbound(), sampleInbound({ uuid: uuid(102), tag: 'SECOND' })],
    }),
  )
  await showPage(PROFILES)
  await card('Used').getByRole('button', { name: 'Actions for Used' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = dialog('Delete config profile Used?')
  await expect.element(question).toMatchTextContent('1 node')
  await expect.element(question).toMatchTextContent('2 inbounds')
  const plan = question.getByRole('group', { name: 'What this does' })
  await expect.element(plan).toMatchTextContent('7 users lose all access.')
  await expect.element(plan).toMatchTextContent(/Nodes that stop\s*Helsinki/)
  await expect.element(plan).toMatchTextContent(/Hosts that lead nowhere afterwards\s*Poland/)
  expect(requests(planChange)).toEqual([{ deleteProfile: { uuid: uuid(201) } }])
  expect(requests(deleteConfigProfile)).toEqual([])
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => requests(deleteConfigProfile)).toEqual([{ uuid: uuid(201) }])
  await expect.element(page.getByRole('alert').filter({ hasText: 'Config deleted successfully' })).toBeVisible()
})

it('PROF-013 the list is asked for again when it is older than 30 s', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  answer(listInternalSquads, () => ({ total: 1, internalSquads: [sampleInternalSquad()] }))
  const { go } = await showPage(PROFILES)
  const leaveAndComeBack = async (afterMs: number): Promise<void> => {
    await expect.element(card('Main profile')).toBeVisible()
    go('/dashboard/management/internal-squads')
    await expect.element(heading).toHaveTextContent('Internal squads')
    vi.setSystemTime(Date.now() + afterMs)
    go(PROFILES)
    await expect.element(heading).toHaveTextContent('Config profiles')
    await expect.element(card('Main profile')).toBeVisible()
  }
  await leaveAndComeBack(29_000)
  expect(requests(listConfigProfiles)).toHaveLength(1)
  await leaveAndComeBack(1000)
  await expect.poll(() => requests(listConfigProfiles)).toHaveLength(2)
})

it('a profile is renamed, and a name that is taken is said under it', async () => {
  const profile = sampleConfigProfile({ name: 'Main' })
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [profile] }))
  await showPage('/dashboard/management/config-profiles')
  await page.getByRole('button', { name: 'Actions for Main' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const modal = page.getByRole('dialog', { name: 'Rename Main' })
  refuse(updateConfigProfile, { status: 409, message: 'Config profile name already exists', code: 'A114' })
  await modal.getByLabelText('Name').fill('Other')
  await modal.getByRole('button', { name: 'Rename' }).click()
  await expect.element(modal.getByText('Config profile name already exists')).toBeVisible()
  answer(updateConfigProfile, () => ({ ...profile, name: 'Kept' }))
  await modal.getByLabelText('Name').fill('Kept')
  await modal.getByRole('button', { name: 'Rename' }).click()
  await expect.poll(() => requests(updateConfigProfile).at(-1)).toEqual({ uuid: profile.uuid, name: 'Kept' })
  await expect.element(modal).not.toBeInTheDocument()
})
