import { getConfigProfile, planChange, updateConfigProfile } from '@causeway/contract'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { violations } from '../../../../test/axe.ts'
import { answer, refuse, requests } from '../../../../test/fake-api.ts'
import { ADDRESS, CHANGED, CONFIG, dialog, given, save, saveNow, verdict, write } from '../../../../test/profile-editor.ts'
import { sampleConfigProfile, sampleLosses, samplePlan, uuid } from '../../../../test/samples.ts'
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
        { uuid: uuid(401), name: 'Helsinki', tags: ['OLD'], core: 'restarts', isConnected: true, usersOnline: 0 },
        { uuid: uuid(402), name: 'Warsaw', tags: ['OLD'], core: 'stops', isConnected: true, usersOnline: 0 },
      ],
      users: sampleLosses({ some: 1, all: 12, online: 3 }),
    }),
  )
  await askToSave()
  for (const line of [
    '12 users lose all access. 1 user loses a part of it. 3 of them are online now, on whichever node.',
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
      : samplePlan({ likelyRenamed: renamed, users: sampleLosses({ some: 0, all: 5, online: 0 }) }),
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

it('that sections are moved is said before the save that moves them', async () => {
  given()
  await askToSave(JSON.stringify({ inbounds: CONFIG.inbounds, log: CONFIG.log, dns: {} }))
  await expect
    .element(dialog)
    .toMatchTextContent(/kept in a fixed order, which is not the one they are typed in: log, dns, inbounds\./)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await write(JSON.stringify({ log: CONFIG.log, dns: {}, inbounds: CONFIG.inbounds }))
  await save.click()
  await expect.element(plan).toBeVisible()
  expect(dialog.element().textContent).not.toContain('fixed order')
})

it('C23 hosts that follow a changed inbound change with it unless that is taken away, and what overrides it is named', async () => {
  given()
  const changes = [{ part: 'port' as const, from: '443', to: '8443' }]
  const misfits = [{ part: 'port' as const, link: '2053', inbound: '8443' }]
  const plan443 = (isChosen: boolean) =>
    samplePlan({
      follows: [{ uuid: uuid(501), name: 'Poland', changes, isChosen }],
      overrides: [{ uuid: uuid(502), name: 'Relay', misfits }],
      users: sampleLosses(isChosen ? { reread: 7, unsure: 2 } : { all: 7 }),
    })
  answer(planChange, ({ saveProfile }) => plan443((saveProfile?.followingHosts ?? []).length > 0))
  await askToSave()
  await expect.element(plan).toMatchTextContent(/Poland \(port 443 → 8443\)/)
  await expect.element(plan).toMatchTextContent(/Hosts that say something else than their inbound\s*Relay \(port 2053 ≠ 8443\)/)
  await expect.element(plan).toMatchTextContent(/The apps of 7 users have to read the subscription again/)
  await expect.element(plan).toMatchTextContent(/For 2 users it cannot be told/)
  await expect.element(plan).not.toMatchTextContent(/No user loses a way in/)
  const follow = dialog.getByRole('checkbox', { name: 'Change the hosts that follow these inbounds as well' })
  await follow.click()
  await expect.element(plan).toMatchTextContent('7 users lose all access.')
  await follow.click()
  await expect.element(plan).toMatchTextContent(/Poland \(port 443 → 8443\)/)
  await saveNow.click()
  await expect.poll(() => requests(updateConfigProfile)).toEqual([expect.objectContaining({ followingHosts: [uuid(501)] })])
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
