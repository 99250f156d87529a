import { getJob, getSystemStats, getUser, getUsersImpact, type Reply } from '@causeway/contract'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { query } from './stage/database.ts'
import { signedIn, startPanel } from './stage/panel.ts'
import { until } from './stage/processes.ts'

const USERS = '/dashboard/management/users'

const question = (page: Page, title: string) => page.getByRole('dialog', { name: title })
const progress = (page: Page) => page.getByRole('status', { name: 'Progress' })

async function openAll(page: Page, tab: string, origin = ''): Promise<Locator> {
  await page.goto(`${origin}${USERS}`)
  await page.getByRole('button', { name: 'All users…' }).click()
  const drawer = page.getByRole('dialog', { name: 'All users' })
  await expect(drawer.getByRole('tab')).toHaveText(['Update', 'Actions', 'Danger zone'])
  await drawer.getByRole('tab', { name: tab }).click()
  return drawer
}

/** The sentence of whom an action would touch, made of the numbers of the server. */
function sentence({ users, onlineNow, nodes }: Reply<typeof getUsersImpact>): string {
  return `${users} ${users === 1 ? 'user' : 'users'} · ${onlineNow} online now · ${nodes} ${nodes === 1 ? 'node' : 'nodes'}`
}

test('UBULK-002 UBULK-019 UBULK-026 all users are updated in what is ticked, after a look at how many they are', async ({
  page,
  api,
  makeUser,
}) => {
  const users = [await makeUser({ description: 'kept' }), await makeUser({ status: 'DISABLED' })]
  const drawer = await openAll(page, 'Update')
  await drawer.getByRole('checkbox', { name: 'Limit strategy' }).check()
  await drawer.getByRole('combobox', { name: 'Traffic limit strategy' }).click()
  await page.getByRole('option', { name: 'Monthly' }).click()
  await drawer.getByRole('checkbox', { name: 'Telegram ID' }).check()
  await drawer.getByRole('textbox', { name: 'Telegram ID' }).fill('99')
  await drawer.getByRole('button', { name: 'Update all users' }).click()
  const asked = question(page, 'Update all users?')
  await expect(asked.getByRole('note')).toHaveText(sentence(await api(getUsersImpact, { all: true })))
  const request = page.waitForRequest((one) => one.url().endsWith('/api/users/bulk/all/update'))
  await asked.getByRole('button', { name: 'Update' }).click()
  expect((await request).postDataJSON()).toEqual({ trafficLimitStrategy: 'MONTH', telegramId: 99 })
  await expect(page.getByText('Started for all users')).toBeVisible()
  await expect(drawer).toBeHidden()
  for (const { uuid, description, status } of users)
    await expect
      .poll(() => api(getUser, { uuid }))
      .toMatchObject({ trafficLimitStrategy: 'MONTH', telegramId: 99, description, status })
})

test('UBULK-010 UBULK-020 resetting the usage of all users is asked first, and shows its progress until it is done', async ({
  page,
  panel,
  api,
  makeUser,
}) => {
  const users = [await makeUser(), await makeUser()]
  await query(panel, `update "userUsage" set "usedTrafficBytes" = 1000, "lifetimeUsedTrafficBytes" = 1000`)
  const drawer = await openAll(page, 'Actions')
  await drawer.getByRole('button', { name: 'Reset usage of all' }).click()
  const asked = question(page, 'Reset the usage of all users?')
  await expect(asked).toContainText('It can be undone in History.')
  const impact = await api(getUsersImpact, { all: true })
  await expect(asked.getByRole('note')).toHaveText(sentence(impact))
  // Escape closes the question only, not what asked it.
  await page.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  await expect(drawer).toBeVisible()
  for (const { uuid } of users) expect((await api(getUser, { uuid })).usedTrafficBytes).toBe(1000)

  await drawer.getByRole('button', { name: 'Reset usage of all' }).click()
  const request = page.waitForRequest((one) => one.url().endsWith('/api/users/bulk/all/reset-traffic'))
  await asked.getByRole('button', { name: 'Reset usage' }).click()
  expect((await request).postDataJSON()).toEqual({})
  await expect(page.getByText('Started for all users')).toBeVisible()
  await expect(progress(page)).toContainText('Done')
  await expect(progress(page)).toContainText(`${impact.users} of ${impact.users}`)
  for (const { uuid } of users)
    expect(await api(getUser, { uuid })).toMatchObject({ usedTrafficBytes: 0, lifetimeUsedTrafficBytes: 1000 })
  await progress(page).getByRole('button', { name: 'Close the progress' }).click()
  await expect(progress(page)).toBeHidden()
})

test('UBULK-004 UBULK-013 UBULK-021 UBULK-024 users of one status are deleted, with their number at the end', async ({
  page,
  api,
  makeUser,
}) => {
  const limited = [await makeUser({ status: 'LIMITED' }), await makeUser({ status: 'LIMITED' })]
  const other = await makeUser()
  const count = (await api(getSystemStats, {})).users.statusCounts.LIMITED
  const drawer = await openAll(page, 'Danger zone')
  const run = drawer.getByRole('button', { name: 'Delete by status' })
  await expect(run).toBeDisabled()
  await drawer.getByRole('combobox', { name: 'Status of the users to delete' }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText(['Active', 'Expired', 'Limited', 'Disabled'])
  await page.getByRole('option', { name: 'Limited' }).click()
  await run.click()
  const asked = question(page, 'Delete all users with the status “Limited”?')
  await expect(asked).toContainText('It can be undone in History.')
  await expect(asked.getByRole('note')).toHaveText(sentence(await api(getUsersImpact, { status: 'LIMITED' })))
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(asked).toBeHidden()
  expect((await api(getSystemStats, {})).users.statusCounts.LIMITED).toBe(count)

  await run.click()
  const request = page.waitForRequest((one) => one.url().endsWith('/api/users/bulk/delete-by-status'))
  await asked.getByRole('button', { name: 'Delete' }).click()
  expect((await request).postDataJSON()).toEqual({ status: 'LIMITED' })
  expect(await (await (await request).response())?.json()).toMatchObject({ response: { affectedRows: count } })
  await expect(page.getByText(`${count} users deleted`)).toBeVisible()
  await expect(progress(page)).toContainText('Done')
  for (const { uuid } of limited) await expect(api(getUser, { uuid })).rejects.toThrow('answered 404')
  expect((await api(getUser, { uuid: other.uuid })).status).toBe('ACTIVE')
})

/** Fifteen batches: enough for a server to die between two of them. */
const MANY = 15_000

test('a server that dies in the middle of a bulk job goes on with it after its start, and does nothing twice', async ({
  page,
}) => {
  test.setTimeout(240_000)
  const panel = await startPanel()
  const { api, token } = await signedIn(panel)
  await query(
    panel,
    `with made as (
       insert into "users" ("shortUuid", "username", "expireAt", "trojanPassword", "vlessUuid", "ssPassword")
       select 'short' || n, 'many' || n, '2099-01-01', 'p', gen_random_uuid(), 's' from generate_series(1, ${MANY}) as n returning "id"
     )
     insert into "userUsage" ("userId", "usedTrafficBytes", "lifetimeUsedTrafficBytes") select "id", 5, 5 from made
     on conflict ("userId") do update set "usedTrafficBytes" = 5, "lifetimeUsedTrafficBytes" = 5`,
  )
  await page.addInitScript((session) => localStorage.setItem('session', session), token)
  const drawer = await openAll(page, 'Actions', panel.origin)
  await drawer.getByRole('button', { name: 'Reset usage of all' }).click()
  const asked = question(page, 'Reset the usage of all users?')
  await expect(asked.getByRole('note')).toHaveText('15,000 users · 0 online now · 0 nodes')
  await asked.getByRole('button', { name: 'Reset usage' }).click()
  await expect(page).toHaveURL(/job=/)
  const id = new URL(page.url()).searchParams.get('job') ?? ''
  const begun = await until('the job is at work', async () => {
    const job = await api(getJob, { id })
    return job.done > 0 && job
  })
  await panel.process.kill()
  expect(begun.done).toBeLessThan(MANY)
  const [left] = await query<{ left: number }>(
    panel,
    `select count(*)::int as "left" from "userUsage" where "usedTrafficBytes" > 0`,
  )
  expect(left?.left).toBeGreaterThan(0)
  await panel.restart()
  await expect(progress(page)).toContainText('Done', { timeout: 90_000 })
  await expect(progress(page)).toContainText('15,000 of 15,000')
  const [resets] = await query<{ total: number; users: number }>(
    panel,
    `select count(*)::int as "total", count(distinct "userId")::int as "users" from "userTrafficResets"`,
  )
  expect(resets).toEqual({ total: MANY, users: MANY })
  const [sums] = await query<{ used: string; lifetime: string }>(
    panel,
    `select sum("usedTrafficBytes") as "used", sum("lifetimeUsedTrafficBytes") as "lifetime" from "userUsage"`,
  )
  expect([Number(sums?.used), Number(sums?.lifetime)]).toEqual([0, 5 * MANY])
  await panel.close()
})
