import { getSubscriptionSettings, updateSubscriptionSettings } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { uniqueName } from './stage/seeding.ts'

const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })

test('TOKEN-003 TOKEN-004 TOKEN-010 TOKEN-011 a token is made, opens the API for a program, is seen to be used, and opens nothing once it is deleted', async ({
  page,
  panel,
}) => {
  const name = uniqueName('bot')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await page.goto('/dashboard/management/api-tokens')
  await page.getByRole('button', { name: 'New API token' }).click()
  const modal = page.getByRole('dialog', { name: 'New API token' })
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(toast(page, 'Api token created successfully')).toBeVisible()
  const token = (await modal.getByRole('group', { name: 'Token' }).innerText()).trim()
  const ask = () =>
    fetch(`${panel.origin}/api/hosts`, { headers: { authorization: `Bearer ${token}`, 'user-agent': 'journey/1.0' } })
  expect((await ask()).status).toBe(200)

  await modal.getByRole('button', { name: 'Close', exact: true }).last().click()
  await expect(card).toBeVisible()
  await expect(async () => {
    await page.getByRole('button', { name: 'Refresh API tokens' }).click()
    await expect(card).toContainText('journey/1.0', { timeout: 500 })
  }).toPass()

  await card.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: `Delete API token ${name}?` })
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(toast(page, 'Api token deleted successfully')).toBeVisible()
  await expect(card).toHaveCount(0)
  expect((await ask()).status).toBe(403)
})

test('SUBSET-016 SUBSET-017 settings are changed, seen before they are saved, and an app then receives exactly that', async ({
  page,
  panel,
  api,
  makeConfigProfile,
  makeInternalSquad,
  makeHost,
  makeUser,
}) => {
  const before = await api(getSubscriptionSettings, {})
  const profile = await makeConfigProfile()
  const squad = await makeInternalSquad({ inbounds: profile.inbounds.map(({ uuid }) => uuid) })
  await makeHost(profile)
  const user = await makeUser({ activeInternalSquads: [squad.uuid] })
  await page.goto('/dashboard/management/subscription-settings')
  const preview = page.getByRole('complementary', { name: 'Preview' })
  await preview.getByRole('combobox', { name: 'User', exact: true }).fill(user.username)
  await page.getByRole('option', { name: user.username }).click()
  const title = uniqueName('Title 😀 ')
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill(`${title} {{USERNAME}}`)
  await page.getByRole('tab', { name: 'Additional response headers' }).click()
  await page.getByRole('button', { name: 'Add a header' }).click()
  await page.getByRole('textbox', { name: 'Key of header 1' }).fill('X-Journey')
  await page.getByRole('textbox', { name: 'Value of header 1' }).fill('{{USERNAME}} {{NOPE}}')
  await preview.getByText('Headers', { exact: true }).click()
  await expect(preview.getByText(`${title} ${user.username}`)).toBeVisible()
  await expect(preview.getByText(`${user.username} {{NOPE}}`)).toBeVisible()
  const shown = Object.fromEntries(
    await preview
      .locator('dl > div')
      .evaluateAll((all) =>
        all.map((one) => [one.querySelector('dt')?.textContent ?? '', one.querySelector('dd')?.textContent ?? '']),
      ),
  )
  await preview.getByText('Body', { exact: true }).click()
  await preview.getByText('As sent').click()
  await expect(preview.getByRole('radio', { name: 'As sent' })).toBeChecked()
  const body = await preview.locator('pre').innerText()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(toast(page, 'Subscription settings updated successfully')).toBeVisible()

  const receive = () => fetch(`${panel.origin}/api/sub/${user.shortUuid}`, { headers: { 'user-agent': 'Happ/3.5.0' } })
  await expect(async () => expect((await receive()).headers.get('x-journey')).toBe(`${user.username} {{NOPE}}`)).toPass()
  const received = await receive()
  expect(await received.text()).toBe(body.trim())
  for (const [name, value] of Object.entries(shown)) expect([name, received.headers.get(name)]).toEqual([name, value])

  const { uuid, profileTitle, customResponseHeaders } = before
  await api(updateSubscriptionSettings, { uuid, profileTitle, customResponseHeaders: customResponseHeaders ?? {} })
})
