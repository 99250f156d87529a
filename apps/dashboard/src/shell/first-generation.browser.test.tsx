import * as contract from '@causeway/contract'
import type { Endpoint } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, knowOnly } from '../../test/fake-api.ts'
import { sampleConfigProfile, sampleNode, sampleUser, uuid } from '../../test/samples.ts'
import { showPage } from '../../test/screen.tsx'
import { answerSmallPanel } from '../../test/small-panel.ts'

// Every page on a server of version 2.1.4, which has none of our own routes: it shows what that server has, says what it
// cannot, and neither waits for ever nor calls that a failure.

/** Routes of the wire that came after 2.1.4. */
const LATER: readonly Endpoint[] = [
  contract.deleteAllHwidDevices,
  contract.encryptHappLink,
  contract.generateKeyPairs,
  contract.getHwidStats,
  contract.getSubscriptionRequestStats,
  contract.listExternalSquads,
  contract.listHwidDevices,
  contract.listPageConfigs,
  contract.listSubscriptionTemplates,
  contract.listSubscriptionRequests,
  contract.listUserSubscriptionRequests,
]

const CANNOT = 'This server cannot do that'

beforeEach(() => {
  answerSmallPanel()
  const user = sampleUser()
  const profile = sampleConfigProfile({ uuid: uuid(201) })
  answer(contract.getUser, () => user)
  answer(contract.getNode, () => sampleNode())
  answer(contract.getConfigProfile, () => profile)
  answer(contract.getUserUsage, () => [])
  answer(contract.getUserAccessibleNodes, () => ({ userUuid: user.uuid, activeNodes: [] }))
  answer(contract.listUserHwidDevices, () => ({ total: 0, devices: [] }))
  answer(contract.listInfraBillingHistory, () => ({ records: [], total: 0 }))
  answer(contract.getSubscriptionTemplate, ({ templateType }) => ({
    uuid: uuid(900),
    templateType: contract.templateType.parse(templateType),
    templateJson: {},
    encodedTemplateYaml: null,
  }))
  knowOnly((endpoint) => !endpoint.path.startsWith('/api/x/') && !LATER.includes(endpoint))
})

it.each([
  ['home', 'First steps'],
  ['management/users', 'alice'],
  [`management/users?user=${uuid(1)}`, 'alice'],
  ['management/devices', CANNOT],
  ['management/internal-squads', 'Friends'],
  ['management/config-profiles', 'Main profile'],
  [`management/config-profiles/${uuid(201)}`, 'Main profile'],
  ['management/hosts', 'Poland'],
  ['management/nodes', 'Warsaw'],
  ['management/bandwidth-table', 'Nodes bandwidth table'],
  ['management/metrics/nodes', CANNOT],
  ['management/stats/nodes', CANNOT],
  ['crm/infra-billing', 'No providers yet'],
  ['management/subscription-settings', 'Support link'],
  ['utils/happ-routing-builder', 'Domain strategy'],
  ['utils/subscription-page-builder', CANNOT],
  ['utils/installation', CANNOT],
  ['templates/xray-json', 'importing JSON subscription'],
])('on a server of version 2.1.4, %s shows “%s”, no failure, and nothing that is still coming', async (address, shown) => {
  await showPage(`/dashboard/${address}`)
  const screen = () => document.body.textContent
  await expect.poll(screen).toContain(shown)
  // A page that has come to rest: what is asked second, after an answer, included.
  const coming = () => [...document.querySelectorAll('[aria-busy=true], .mantine-Skeleton-root, .mantine-Loader-root')]
  await expect.poll(() => coming().filter((one) => !one.closest('[aria-hidden]')), { timeout: 20_000 }).toEqual([])
  const alerts = page.getByRole('alert').elements()
  expect(alerts.map((one) => one.textContent).filter((text) => text !== '')).toEqual([])
  expect(screen()).not.toMatch(/Cannot (GET|POST)|could not be loaded|does not have the expected form/)
})

it('a write that such a server does not know fails with a sentence that says so', async () => {
  await showPage('/dashboard/management/users')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this list…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this list' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Paid long')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(page.getByText('This server is older than the dashboard, or of another make')).toBeVisible()
})
