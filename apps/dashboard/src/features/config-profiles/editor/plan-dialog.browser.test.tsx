import { getConfigProfile, planChange, updateConfigProfile } from '@causeway/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { ADDRESS, CHANGED, CONFIG, dialog, given, save, saveNow, verdict, write } from '../../../../test/profile-editor.ts'
import { sampleConfigProfile, samplePlan, uuid } from '../../../../test/samples.ts'
import { showPage } from '../../../../test/screen.tsx'

const plan = dialog.getByRole('group', { name: 'What this save does' })

async function askToSave(text = CHANGED): Promise<void> {
  await showPage(ADDRESS)
  await expect.element(verdict).toBeVisible()
  await write(text)
  await save.click()
}

it('before a save stands what it will do: inbounds, hosts, squads, nodes, cores and users', async () => {
  given()
  answer(planChange, () =>
    samplePlan({
      notes: ['Inbound "NEW" takes new users later.'],
      inbounds: [
        { tag: 'NEW', change: 'added', before: null },
        { tag: 'OLD', change: 'removed', before: null },
      ],
      hosts: [{ uuid: uuid(501), name: 'Poland', loses: 'inbound' }],
      squads: [{ uuid: uuid(301), name: 'Friends', tags: ['OLD'] }],
      nodes: [
        { uuid: uuid(401), name: 'Helsinki', tags: ['OLD'], core: 'restarts', isConnected: true },
        { uuid: uuid(402), name: 'Warsaw', tags: ['OLD'], core: 'stops', isConnected: true },
      ],
      users: { some: 1, all: 12, online: 3 },
    }),
  )
  await askToSave()
  for (const line of [
    '12 users lose all access. 1 user loses a part of it. 3 of them are online now.',
    /Cores that restart.*Helsinki/,
    /Nodes that stop\s*Warsaw/,
    'Inbound "NEW" takes new users later.',
    /Inbounds that come\s*NEW/,
    /Inbounds that go\s*OLD/,
    /Hosts that lead nowhere afterwards\s*Poland/,
    /Squads that lose inbounds\s*Friends \(OLD\)/,
  ])
    await expect.element(plan).toMatchTextContent(line)
  expect(requests(planChange)).toEqual([{ saveProfile: { uuid: uuid(201), config: JSON.parse(CHANGED) } }])
  expect(await violations()).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(plan).not.toBeInTheDocument()
  expect(requests(updateConfigProfile)).toEqual([])
  await expect.element(save).toBeEnabled()
})

it('the reason goes with the save', async () => {
  given()
  await askToSave()
  await expect.element(plan).toMatchTextContent('No user loses a way in.')
  await dialog.getByLabelText('Why').fill('the port is blocked')
  await saveNow.click()
  await expect
    .poll(() => requests(updateConfigProfile))
    .toEqual([{ uuid: uuid(201), config: JSON.parse(CHANGED), reason: 'the port is blocked' }])
})

it('an inbound that seems to have another tag is asked about, and what it means is shown', async () => {
  given()
  const renamed = [{ from: 'A', to: 'B' }]
  answer(planChange, ({ saveProfile }) =>
    saveProfile?.renamed
      ? samplePlan({ inbounds: [{ tag: 'B', change: 'renamed', before: 'A' }] })
      : samplePlan({ likelyRenamed: renamed, users: { some: 0, all: 5, online: 0 } }),
  )
  await askToSave(CHANGED.replace('"A"', '"B"'))
  await expect.element(plan).toMatchTextContent(/A → B/)
  await expect.element(plan).toMatchTextContent('No user loses a way in.')
  const same = dialog.getByRole('checkbox', { name: 'A goes on as B' })
  await same.click()
  await expect.element(plan).toMatchTextContent('5 users lose all access.')
  await same.click()
  await expect.element(plan).toMatchTextContent(/A → B/)
  await saveNow.click()
  await expect.poll(() => requests(updateConfigProfile)).toEqual([expect.objectContaining({ renamed })])
})

it('a plan that cannot be made hinders no save', async () => {
  given()
  refuse(planChange, { status: 500, message: 'Server error' })
  await askToSave()
  await expect.element(page.getByRole('alert').filter({ hasText: 'Server error' })).toBeVisible()
  await saveNow.click()
  await expect.poll(() => requests(updateConfigProfile)).toHaveLength(1)
})

it('what somebody else saves while the plan is read is not overwritten unseen', async () => {
  given()
  await askToSave()
  await expect.element(plan).toMatchTextContent('No user loses a way in.')
  const theirs = { ...CONFIG, log: { loglevel: 'debug' } }
  answer(getConfigProfile, () => sampleConfigProfile({ config: theirs, updatedAt: new Date().toISOString() }))
  await saveNow.click()
  await expect.element(page.getByRole('button', { name: 'Keep what I have' })).toBeVisible()
  expect(requests(updateConfigProfile)).toEqual([])
})
