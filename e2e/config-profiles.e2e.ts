import { getConfigProfile, listConfigProfiles } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { plainProfile, uniqueName } from './stage/seeding.ts'

const PROFILES = '/dashboard/management/config-profiles'
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('PROF-009 PROF-014 PROF-015 a profile is created with the default configuration, found in the list and deleted', async ({
  page,
  api,
}) => {
  const name = uniqueName('pr')
  await page.goto(PROFILES)
  await page.getByRole('button', { name: 'New config profile' }).click()
  const modal = dialog(page, 'New config profile')
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create' }).click()
  await expect(toast(page, 'Config created successfully')).toBeVisible()
  await expect(modal).toHaveCount(0)
  await expect(card(page, name)).toBeVisible()
  const { configProfiles } = await api(listConfigProfiles, {})
  const made = configProfiles.find((profile) => profile.name === name)
  expect(made?.inbounds.map(({ type, port }) => [type, port])).toEqual([['shadowsocks', 1234]])
  expect(made?.inbounds[0]?.tag).toMatch(/^Shadowsocks_\d+$/)

  await card(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page, `Delete config profile ${name}?`).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Config deleted successfully')).toBeVisible()
  await expect(card(page, name)).toHaveCount(0)
  await expect(api(getConfigProfile, { uuid: made?.uuid ?? '' })).rejects.toThrow()
})

test('PROF-008 PROF-012 the list carries inbounds and nodes', async ({ api, makeConfigProfile, makeNode }) => {
  const profile = await makeConfigProfile()
  const german = await makeNode(profile, { countryCode: 'DE' })
  const unknown = await makeNode(profile)
  const { configProfiles } = await api(listConfigProfiles, {})
  const listed = configProfiles.find(({ uuid }) => uuid === profile.uuid)
  expect(listed).toMatchObject({
    name: profile.name,
    config: plainProfile(profile.name),
    inbounds: [
      {
        uuid: expect.any(String),
        tag: `${profile.name}-vless`,
        type: 'vless',
        network: 'tcp',
        port: 8443,
        profileUuid: profile.uuid,
      },
    ],
  })
  const nodes = [german, unknown].map(({ uuid, name, countryCode }) => ({ uuid, name, countryCode }))
  expect(listed?.nodes.toSorted(byName)).toEqual(nodes.toSorted(byName))
  expect(unknown.countryCode).toBe('XX')
})

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}
