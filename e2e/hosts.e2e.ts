import { deleteConfigProfile, deleteHost, getHost, listHosts, type ConfigProfile } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { moveByKeys } from './stage/move-by-keys.ts'
import { plainProfile, uniqueName } from './stage/seeding.ts'

const HOSTS = '/dashboard/management/hosts'
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const list = (page: Page) => page.getByRole('list', { name: 'Hosts' })
const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function chooseInbound(page: Page, profile: ConfigProfile): Promise<void> {
  const picker = dialog(page, 'Config profile and inbounds')
  await picker.getByRole('searchbox').fill(profile.name)
  const control = picker.getByRole('button', { name: new RegExp(`^${profile.name}`) })
  await expect(control).toBeVisible()
  if ((await control.getAttribute('aria-expanded')) === 'false') await control.click()
  await picker.getByRole('radio').first().check()
  await picker.getByRole('button', { name: 'Apply' }).click()
  await expect(picker).toHaveCount(0)
}

test('HOST-026 HOST-028 HOST-033 HOST-036 HOST-055 HOST-058 HOST-074 HOST-043 HOST-064 a host is created from the form', async ({
  page,
  api,
  makeConfigProfile,
}) => {
  const profile = await makeConfigProfile()
  const remark = uniqueName('host')
  const read = Promise.all([page.waitForRequest('**/api/hosts'), page.waitForRequest('**/api/config-profiles')])
  await page.goto(HOSTS)
  await read
  await page.getByRole('button', { name: 'New host' }).first().click()
  const modal = dialog(page, 'New host')
  const create = modal.getByRole('button', { name: 'Create' })
  await expect(create).toBeDisabled()
  await modal.getByLabel('Remark').fill(remark)
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill(' de.example.net ')
  await expect(create).toBeDisabled()
  await modal.getByRole('button', { name: 'Choose' }).click()
  const picker = dialog(page, 'Config profile and inbounds')
  await expect.poll(async () => (await picker.boundingBox())?.width).toBe(480)
  await picker.getByRole('searchbox').fill('nothing of this name')
  await expect(picker.getByText('No profiles or inbounds found')).toBeVisible()
  await chooseInbound(page, profile)
  await expect(modal.getByLabel('Port')).toHaveValue('8443')
  await modal.getByRole('button', { name: 'Advanced' }).click()
  await modal.getByRole('combobox', { name: 'Security layer' }).click()
  await expect(page.getByRole('option')).toHaveText(['Default (as the inbound)', 'TLS', 'None'])
  await page.getByRole('option', { name: 'TLS' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/hosts'))
  const again = page.waitForResponse((response) => response.request().method() === 'GET' && response.url().endsWith('/api/hosts'))
  await create.click()
  expect((await sent).postDataJSON()).toMatchObject({
    remark,
    address: 'de.example.net',
    port: 8443,
    isDisabled: false,
    securityLayer: 'TLS',
    inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: profile.inbounds[0]?.uuid },
  })
  await again
  await expect(toast(page, 'Host created successfully')).toBeVisible()
  await expect(row(page, remark)).toContainText('de.example.net:8443')
  expect((await api(listHosts, {})).map((host) => host.remark)).toContain(remark)
})

test('HOST-027 HOST-030 HOST-031 HOST-032 HOST-046 HOST-047 HOST-048 HOST-067 HOST-068 a host is edited, cloned and deleted', async ({
  page,
  api,
  makeConfigProfile,
  makeHost,
}) => {
  const profile = await makeConfigProfile()
  const host = await makeHost(profile)
  await page.goto(`${HOSTS}?edit=${host.uuid}`)
  const modal = dialog(page, 'Edit host')
  const save = modal.getByRole('button', { name: 'Save' })
  await expect(save).toBeDisabled()
  await modal.getByRole('button', { name: 'Advanced' }).click()
  for (const field of ['SNI', 'Host header', 'Path', 'Server description'])
    await expect(modal.getByRole('textbox', { name: field, exact: true })).toBeVisible()
  for (const field of ['ALPN', 'Fingerprint']) await expect(modal.getByRole('combobox', { name: field })).toBeVisible()
  await modal.getByRole('textbox', { name: 'SNI', exact: true }).fill('sni.example.net')
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await save.click()
  expect((await sent).postDataJSON()).toEqual({ uuid: host.uuid, sni: 'sni.example.net' })
  await expect(toast(page, 'Host updated successfully')).toBeVisible()
  expect((await api(getHost, { uuid: host.uuid })).sni).toBe('sni.example.net')

  await page.goto(`${HOSTS}?edit=${host.uuid}`)
  await modal.getByRole('button', { name: 'Clone' }).click()
  await expect(modal).toHaveCount(0)
  const clones = (await api(listHosts, {})).filter((one) => one.remark.startsWith('Clone #') && one.sni === 'sni.example.net')
  expect(clones.map(({ isDisabled, address }) => [isDisabled, address])).toEqual([[true, host.address]])

  await page.goto(`${HOSTS}?edit=${host.uuid}`)
  await modal.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page, `Delete host ${host.remark}?`).getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Host deleted successfully')).toBeVisible()
  await expect(api(getHost, { uuid: host.uuid })).rejects.toThrow()

  await api(deleteConfigProfile, { uuid: profile.uuid })
  await page.goto(`${HOSTS}?edit=${clones[0]?.uuid ?? ''}`)
  await modal.getByRole('button', { name: 'Clone' }).click()
  await expect(toast(page, 'Dangling host cannot be cloned')).toBeVisible()
})

test('HOST-029 HOST-034 HOST-045 HOST-052 extra parameters are JSON, and only where XHTTP is spoken', async ({
  page,
  api,
  makeConfigProfile,
  makeHost,
}) => {
  const name = uniqueName('profile')
  const [inbound] = plainProfile(name)['inbounds'] as Record<string, unknown>[] // the seeding's own profile has exactly one
  const xhttp = await makeConfigProfile({
    name,
    config: {
      ...plainProfile(name),
      inbounds: [{ ...inbound, streamSettings: { network: 'xhttp', xhttpSettings: { path: '/x' } } }],
    },
  })
  const host = await makeHost(xhttp)
  const plain = await makeHost(await makeConfigProfile())
  await page.goto(`${HOSTS}?edit=${plain.uuid}`)
  const modal = dialog(page, 'Edit host')
  await modal.getByRole('button', { name: 'Advanced' }).click()
  await expect(modal.getByRole('button', { name: 'Extra XHTTP parameters' })).toBeDisabled()
  await page.goto(`${HOSTS}?edit=${host.uuid}`)
  await modal.getByRole('button', { name: 'Advanced' }).click()
  await modal.getByRole('button', { name: 'Extra XHTTP parameters' }).click()
  const drawer = dialog(page, 'Extra XHTTP parameters')
  await drawer.getByLabel('Parameters').fill('{ "mode": ')
  await expect(drawer.getByText('Invalid JSON')).toBeVisible()
  await expect(drawer.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await drawer.getByRole('button', { name: 'Fill with sample' }).click()
  await drawer.getByRole('button', { name: 'Apply' }).click()
  await modal.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Host updated successfully')).toBeVisible()
  expect((await api(getHost, { uuid: host.uuid })).xHttpExtraParams).toMatchObject({ xPaddingBytes: '100-1000' })
})

test('HOST-073 HOST-005 HOST-006 HOST-007 HOST-008 HOST-009 HOST-010 HOST-012 HOST-014 HOST-039 HOST-069 HOST-021 HOST-022 HOST-023 HOST-024 HOST-025 HOST-042 HOST-059 HOST-060 HOST-070 HOST-071 HOST-072 HOST-075 HOST-076 filtering, moving and changing many at once', async ({
  page,
  api,
  makeConfigProfile,
  makeHost,
}) => {
  test.setTimeout(180_000)
  for (const { uuid } of await api(listHosts, {})) await api(deleteHost, { uuid })
  await page.goto(HOSTS)
  await expect(page.getByText('No hosts yet')).toBeVisible()

  const [one, two] = [await makeConfigProfile(), await makeConfigProfile()]
  const uuids: string[] = []
  for (const [remark, profile] of [
    ['Alpha', one],
    ['Beta', one],
    ['Gamma', two],
  ] as const)
    uuids.push((await makeHost(profile, { remark, address: `${remark.toLowerCase()}.example.net` })).uuid)
  await page.getByRole('button', { name: 'Refresh hosts' }).click()
  await expect(list(page).getByRole('listitem')).toHaveCount(3)

  const inbounds = page.getByRole('combobox', { name: 'Inbound' })
  await expect(inbounds).toBeDisabled()
  await page.getByRole('combobox', { name: 'Config profile' }).click()
  await expect(page.getByRole('option').first()).toHaveText('All config profiles')
  await page.getByRole('option', { name: two.name }).click()
  await expect(row(page, 'Gamma')).toHaveAttribute('data-highlighted', 'true')
  await inbounds.click()
  await expect(page.getByRole('option')).toHaveText(['All inbounds', two.inbounds[0]?.tag ?? ''])
  await page.keyboard.press('Escape')
  await expect(row(page, 'Alpha').getByRole('img', { name: 'Not among the found hosts, cannot be moved' })).toBeVisible()
  await expect(row(page, 'Alpha').getByRole('button', { name: 'Move Alpha' })).toHaveCount(0)
  await expect(row(page, 'Gamma')).not.toHaveAttribute('data-highlighted', { timeout: 4000 })
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await page.getByRole('searchbox', { name: 'Search address' }).fill('beta.')
  await expect(row(page, 'Alpha')).toHaveAttribute('data-dimmed', 'true')
  await page.getByRole('searchbox', { name: 'Search address' }).fill('')
  await page.getByRole('searchbox', { name: 'Search remark' }).fill('alp')
  await expect(row(page, 'Beta')).toHaveAttribute('data-dimmed', 'true')
  await page.getByRole('button', { name: 'Reset filters' }).click()
  await expect(page.getByRole('searchbox', { name: 'Search remark' })).toHaveValue('')
  await expect(row(page, 'Beta')).not.toHaveAttribute('data-dimmed')

  const moved = page.waitForRequest('**/api/hosts/actions/reorder')
  await moveByKeys(page, 'Move Alpha', ['Space', 'ArrowDown', 'Space'])
  expect((await moved).postDataJSON().hosts).toEqual([
    { uuid: uuids[1], viewPosition: 0 },
    { uuid: uuids[0], viewPosition: 1 },
    { uuid: uuids[2], viewPosition: 2 },
  ])
  await expect.poll(async () => (await api(listHosts, {})).map(({ remark }) => remark)).toEqual(['Beta', 'Alpha', 'Gamma'])

  const bar = page.getByRole('region', { name: 'Selected hosts' })
  const act = async (button: string, route: string, then?: () => Promise<void>) => {
    await page.getByRole('checkbox', { name: 'Select Alpha' }).check()
    await bar.getByRole('button', { name: 'Select all' }).click()
    await expect(bar.getByText('3 hosts selected')).toBeVisible()
    const sent = page.waitForRequest(`**/api/hosts/bulk/${route}`)
    await bar.getByRole('button', { name: button, exact: true }).click()
    await then?.()
    const body = (await sent).postDataJSON()
    expect(body.uuids.toSorted()).toEqual(uuids.toSorted())
    return body
  }
  await act('Disable', 'disable')
  await expect(toast(page, 'Hosts disabled successfully')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await act('Enable', 'enable')
  await expect(toast(page, 'Hosts enabled successfully')).toBeVisible()
  await expect(bar).toHaveCount(0)
  const port = await act('Set port', 'set-port', async () => {
    const modal = dialog(page, 'Set port')
    await modal.getByRole('button', { name: 'Set port' }).click()
    await expect(modal.getByText('Port is required')).toBeVisible()
    await modal.getByLabel('Port').fill('70000')
    await modal.getByRole('button', { name: 'Set port' }).click()
    await expect(modal.getByText('Must be from 1 to 65535')).toBeVisible()
    await modal.getByLabel('Port').fill('8080')
    await modal.getByRole('button', { name: 'Set port' }).click()
  })
  expect(port.port).toBe(8080)
  await expect(toast(page, 'Hosts port set successfully')).toBeVisible()
  await expect(bar).toHaveCount(0)
  const inbound = await act('Set inbound', 'set-inbound', async () => {
    await expect.poll(async () => (await dialog(page, 'Config profile and inbounds').boundingBox())?.width).toBe(450)
    await chooseInbound(page, two)
  })
  expect(inbound).toMatchObject({ configProfileUuid: two.uuid, configProfileInboundUuid: two.inbounds[0]?.uuid })
  await expect(toast(page, 'Hosts inbound set successfully')).toBeVisible()
  await expect(bar).toHaveCount(0)
  await act('Delete', 'delete', () => dialog(page, 'Delete 3 hosts?').getByRole('button', { name: 'Delete' }).click())
  await expect(toast(page, 'Hosts deleted successfully')).toBeVisible()
  await expect(page.getByText('No hosts yet')).toBeVisible()
})
