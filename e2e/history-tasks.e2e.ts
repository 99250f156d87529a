import { bulkDeleteUsers, createApiToken, deleteUser, getUser, updateNode, updateUser } from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { apiClient } from './stage/api-client.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { closePeople, everyone, openPeople, type People } from './stage/people.ts'
import { WAYS } from './stage/person.ts'
import { seeding } from './stage/seeding.ts'

// The five things that people come to the history for, each with mouse, keyboard and phone, without being told how.

const HOME = '/dashboard/home'

let panel: Panel
let admin: SignedIn
let people: People
let seed: ReturnType<typeof seeding>

test.beforeAll(async ({ browser }) => {
  panel = await startPanel()
  admin = await signedIn(panel)
  seed = seeding(admin.api)
  people = await openPeople(browser, panel, admin)
})
test.afterAll(async () => {
  await closePeople(people)
  await panel.close()
})

test('UNDO-001 UNDO-003 what changed last night, and by whom: a bot deleted three users', async () => {
  const bot = await botNamed('night bot')
  const uuids = await Promise.all([1, 2, 3].map(async () => (await seed.makeUser()).uuid))
  await bot(bulkDeleteUsers, { uuids })
  await everyone(people, { mouse: 2, keyboard: 30, phone: 3 }, HOME, async (who) => {
    const { page } = who
    await who.goTo('History')
    const entry = page.getByRole('list', { name: 'History' }).getByRole('listitem').filter({ hasText: 'Users deleted: 3' })
    await expect(entry).toContainText('night bot')
    await who.choose(entry.getByRole('button', { name: 'Open: Users deleted: 3' }))
    const change = page.getByRole('dialog', { name: 'Change' })
    await expect(change.getByRole('heading', { name: /^User user-.* removed$/ })).toHaveCount(3)
    await expect(change).toContainText('night bot')
  })
})

test('UNDO-005 UNDO-010 take it back: the plan says who gains, and the users are there again', async () => {
  const bot = await botNamed('wrong bot')
  const profile = await seed.makeConfigProfile()
  const squad = await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  for (const way of WAYS) {
    const users = await Promise.all([1, 2].map(() => seed.makeUser({ activeInternalSquads: [squad.uuid] })))
    await bot(bulkDeleteUsers, { uuids: users.map(({ uuid }) => uuid) })
    await everyone(
      people,
      { mouse: 3, keyboard: 40, phone: 4 },
      HOME,
      async (who) => {
        const { page } = who
        await who.goTo('History')
        const entry = page
          .getByRole('list', { name: 'History' })
          .getByRole('listitem')
          .filter({ hasText: 'Users deleted: 2' })
          .first()
        await who.choose(entry.getByRole('button', { name: 'Undo: Users deleted: 2' }))
        const plan = page.getByRole('dialog', { name: 'Undo this change?' })
        await expect(plan).toContainText('Users who get access: 2')
        await who.choose(plan.getByRole('button', { name: 'Undo', exact: true }))
        await expect(plan).toHaveCount(0)
        for (const { uuid } of users)
          await expect.poll(async () => (await admin.api(getUser, { uuid }).catch(() => undefined))?.uuid).toBe(uuid)
        await expect(entry).toContainText('Undone')
      },
      [way],
    )
  }
})

test('UNDO-004 who changed this node', async () => {
  const node = await seed.makeNode(await seed.makeConfigProfile(), { name: 'Warsaw' })
  const bot = await botNamed('node bot')
  await bot(updateNode, { uuid: node.uuid, name: 'Cracow' })
  await everyone(people, { mouse: 3, keyboard: 24, phone: 3 }, '/dashboard/management/nodes', async (who) => {
    const { page } = who
    if (who.way === 'keyboard') {
      await who.press('ControlOrMeta+k')
      await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), 'Cracow')
      await expect(page.getByRole('option', { selected: true })).toContainText('Cracow')
      await who.press('Enter')
    } else await who.choose(page.getByRole('main').getByRole('button', { name: /^(?!Move|Copy).*Cracow$/ }))
    await who.choose(page.getByRole('dialog').getByRole('button', { name: 'More actions' }))
    await who.choose(page.getByRole('menuitem', { name: 'History' }), { by: 'ArrowDown' })
    const entries = page.getByRole('dialog', { name: /^History of / }).getByRole('listitem')
    await expect(entries.first()).toContainText('node bot')
    await expect(entries.first()).toContainText('Node Cracow changed')
    await expect(entries.last()).toContainText('Node Warsaw created')
  })
})

test('UNDO-008 UNDO-015 get this user back: the subscription is what it was, byte for byte', async () => {
  const profile = await seed.makeConfigProfile()
  await seed.makeHost(profile)
  const squad = await seed.makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  for (const way of WAYS) {
    const { uuid, username, subscriptionUrl } = await seed.makeUser({
      activeInternalSquads: [squad.uuid],
      username: `gone-${way}`,
    })
    const subscription = async () => {
      const reply = await fetch(subscriptionUrl.replace(/^https?:\/\/[^/]+/, panel.origin), {
        headers: { 'user-agent': 'v2rayNG/1' },
      })
      return [reply.status, await reply.text()]
    }
    const before = await subscription()
    expect(before[0]).toBe(200)
    await admin.api(deleteUser, { uuid })
    expect((await subscription())[0]).toBe(404)
    await everyone(
      people,
      { mouse: 3, keyboard: 40, phone: 4 },
      HOME,
      async (who) => {
        const { page } = who
        await who.goTo('Deleted')
        await who.choose(page.getByRole('button', { name: `Restore: User ${username} deleted` }))
        const plan = page.getByRole('dialog', { name: 'Undo this change?' })
        await who.choose(plan.getByRole('button', { name: 'Undo', exact: true }))
        await expect(page.getByRole('button', { name: `Restore: User ${username} deleted` })).toHaveCount(0)
        expect(await subscription()).toEqual(before)
      },
      [way],
    )
  }
})

test('UNDO-004 what did that token do', async () => {
  const bot = await botNamed('shop bot')
  const { uuid, username } = await seed.makeUser()
  await bot(updateUser, { uuid, description: 'paid' })
  await bot(deleteUser, { uuid })
  await everyone(people, { mouse: 3, keyboard: 12, phone: 4 }, HOME, async (who) => {
    const { page } = who
    await who.goTo('API tokens')
    const actions = page.getByRole('button', { name: 'Actions for shop bot' })
    await expect(actions).toBeVisible()
    // The list is one tab stop, and the newest token stands last, behind those of the tests before.
    if (who.way === 'keyboard') await who.press('F6', 'End')
    await who.choose(actions, { by: 'ArrowRight' })
    await who.choose(page.getByRole('menuitem', { name: 'Changes made' }), { by: 'ArrowDown' })
    const entries = page.getByRole('dialog', { name: 'Changes by this actor' }).getByRole('listitem')
    await expect(entries).toHaveCount(2)
    await expect(entries.first()).toContainText(`User ${username} deleted`)
    await expect(entries.last()).toContainText(`User ${username} changed`)
  })
})

async function botNamed(tokenName: string) {
  const { token } = await admin.api(createApiToken, { tokenName })
  return apiClient(panel.origin, token)
}
