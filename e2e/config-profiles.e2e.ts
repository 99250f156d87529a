import { getConfigProfile, listConfigProfiles } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { plainProfile, uniqueName } from './stage/seeding.ts'

const PROFILES = '/dashboard/management/config-profiles'
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const card = (page: Page, name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

test('PROF-001 PROF-002 PROF-003 PROF-005 PROF-007 a card shows a profile and its nodes', async ({
  page,
  makeConfigProfile,
  makeNode,
}) => {
  const [used, idle] = [await makeConfigProfile(), await makeConfigProfile()]
  const node = await makeNode(used, { countryCode: 'FI' })
  await page.goto(PROFILES)
  await expect(page.getByRole('button', { name: 'Refresh config profiles' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'New config profile' })).toBeVisible()
  const columns = page.getByRole('list', { name: 'Config profiles' })
  await expect(columns).toHaveCSS('display', 'grid')
  await card(page, used.name).getByRole('button', { name: '1 node' }).click()
  const nodes = dialog(page, `Nodes of ${used.name}`)
  await expect(nodes.getByRole('listitem')).toHaveText(new RegExp(`${node.name}$`))
  await expect(nodes.getByRole('img', { name: 'Finland' })).toBeVisible()
  await page.keyboard.press('Escape')
  await card(page, idle.name).getByRole('button', { name: '0 nodes' }).click()
  await expect(dialog(page, `Nodes of ${idle.name}`).getByText('This profile is not active on any nodes')).toBeVisible()
})

test('PROF-009 PROF-010 PROF-011 PROF-015 a profile is named, created with the default configuration and found in the list', async ({
  page,
  api,
}) => {
  const name = uniqueName('pr')
  await page.goto(PROFILES)
  await page.getByRole('button', { name: 'New config profile' }).click()
  const modal = dialog(page, 'New config profile')
  const create = modal.getByRole('button', { name: 'Create' })
  await expect(create).toBeDisabled()
  await expect(modal.getByText('It cannot be changed later')).toBeVisible()
  await modal.getByLabel('Name').fill('a name that is far too long')
  await expect(modal.getByText('At most 20 characters')).toBeVisible()
  await expect(create).toBeDisabled()
  await modal.getByLabel('Name').fill(name)
  await create.click()
  await expect(toast(page, 'Config created successfully')).toBeVisible()
  await expect(modal).toHaveCount(0)
  await expect(card(page, name)).toBeVisible()
  const { configProfiles } = await api(listConfigProfiles, {})
  const made = configProfiles.find((profile) => profile.name === name)
  expect(made?.inbounds.map(({ type, port }) => [type, port])).toEqual([['shadowsocks', 1234]])
  expect(made?.inbounds[0]?.tag).toMatch(/^Shadowsocks_\d+$/)
})

test('a name that is taken is said under the name', async ({ page, makeConfigProfile }) => {
  const { name } = await makeConfigProfile()
  await page.goto(`${PROFILES}?create=new`)
  const modal = dialog(page, 'New config profile')
  await modal.getByLabel('Name').fill(name)
  await modal.getByRole('button', { name: 'Create' }).click()
  await expect(modal.getByText('must be unique')).toBeVisible()
})

test('PROF-014 deleting a profile asks first and names what goes with it', async ({ page, api, makeConfigProfile, makeNode }) => {
  const profile = await makeConfigProfile()
  await makeNode(profile)
  await page.goto(PROFILES)
  await card(page, profile.name)
    .getByRole('button', { name: `Actions for ${profile.name}` })
    .click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = dialog(page, `Delete config profile ${profile.name}?`)
  await expect(question).toContainText('1 node')
  await expect(question).toContainText('1 inbound')
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Config deleted successfully')).toBeVisible()
  await expect(card(page, profile.name)).toHaveCount(0)
  await expect(api(getConfigProfile, { uuid: profile.uuid })).rejects.toThrow()
})

test('PROF-008 PROF-012 PROF-013 the list carries inbounds and nodes, and is asked for again after 30 s (decision 30)', async ({
  page,
  api,
  makeConfigProfile,
  makeNode,
}) => {
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

  await page.clock.install()
  let asked = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/config-profiles') asked += 1
  })
  await page.goto(PROFILES)
  await expect(card(page, profile.name)).toBeVisible()
  const before = asked
  const nav = page.getByRole('navigation', { name: 'Main' })
  const comeBack = async (): Promise<void> => {
    await nav.getByRole('link', { name: 'Config profiles' }).click()
    await expect(card(page, profile.name)).toBeVisible()
  }
  await nav.getByRole('link', { name: 'Internal squads' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Internal squads')
  await comeBack()
  expect(asked).toBe(before)
  await nav.getByRole('link', { name: 'Internal squads' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Internal squads')
  await page.clock.fastForward(30_000)
  await comeBack()
  await expect.poll(() => asked).toBe(before + 1)
})

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1
}
