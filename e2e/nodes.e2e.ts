import { deleteNode, getNode, listNodes, type ConfigProfile } from '@causeway/contract'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { startFaultProxy } from './stage/fault-proxy.ts'
import { moveByKeys } from './stage/move-by-keys.ts'
import { uniqueName } from './stage/seeding.ts'

const NODES = '/dashboard/management/nodes'
const toast = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text })
const list = (page: Page) => page.getByRole('list', { name: 'Nodes' })
const row = (page: Page, name: string) => list(page).getByRole('listitem').filter({ hasText: name })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function chooseInbounds(page: Page, profile: ConfigProfile): Promise<void> {
  await page.getByRole('button', { name: 'Choose', exact: true }).click()
  const picker = dialog(page, 'Config profile and inbounds')
  await picker.getByRole('searchbox').fill(profile.name)
  const control = picker.getByRole('button', { name: new RegExp(`^${profile.name}`) })
  await expect(control).toBeVisible()
  if ((await control.getAttribute('aria-expanded')) === 'false') await control.click()
  await picker.getByRole('checkbox').first().check()
  await picker.getByRole('button', { name: 'Apply' }).click()
  await expect(picker).toHaveCount(0)
}

test('NODE-007 NODE-023 NODE-024 NODE-031 NODE-034 NODE-073 NODE-080 NODE-092 NODE-061 a node is created from the form', async ({
  page,
  api,
  makeConfigProfile,
}) => {
  const profile = await makeConfigProfile()
  const name = uniqueName('node')
  await page.goto(NODES)
  await page.getByRole('button', { name: 'New node' }).first().click()
  const modal = dialog(page, 'New node')
  await expect.poll(async () => (await modal.boundingBox())?.width).toBe(900)
  await expect(page).toHaveURL(/create=new/)
  await expect(modal.getByRole('button', { name: 'Create' })).toBeDisabled()
  await modal.getByLabel('Internal name').fill(` ${name} `)
  await modal.getByRole('textbox', { name: 'Address', exact: true }).fill(` ${name}.invalid `)
  await page.getByRole('button', { name: 'Choose', exact: true }).click()
  await expect(dialog(page, 'Config profile and inbounds').getByRole('button', { name: 'Apply' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(modal).toBeVisible()
  await chooseInbounds(page, profile)
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/api/nodes'))
  const profilesAgain = page.waitForRequest('**/api/config-profiles')
  await modal.getByRole('button', { name: 'Create' }).click()
  expect((await sent).postDataJSON()).toEqual({
    name,
    address: `${name}.invalid`,
    port: 2222,
    countryCode: 'XX',
    isTrafficTrackingActive: false,
    trafficLimitBytes: 0,
    trafficResetDay: 1,
    notifyPercent: 0,
    consumptionMultiplier: 1,
    providerUuid: null,
    activePluginUuid: null,
    tags: [],
    note: null,
    ips: [],
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: [profile.inbounds[0]?.uuid] },
  })
  await profilesAgain
  await expect(toast(page, 'Node created successfully')).toBeVisible()
  await expect(modal).toHaveCount(0)
  await expect(row(page, name)).toBeVisible()
  expect((await api(listNodes, {})).map((node) => node.name)).toContain(name)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(`${NODES}?create=new`)
  await expect.poll(async () => (await dialog(page, 'New node').boundingBox())?.width).toBe(390)
})

test('NODE-038 NODE-039 NODE-082 NODE-083 a node is disabled, enabled and deleted, each after its question', async ({
  page,
  api,
  makeConfigProfile,
  makeNode,
}) => {
  const profile = await makeConfigProfile()
  const node = await makeNode(profile)
  const bystander = await makeNode(profile)
  await page.goto(`${NODES}?edit=${node.uuid}`)
  const modal = dialog(page, 'Edit node')
  const choose = async (item: string) => {
    await modal.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await choose('Disable')
  const disabled = page.waitForRequest('**/actions/disable')
  await dialog(page, `Disable node ${node.name}?`).getByRole('button', { name: 'Disable' }).click()
  expect(new URL((await disabled).url()).pathname).toBe(`/api/nodes/${node.uuid}/actions/disable`)
  expect((await disabled).postDataJSON()).toEqual({})
  await expect(modal.getByText('Disabled', { exact: true })).toBeVisible()
  expect((await api(getNode, { uuid: node.uuid })).isDisabled).toBe(true)
  await choose('Enable')
  await expect.poll(async () => (await api(getNode, { uuid: node.uuid })).isDisabled).toBe(false)
  await choose('Delete')
  await dialog(page, `Delete node ${node.name}?`).getByRole('button', { name: 'Cancel' }).click()
  await expect(modal).toBeVisible()
  await choose('Delete')
  const deleted = page.waitForRequest((request) => request.method() === 'DELETE')
  await dialog(page, `Delete node ${node.name}?`).getByRole('button', { name: 'Delete' }).click()
  expect(new URL((await deleted).url()).pathname).toBe(`/api/nodes/${node.uuid}`)
  await expect(toast(page, 'Node deleted successfully')).toBeVisible()
  await expect(modal).toHaveCount(0)
  const left = (await api(listNodes, {})).map(({ uuid }) => uuid)
  expect(left).not.toContain(node.uuid)
  expect(left).toContain(bystander.uuid)
})

test('NODE-006 NODE-008 NODE-065 NODE-086 NODE-085 NODE-088 an empty list, then the order is changed by hand and all are restarted', async ({
  page,
  panel,
  session,
  api,
  makeConfigProfile,
  makeNode,
}) => {
  test.setTimeout(120_000)
  for (const { uuid } of await api(listNodes, {})) await api(deleteNode, { uuid })
  const proxy = await startFaultProxy(panel.origin)
  await page.addInitScript((given) => localStorage.setItem('session', given), session.token)
  await page.goto(`${proxy.origin}${NODES}`)
  await expect(page.getByText('No nodes yet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Restart all nodes' })).toBeDisabled()

  const profile = await makeConfigProfile()
  for (const name of ['one', 'two', 'three']) await makeNode(profile, { name })
  await page.getByRole('button', { name: 'Refresh nodes' }).click()
  const order = () => list(page).getByRole('listitem').getByRole('button', { name: /^Move/ }).evaluateAll(byPlace)
  await expect.poll(order).toEqual(['Move one', 'Move two', 'Move three'])

  const sent = page.waitForRequest('**/api/nodes/actions/reorder')
  await moveByKeys(page, 'Move one', ['Space', 'ArrowDown', 'ArrowDown', 'Space'])
  const { nodes } = (await sent).postDataJSON()
  expect(nodes.map((node: { viewPosition: number }) => node.viewPosition)).toEqual([0, 1, 2])
  await expect.poll(order).toEqual(['Move two', 'Move three', 'Move one'])
  // Shown before it is answered.
  await expect.poll(async () => (await api(listNodes, {})).map(({ name }) => name)).toEqual(['two', 'three', 'one'])

  proxy.inject({
    path: '/api/nodes/actions/reorder',
    effect: { kind: 'answer', status: 500, body: { message: 'Reorder nodes error', errorCode: 'A057' } },
  })
  await moveByKeys(page, 'Move one', ['Space', 'ArrowUp', 'Space'])
  await expect(toast(page, 'Reorder nodes error')).toBeVisible()
  await expect.poll(order).toEqual(['Move two', 'Move three', 'Move one'])

  await page.getByRole('button', { name: 'Restart all nodes' }).click()
  await dialog(page, 'Restart all nodes?').getByRole('button', { name: 'Restart all nodes' }).click()
  await expect(toast(page, 'Please wait for the nodes to reconnect')).toBeVisible()
  await proxy.close()
})

/** Rows stand by position, not in the order of the document. */
function byPlace(buttons: Element[]): (string | null)[] {
  return buttons
    .toSorted((one, other) => one.getBoundingClientRect().top - other.getBoundingClientRect().top)
    .map((button) => button.getAttribute('aria-label'))
}
