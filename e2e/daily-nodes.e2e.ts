import {
  createHost,
  createInfraBillingNode,
  createInfraProvider,
  getInternalSquad,
  getSubscriptionSettings,
  listHosts,
  listInfraBillingHistory,
  listInfraBillingNodes,
  listInternalSquads,
  listNodes,
  updateSubscriptionSettings,
  type ConfigProfile,
  type InternalSquad,
  type Node,
} from '@causeway/contract'
import { expect, test, type Locator } from '@playwright/test'
import { query } from './stage/database.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { closePeople, everyone, openPeople, type People } from './stage/people.ts'
import { WAYS, type Person, type Way } from './stage/person.ts'
import { inDays, seeding } from './stage/seeding.ts'

// Daily tasks with nodes, squads, bills, announcements and the look of the panel: by mouse, by keyboard alone, and on a phone.
// Each says how many steps it takes at most: clicks, taps, keys, and texts typed without a break.

const HOME = '/dashboard/home'
const NODES = '/dashboard/management/nodes'
const SQUADS = '/dashboard/management/internal-squads'

test.describe.configure({ timeout: 90_000 })

let panel: Panel
let admin: SignedIn
let people: People
let profile: ConfigProfile
const down = new Map<string, Node>()
const squads = new Map<string, InternalSquad>()

test.beforeAll(async ({ browser }) => {
  panel = await startPanel()
  admin = await signedIn(panel)
  people = await openPeople(browser, panel, admin)
  const { makeConfigProfile, makeInternalSquad, makeNode, makeUser } = seeding(admin.api)
  profile = await makeConfigProfile()
  const inbounds = profile.inbounds.map(({ uuid }) => uuid)
  const provider = await admin.api(createInfraProvider, { name: 'Hoster' })
  // First what is gone to by keys.
  for (const way of ['keyboard', 'mouse', 'phone'] as const satisfies readonly Way[]) {
    const node = await makeNode(profile, { name: `down-${way}`, countryCode: 'PL' })
    down.set(way, node)
    await admin.api(createInfraBillingNode, { providerUuid: provider.uuid, nodeUuid: node.uuid, nextBillingAt: inDays(-2) })
    const [configProfileInboundUuid = ''] = inbounds
    const inbound = { configProfileUuid: profile.uuid, configProfileInboundUuid }
    await admin.api(createHost, { remark: `host-${way}`, address: node.address, port: 443, inbound })
    const squad = await makeInternalSquad({ name: `from-${way}`, inbounds })
    squads.set(way, squad)
    await makeInternalSquad({ name: `to-${way}`, inbounds })
    for (const name of ['one', 'two']) await makeUser({ username: `${name}-${way}`, activeInternalSquads: [squad.uuid] })
  }
  // They were connected before, and are not any more: their names lead nowhere.
  await query(panel, `update "nodeStates" set "xrayVersion" = '25.8.3', "nodeVersion" = '2.1.4'`, [])
})
test.afterAll(async () => {
  await closePeople(people)
  await panel.close()
})

const button = (within: Pick<Locator, 'getByRole'>, name: string | RegExp) => within.getByRole('button', { name, exact: true })

/** Past the menu, as keyboards go. */
async function intoContent({ page, way, choose }: Person): Promise<void> {
  if (way === 'keyboard') await choose(page.getByRole('link', { name: 'Skip to content' }))
}

/** A list is one tab stop; within it arrows lead on. */
async function chooseIn(who: Person, list: Locator, target: Locator, by: 'ArrowDown' | 'ArrowRight'): Promise<void> {
  await expect(target).toBeVisible()
  const isIn = () => list.evaluate((element) => element.contains(document.activeElement))
  if (who.way === 'keyboard') for (let keys = 0; keys < 40 && !(await isIn()); keys++) await who.press('Tab')
  await who.choose(target, { by })
}

test('9 a node that is down: since when, for whom, and its hosts taken out of subscriptions and put back', async () => {
  await everyone(people, { mouse: 4, keyboard: 35, phone: 4 }, HOME, async (who) => {
    const { page, way } = who
    const isDisabled = async () => (await admin.api(listHosts, {})).find(({ remark }) => remark === `host-${way}`)?.isDisabled
    await intoContent(who)
    const attention = page.getByRole('region', { name: 'Needs attention' })
    await chooseIn(who, attention.getByRole('list'), attention.getByRole('link', { name: `Poland down-${way}` }), 'ArrowDown')
    const dialog = page.getByRole('dialog', { name: 'Edit node' })
    const said = dialog.getByRole('group', { name: 'This node is down' })
    await expect(said).toContainText(/Since .+\(.+\)/)
    await expect(said).toContainText(`Enabled hosts that lead only to it: host-${way}`)
    await expect(said).toContainText('6 users have other ways in.')
    await expect(said).toContainText('those through these nodes do not work either: ')
    await expect(button(said, 'Users it served last')).toBeVisible()
    await who.choose(button(said, 'Disable 1 host'))
    await who.choose(button(page.getByRole('dialog', { name: 'Disable 1 host' }), 'Disable 1 host'))
    await expect.poll(isDisabled).toBe(true)
    await expect(button(page, 'Undo')).toBeVisible()
    if (way === 'keyboard') await who.press('ControlOrMeta+z')
    else await who.choose(button(page, 'Undo'))
    await expect.poll(isDisabled).toBe(false)
  })
})

test('9 nodes that are down are on top of their list, with the reason', async () => {
  const { makeNode } = seeding(admin.api)
  const fine = await makeNode(profile, { name: 'never-connected' })
  const { page } = people.mouse
  await page.goto(NODES)
  const rows = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem')
  await expect(rows).toHaveCount(4)
  for (const place of [0, 1, 2]) await expect(rows.nth(place)).toContainText(/down-.+Disconnected|Disconnected.+down-/)
  await expect(rows.nth(3)).toContainText(fine.name)
  await expect(rows.nth(3)).toContainText('Waiting for its agent')
})

test('10 a second node: its machine may join at once, and it stands in the list, in sight, when the dialogs are gone', async () => {
  await everyone(people, { mouse: 10, keyboard: 36, phone: 10 }, NODES, async (who) => {
    const { page, way } = who
    await intoContent(who)
    await who.choose(button(page, 'New node'))
    const dialog = page.getByRole('dialog', { name: 'New node' })
    await who.type(dialog.getByRole('textbox', { name: 'Internal name' }), `second-${way}`)
    await who.type(dialog.getByRole('textbox', { name: 'Address', exact: true }), `second-${way}.invalid`)
    await who.choose(button(dialog, /^(Choose|Change)/))
    const picker = page.getByRole('dialog', { name: 'Config profile and inbounds' })
    await who.choose(picker.getByRole('button', { name: new RegExp(`^${profile.name}`) }))
    await who.choose(picker.getByRole('checkbox').first(), { press: 'Space' })
    await who.choose(button(picker, 'Apply'))
    await who.choose(button(dialog, 'Create'))
    await expect(dialog).toHaveCount(0)
    const joining = page.getByRole('dialog', { name: 'Let a machine join' })
    await expect(joining).toContainText(`second-${way}`)
    if (way === 'keyboard') await who.press('Escape')
    else await who.choose(button(joining, 'Close'))
    await expect(joining).toHaveCount(0)
    await expect(page.getByRole('listitem').filter({ hasText: `second-${way}` })).toBeInViewport({ ratio: 1 })
    expect((await admin.api(listNodes, {})).map(({ name }) => name)).toContain(`second-${way}`)
  })
})

test('11 move the members of a squad to another one', async () => {
  await everyone(people, { mouse: 5, keyboard: 25, phone: 5 }, SQUADS, async (who) => {
    const { page, way } = who
    await intoContent(who)
    await chooseIn(who, page.getByRole('main').getByRole('list').first(), button(page, `Actions for from-${way}`), 'ArrowRight')
    await who.choose(page.getByRole('menuitem', { name: 'Move members to…' }), { by: 'ArrowDown' })
    const dialog = page.getByRole('dialog', { name: `Move members of from-${way}` })
    const field = dialog.getByRole('combobox', { name: 'To squad' })
    await expect(field).toBeFocused()
    await who.type(field, `to-${way}`)
    if (way === 'keyboard') await who.press('Enter')
    else await who.choose(page.getByRole('option', { name: `to-${way}` }))
    await who.choose(button(dialog, 'Move 2 members'))
    const members = async (name: string) => {
      const { internalSquads } = await admin.api(listInternalSquads, {})
      return internalSquads.find((squad) => squad.name === name)?.info.membersCount
    }
    await expect.poll(() => members(`to-${way}`)).toBe(2)
    expect(await members(`from-${way}`)).toBe(0)
  })
})

test('14 rename a squad', async () => {
  await everyone(people, { mouse: 5, keyboard: 25, phone: 5 }, SQUADS, async (who) => {
    const { page, way } = who
    await intoContent(who)
    await chooseIn(who, page.getByRole('main').getByRole('list').first(), button(page, `Actions for from-${way}`), 'ArrowRight')
    await who.choose(page.getByRole('menuitem', { name: 'Rename' }), { by: 'ArrowDown' })
    const dialog = page.getByRole('dialog', { name: `Rename from-${way}` })
    await who.type(dialog.getByRole('textbox', { name: 'Name' }), `named-by-${way}`)
    await who.choose(button(dialog, 'Rename'))
    await expect(dialog).toHaveCount(0)
    const { uuid = '' } = squads.get(way) ?? {}
    await expect.poll(async () => (await admin.api(getInternalSquad, { uuid })).name).toBe(`named-by-${way}`)
  })
})

test('22 23 the cost of the month, and a bill that is overdue is paid from its row', async () => {
  await everyone(people, { mouse: 3, keyboard: 25, phone: 3 }, '/dashboard/crm/infra-billing', async (who) => {
    const { page, way } = who
    await expect(page.getByText(/^Still expected in/)).toBeVisible()
    await expect(page.getByText('2 days overdue').first()).toBeVisible()
    await intoContent(who)
    await who.choose(button(page, new RegExp(`^Paid: record a payment for down-${way} at Hoster`)))
    const dialog = page.getByRole('dialog', { name: 'New billing record' })
    await expect(dialog.getByLabel('Amount')).toBeFocused()
    await who.type(dialog.getByLabel('Amount'), '12.50')
    await who.choose(button(dialog, 'Create'))
    await expect(dialog).toHaveCount(0)
    await expect(page.getByText(`$${(12.5 * (WAYS.indexOf(way) + 1)).toFixed(2)}`).first()).toBeVisible()
    const nextBill = async () => {
      const { billingNodes } = await admin.api(listInfraBillingNodes, {})
      return Date.parse(billingNodes.find(({ node }) => node.name === `down-${way}`)?.nextBillingAt ?? '')
    }
    await expect.poll(nextBill).toBeGreaterThan(Date.now())
  })
  expect((await admin.api(listInfraBillingHistory, {})).records).toHaveLength(3)
})

test('24 an announcement for all apps', async () => {
  const settings = await admin.api(getSubscriptionSettings, {})
  await everyone(people, { mouse: 3, keyboard: 30, phone: 3 }, '/dashboard/management/subscription-settings', async (who) => {
    const { page, way } = who
    await intoContent(who)
    await who.type(page.getByRole('textbox', { name: 'Announcement', exact: true }), `Maintenance on Sunday, said by ${way}`)
    await who.choose(button(page, 'Save'))
    await expect
      .poll(async () => (await admin.api(getSubscriptionSettings, {})).happAnnounce)
      .toBe(`Maintenance on Sunday, said by ${way}`)
    await admin.api(updateSubscriptionSettings, { uuid: settings.uuid, happAnnounce: settings.happAnnounce })
  })
})

test('27 28 30 Persian and the light theme, from any page, and back', async () => {
  await everyone(people, { mouse: 8, keyboard: 60, phone: 8 }, NODES, async (who) => {
    const { page } = who
    const pick = async (menu: string, item: string) => {
      await who.choose(button(page.getByRole('banner'), menu), { by: 'Shift+Tab' })
      await who.choose(page.getByRole('menuitem', { name: item }), { by: 'ArrowDown' })
    }
    await pick('Account', 'Light')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
    await pick('Account', 'فارسی')
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('نودها')
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await pick('حساب کاربری', 'English')
    await expect(page.locator('html')).toHaveAttribute('dir', 'ltr')
    await pick('Account', 'Dark')
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  })
})
