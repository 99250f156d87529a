import { getConfigProfile, login, logout, updateConfigProfile } from '@causeway/contract'
import { expect, test } from '@playwright/test'
import { apiClient } from './stage/api-client.ts'
import { ADMIN, signedIn, startPanel } from './stage/panel.ts'
import { pasteConfig } from './stage/paste-config.ts'
import { seeding } from './stage/seeding.ts'

// Without the fixtures, which ask for few files: the server goes away, and what it could not send any more has to be there.
test('what is typed into a profile outlives the session, the server and what a colleague saves', async ({ page }) => {
  test.slow() // it starts a server of its own, and that again
  const panel = await startPanel()
  const { api } = await signedIn(panel)
  const profile = await seeding(api).makeConfigProfile()
  const { uuid } = profile
  const address = `${panel.origin}/dashboard/management/config-profiles/${uuid}`
  const config = { ...(profile.config as object), log: { loglevel: 'debug' } } // made here, an object
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const saveNow = page.getByRole('button', { name: 'Save now' })
  const saved = async () => (await api(getConfigProfile, { uuid })).config

  const { accessToken } = await apiClient(panel.origin)(login, ADMIN)
  await page.goto(`${panel.origin}/auth/login`)
  await page.evaluate((token) => localStorage.setItem('session', token), accessToken)
  await page.goto(address)
  await pasteConfig(page, JSON.stringify(config, null, 2))
  // Xray comes first, tens of megabytes.
  await expect(save).toBeEnabled({ timeout: 60_000 })

  // The session ends while somebody types.
  await apiClient(panel.origin, accessToken)(logout, {})
  await save.click()
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.getByLabel('Username').fill(ADMIN.username)
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(address)
  await expect(page.getByText(/What you typed was not saved\. It was put back/)).toBeVisible()
  await expect(page.locator('.view-line').filter({ hasText: '"debug"' })).toBeVisible()
  expect(await saved()).toEqual(profile.config)

  // The server goes while it is saved, and comes back.
  await expect(save).toBeEnabled()
  await save.click()
  await expect(saveNow).toBeEnabled()
  await panel.process.kill()
  await saveNow.click()
  await expect(saveNow).toBeHidden()
  await expect(page.locator('.view-line').filter({ hasText: '"debug"' })).toBeVisible()
  await panel.restart()

  // A colleague has saved meanwhile: that is asked about, and nothing is lost.
  const theirs = { ...(profile.config as object), dns: { servers: ['1.1.1.1'] } }
  await api(updateConfigProfile, { uuid, config: theirs })
  const keep = page.getByRole('button', { name: 'Keep what I have' })
  await expect(async () => {
    if (!(await keep.isVisible())) await save.click({ timeout: 1000 })
    await expect(keep).toBeVisible({ timeout: 2000 })
  }).toPass()
  expect(await saved()).toEqual(theirs)
  await expect(page.locator('.view-line').filter({ hasText: '"debug"' }).first()).toBeVisible()
  await keep.click()
  await save.click()
  await saveNow.click()
  await expect.poll(saved).toEqual(config)
  await panel.close()
})
