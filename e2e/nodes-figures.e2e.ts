import { expect, test, type Page } from '@playwright/test'
import { query } from './stage/database.ts'
import { signedIn, startPanel, type Panel, type SignedIn } from './stage/panel.ts'
import { seeding } from './stage/seeding.ts'

// Figures of a whole fleet, so this file has a server of its own, with one node whose every figure is known.

const GIB = 1024 ** 3
let panel: Panel
let session: SignedIn

test.beforeAll(async () => {
  test.setTimeout(120_000)
  panel = await startPanel()
  session = await signedIn(panel)
  const seed = seeding(session.api)
  const profile = await seed.makeConfigProfile()
  const node = await seed.makeNode(profile, {
    name: 'Frankfurt',
    countryCode: 'DE',
    isTrafficTrackingActive: true,
    trafficLimitBytes: 100 * GIB,
    trafficResetDay: 5,
  })
  await seed.makeNode(profile, { name: 'Untracked' })
  const user = await seed.makeUser({ username: 'heavy' })
  await query(panel, `update "nodeStates" set "trafficUsedBytes" = $2 from "nodes" where "id" = "nodeId" and "uuid" = $1`, [
    node.uuid,
    25 * GIB,
  ])
  for (const [days, gib] of [
    [0, 3],
    [1, 1],
    [10, 4],
  ]) {
    await query(
      panel,
      `insert into "nodeUsageQuarters" ("nodeId", "quarter", "uploadBytes", "downloadBytes")
       select "id", date_trunc('hour', now() - make_interval(days => $2)), 0, $3 from "nodes" where "uuid" = $1`,
      [node.uuid, days, (gib ?? 0) * GIB],
    )
    await query(
      panel,
      `insert into "userNodeUsage" ("day", "nodeId", "userId", "uploadBytes", "downloadBytes")
       select (now() at time zone (select "timeZone" from "installation"))::date - $3::int, n."id", u."id", 0, $4
       from "nodes" n, "users" u where n."uuid" = $1 and u."uuid" = $2`,
      [node.uuid, user.uuid, days, (gib ?? 0) * GIB],
    )
  }
  await query(
    panel,
    `insert into "nodeTagUsage" ("nodeId", "direction", "tag", "uploadBytes", "downloadBytes")
     select "id", 'outbound', 'DIRECT', $2, 0 from "nodes" where "uuid" = $1`,
    [node.uuid, 2 * GIB],
  )
})

test.afterAll(() => panel.close())

async function openPage(page: Page, name: string): Promise<void> {
  const menu = page.getByRole('navigation', { name: 'Main menu' })
  const link = menu.getByRole('link', { name, exact: true })
  if (!(await link.isVisible())) await menu.getByRole('button', { name: 'Nodes' }).click()
  await link.click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
}

test('SHELL-026 SHELL-027 SHELL-028 SHELL-048 from the menu: what nodes carried, whose it was, what is left, and what moves now', async ({
  page,
}) => {
  await page.addInitScript((token) => {
    localStorage.setItem('session', token)
    localStorage.setItem('i18nextLng', 'en')
  }, session.token)
  await page.goto(`${panel.origin}/dashboard/management/nodes`)
  const entries = page.getByRole('navigation', { name: 'Main menu' }).getByRole('group', { name: 'Management' }).getByRole('link')
  await expect(entries.filter({ hasText: /^(Management|Nodes|Infra)/ })).toHaveText([
    'Management',
    'Nodes statistics',
    'Infra billing',
    'Nodes bandwidth table',
    'Nodes metrics',
  ])

  await openPage(page, 'Nodes statistics')
  const chart = page.getByRole('region', { name: 'Traffic by node', exact: true })
  await expect(chart.getByRole('img', { name: /1 series over 7 days, 4\.00 GiB in total/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: '14 days' }).click()
  await expect(chart.getByRole('img', { name: /over 14 days, 8\.00 GiB in total/ })).toBeVisible()
  const download = page.waitForEvent('download')
  await chart.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Picture as PNG' }).click()
  expect((await download).suggestedFilename()).toMatch(/^traffic-by-node_.*\.png$/)

  await page.getByRole('row', { name: /Frankfurt/ }).click()
  const drawer = page.getByRole('dialog', { name: 'Users of Frankfurt' })
  await expect(drawer.getByRole('list', { name: 'Top three users' })).toHaveText(/heavy\s*4\.00 GiB/)
  await drawer.getByRole('combobox', { name: 'Period' }).click()
  await page.getByRole('option', { name: '365 days' }).click()
  await expect(drawer.getByRole('list', { name: 'Top three users' })).toHaveText(/heavy\s*8\.00 GiB/)
  await page.keyboard.press('Escape')

  await openPage(page, 'Nodes bandwidth table')
  await expect(page.getByRole('row', { name: /Frankfurt/ })).toHaveText(/Day 5.*25\.00 GiB.*25%.*100\.00 GiB/)
  await expect(page.getByRole('row', { name: /Untracked/ })).toHaveCount(0)

  await openPage(page, 'Nodes metrics')
  const card = page.getByRole('article', { name: 'Frankfurt' })
  await expect(card.getByRole('table', { name: 'Outbounds' })).toHaveText(/DIRECT\s*2\.00 GiB\s*0 B/)
  await expect(card).toContainText('No inbound traffic data')
  await card.getByRole('button', { name: 'Edit Frankfurt' }).click()
  await expect(page.getByRole('dialog', { name: 'Edit node' }).getByRole('textbox', { name: 'Internal name' })).toHaveValue(
    'Frankfurt',
  )
})
