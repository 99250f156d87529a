import type { User } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import pg from 'pg'
import { expect, test } from './fixtures.ts'
import type { Panel } from './stage/panel.ts'

const USERS = '/dashboard/management/users'
const MIB = 1024 ** 2

async function openDrawer(page: Page, name: string, user: User, title: string | RegExp): Promise<Locator> {
  await page.goto(`${USERS}?${name}=${user.uuid}`)
  const drawer = page.getByRole('dialog', { name: title })
  // The page, its dialogs and the user are fetched one after the other.
  await expect(drawer).toBeVisible({ timeout: 30_000 })
  return drawer
}

/** Traffic is written by nodes only, so the test puts it where the server keeps it: bytes per node, day by day, today last. */
async function use(panel: Panel, user: User, perNode: { uuid: string; days: number[] }[]): Promise<void> {
  const client = new pg.Client({ connectionString: panel.databaseUrl })
  await client.connect()
  for (const { uuid, days } of perNode)
    for (const [i, bytes] of days.entries())
      await client.query(
        `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
         select (now() at time zone 'utc')::date - $3::int, n."id", u."id", 0, $4
         from "nodes" n, "users" u where n."uuid" = $1 and u."uuid" = $2`,
        [uuid, user.uuid, days.length - 1 - i, bytes],
      )
  await client.end()
}

test('UDRAWER-013 UDRAWER-015 UDRAWER-016 UDRAWER-026 traffic that nodes reported is drawn per day and node', async ({
  page,
  panel,
  makeUser,
  makeConfigProfile,
  makeNode,
}) => {
  const profile = await makeConfigProfile()
  const nodes = [await makeNode(profile), await makeNode(profile)]
  const user = await makeUser()
  await use(
    panel,
    user,
    nodes.map(({ uuid }, i) => ({ uuid, days: [10 * MIB * (i + 1), 5 * MIB] })),
  )
  const drawer = await openDrawer(page, 'usage', user, `Usage of ${user.username}`)
  await expect(drawer).toContainText(/Total traffic\s*40.00 MiB/)
  await expect(
    drawer.getByRole('img', { name: /^Traffic per day and node: 2 series over 7 days/ }).locator('canvas'),
  ).toBeVisible()
  await expect(drawer.getByRole('list', { name: 'Top nodes' }).getByRole('listitem')).toHaveText([
    `${nodes[1]?.name}25.00 MiB`,
    `${nodes[0]?.name}15.00 MiB`,
  ])
})

test('UDRAWER-040 UDRAWER-041 UDRAWER-042 subscription links carry the names of their hosts and are copied', async ({
  page,
  context,
  makeUser,
  makeConfigProfile,
  makeInternalSquad,
  makeNode,
  makeHost,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const profile = await makeConfigProfile()
  const squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  await makeNode(profile)
  await makeHost(profile, { remark: '🇩🇪 Berlin café' })
  const user = await makeUser({ activeInternalSquads: [squad.uuid] })
  const read = page.waitForRequest((one) => one.url().includes(`/api/sub/${user.shortUuid}/info`))
  const drawer = await openDrawer(page, 'links', user, `Subscription links of ${user.username}`)
  await read
  const link = drawer.getByRole('group', { name: '🇩🇪 Berlin café' })
  await link.getByRole('button').click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^vless:\/\/.*#/)
})
