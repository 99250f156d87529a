import { login } from '@causeway/contract'
import { expect, test } from './fixtures.ts'
import { apiClient } from './stage/api-client.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { ADMIN } from './stage/panel.ts'

const LOGIN = /\/auth\/login$/

test('AUTH-033 AUTH-035 a token is believed at the start; the first refusal ends the session', async ({ page, panel }) => {
  const proxy = await startFaultProxy(panel.origin)
  await page.goto(`${proxy.origin}/auth/login`)
  await page.evaluate(() => localStorage.setItem('session', 'forged'))
  const refused = page.waitForResponse((response) => response.status() === 401)
  await page.goto(`${proxy.origin}/dashboard/management/hosts`)
  await refused
  await expect(page).toHaveURL(LOGIN)
  expect(await page.evaluate(() => localStorage.getItem('session'))).toBeNull()
  await proxy.close()
})

test('AUTH-036 AUTH-037 SHELL-015 logging out in one tab forgets the token, revokes it and leads all tabs to the login page', async ({
  page,
  context,
  panel,
  session,
}) => {
  expect(session.token).not.toBe('')
  const { accessToken } = await apiClient(panel.origin)(login, ADMIN)
  await page.goto('/auth/login')
  await page.evaluate((token) => localStorage.setItem('session', token), accessToken)
  await page.goto('/dashboard/management/hosts')
  const other = await context.newPage()
  await other.goto('/dashboard/management/nodes')
  await other.getByRole('banner').getByRole('button', { name: 'Account' }).click()
  await other.getByRole('menuitem', { name: 'Log out' }).click()
  for (const each of [other, page]) await expect(each).toHaveURL(LOGIN)
  expect(await page.evaluate(() => localStorage.getItem('session'))).toBeNull()
  const reuse = await page.request.get('/api/hosts', {
    headers: { authorization: `Bearer ${accessToken}`, 'x-remnawave-client-type': 'browser' },
  })
  expect([401, 403]).toContain(reuse.status())
})
