import { createHost, listUsers } from '@causeway/contract'
import { expect, test } from './fixtures.ts'
import { uniqueName } from './stage/seeding.ts'

test('a link opens the wall in a browser without a session and nothing else, loses and finds the server again, and closes when it is withdrawn', async ({
  page,
  panel,
  browser,
}) => {
  const name = uniqueName('hall')
  await page.goto('/dashboard/management/api-tokens')
  await page.getByRole('button', { name: 'Link for a wall' }).click()
  const modal = page.getByRole('dialog', { name: 'Link for a wall' })
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create link' }).click()
  const link = (await modal.getByRole('group', { name: 'Link', exact: true }).innerText()).trim()
  const token = link.split('#token=')[1] ?? ''
  await modal.getByRole('button', { name: 'Close', exact: true }).last().click()
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await expect(card).toContainText('Only the wall')
  await expect(card).toContainText('Shown once')
  for (const { method, path } of [listUsers, createHost]) {
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${panel.origin}${path}`, { method, headers })).status).toBe(403)
  }

  const monitor = await browser.newContext({ viewport: { width: 1920, height: 1080 }, locale: 'en' })
  const wall = await monitor.newPage()
  // The link names its server; the token is in no request but the header of the read.
  const asked: string[] = []
  wall.on('request', (request) => asked.push(request.url()))
  await wall.goto(link)
  await expect(wall.getByRole('heading', { level: 1 })).toBeVisible()
  expect(asked.filter((url) => url.split('#')[0]?.includes(token))).toEqual([])
  await monitor.setOffline(true)
  await expect(wall.getByText('No connection since', { exact: false })).toBeVisible({ timeout: 20_000 })
  await monitor.setOffline(false)
  await expect(wall.getByText('No connection since', { exact: false })).toHaveCount(0, { timeout: 20_000 })

  await card.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(wall.getByText('This wall is closed')).toBeVisible({ timeout: 20_000 })
  await monitor.close()
})
