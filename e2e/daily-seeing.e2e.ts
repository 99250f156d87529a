import type { Node } from '@causeway/contract'
import { expect, test, type Locator } from '@playwright/test'
import { query } from './stage/database.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { closePeople, everyone, openPeople, type People } from './stage/people.ts'
import type { Person } from './stage/person.ts'
import { seeding } from './stage/seeding.ts'

// What an operator only wants to see: by mouse, by keyboard alone, and on a phone, each within so many steps from home.

const HOME = '/dashboard/home'
const GIB = 1024 ** 3

test.describe.configure({ timeout: 90_000 })

let panel: Panel
let admin: SignedIn
let people: People
let node: Node
let other: Node

test.beforeAll(async ({ browser }) => {
  panel = await startPanel()
  admin = await signedIn(panel)
  people = await openPeople(browser, panel, admin)
  const { makeConfigProfile, makeNode, makeUser } = seeding(admin.api)
  const profile = await makeConfigProfile()
  node = await makeNode(profile, { name: 'Warsaw', countryCode: 'PL' })
  other = await makeNode(profile, { name: 'Riga', countryCode: 'LV' })
  const [anna, ben] = [await makeUser({ username: 'anna' }), await makeUser({ username: 'ben' })]
  // It was away for a quarter of an hour yesterday.
  await query(
    panel,
    `insert into "nodePhases" ("nodeId", "beganAt", "phase", "reason")
     select n."id", now() - told."ago", told."phase", told."reason" from "nodes" n,
       (values (interval '9 days', 'connected', null), (interval '20 hours', 'agentAway', 'The disk is full'),
         (interval '1185 minutes', 'connected', null)) as told("ago", "phase", "reason")
     where n."uuid" = $1`,
    [node.uuid],
  )
  // Each of them in the middle of last month, and only one in this.
  await query(
    panel,
    `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
     select (date_trunc('month', now() at time zone (select "timeZone" from "installation")) - interval '12 days')::date,
       n."id", u."id", 0, case u."uuid" when $2 then $4 else $5 end::bigint
     from "nodes" n, "users" u where n."uuid" = $1 and u."uuid" in ($2, $3)`,
    [node.uuid, anna.uuid, ben.uuid, 7 * GIB, GIB],
  )
  // Traffic of the last hours, and half of it a week earlier, on both nodes.
  await query(
    panel,
    `insert into "nodeUsageQuarters" ("nodeId", "quarter", "uploadBytes", "downloadBytes")
     select n."id", date_bin('15 minutes', now(), 'epoch') - back."weeks" * interval '7 days' - step * interval '15 minutes', 0,
       case back."weeks" when 0 then 200 else 100 end * 1048576::bigint
     from "nodes" n, (values (0), (1), (2)) as back("weeks"), generate_series(4, 80) as step`,
  )
})
test.afterAll(async () => {
  await closePeople(people)
  await panel.close()
})

const button = (within: Pick<Locator, 'getByRole'>, name: string | RegExp) => within.getByRole('button', { name, exact: true })

/** The page of the node, from its cell in the fleet. */
async function openNode(who: Person): Promise<void> {
  const { page, way, choose } = who
  if (way === 'keyboard') await choose(page.getByRole('link', { name: 'Skip to content' }))
  await choose(page.getByRole('region', { name: 'Nodes', exact: true }).getByRole('link', { name: /Warsaw/ }))
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Warsaw')
}

test('seeing 1 read the log of a node', async () => {
  await everyone(people, { mouse: 2, keyboard: 30, phone: 2 }, HOME, async (who) => {
    await openNode(who)
    const log = who.page.getByRole('region', { name: 'Log', exact: true })
    await who.choose(button(log, 'Show the log'))
    // No agent runs here: what the page says is that it cannot ask one.
    await expect(log.getByText('This node cannot show its log now')).toBeVisible()
  })
})

test('seeing 2 when a node was last down, for how long, and why', async () => {
  await everyone(people, { mouse: 1, keyboard: 25, phone: 1 }, HOME, async (who) => {
    await openNode(who)
    // No machine answers here now either; the reason tells the two apart.
    const list = who.page.getByRole('list', { name: 'Interruptions' })
    const last = list.getByRole('listitem').filter({ hasText: 'The disk is full' })
    await expect(last).toContainText(/20 (hr\.|hours) ago.*15m.*Not reachable/)
  })
})

test('seeing 3 what a user did last month', async () => {
  await everyone(people, { mouse: 4, keyboard: 8, phone: 4 }, HOME, async (who) => {
    const { page, way } = who
    if (way === 'keyboard') await who.press('ControlOrMeta+k')
    else await who.choose(button(page.getByRole('banner'), 'Search'))
    await who.type(page.getByPlaceholder('Find users, nodes, pages, actions…'), 'anna')
    const found = page.getByRole('option', { name: 'anna' })
    await expect(found).toBeVisible()
    if (way === 'keyboard') await who.press('Enter')
    else await who.choose(found)
    await who.choose(button(page.getByRole('dialog', { name: 'anna', exact: true }), 'Full page'))
    const year = page.getByRole('region', { name: 'Traffic of 13 months' })
    await expect(year.getByRole('img', { name: /over 14 months, 7\.00 GiB in total/ })).toBeVisible()
    await expect(year).toContainText('Warsaw')
  })
})

test('seeing 4 whether tonight is busier than last week', async () => {
  await everyone(people, { mouse: 0, keyboard: 0, phone: 0 }, HOME, async ({ page }) => {
    await expect(page.getByRole('region', { name: 'Traffic and users online' })).toContainText('100% more')
  })
})

test('two nodes are compared from their list, and the link shows the same', async () => {
  const { page } = people.mouse
  await page.goto('/dashboard/management/nodes')
  const rows = page.getByRole('list', { name: 'Nodes' }).getByRole('listitem')
  const compare = button(page, 'Compare')
  for (const name of ['Warsaw', 'Riga']) await rows.filter({ hasText: name }).getByRole('checkbox').check()
  await compare.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Compare nodes')
  const figures = page.getByRole('table', { name: 'Figures side by side' })
  await expect(figures.getByRole('row')).toHaveCount(3)
  await expect(figures.getByRole('row').filter({ hasText: 'Riga' })).toContainText('the same')
  const { searchParams } = new URL(page.url())
  expect(new Set(searchParams.get('ids')?.split(','))).toEqual(new Set([node.uuid, other.uuid]))
  await page.reload()
  await expect(figures.getByRole('row')).toHaveCount(3)
})
