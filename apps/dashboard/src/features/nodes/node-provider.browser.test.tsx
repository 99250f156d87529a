import {
  getUsageHistory,
  getInfraProviderIcon,
  getNode,
  getNodePublicKey,
  getNodeUpdates,
  listConfigProfiles,
  listInfraProviders,
  listNodeTags,
  listNodes,
  listNodesRealtimeUsage,
  updateNode,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleNode, sampleProvider, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'

const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='
const provider = sampleProvider({ faviconLink: 'https://outside.example/icon.png' })

beforeEach(() => {
  answer(listNodeTags, () => ({ tags: [] }))
  answer(listInfraProviders, () => ({ total: 2, providers: [provider, sampleProvider({ uuid: uuid(602), name: 'Other' })] }))
  answer(getInfraProviderIcon, () => ({ icon: PIXEL }))
  answer(listNodesRealtimeUsage, () => [])
  answer(getNodeUpdates, () => ({
    carried: { agent: '0.2.0', core: '26.3.27', geo: null, processors: [] },
    nodes: [],
    last: null,
  }))
  answer(getUsageHistory, () => ({ timeZone: 'UTC', step: 'hour' as const, starts: [], nodes: [], usersOnline: [] }))
  answer(getNodePublicKey, () => ({ pubKey: 'key' }))
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile()] }))
})

it('NODE-015 a row shows the provider with its icon, which comes from the server', async () => {
  answer(listNodes, () => [sampleNode({ provider, providerUuid: provider.uuid })])
  await showPage('/dashboard/management/nodes')
  const name = page.getByRole('listitem').getByText('Hoster')
  await expect.element(name).toBeVisible()
  await expect.poll(() => name.element().parentElement?.querySelector('img')?.src).toBe(PIXEL)
})

it('NODE-030 the form has a provider, which is kept by its uuid and can be taken away', async () => {
  let node = sampleNode({ provider, providerUuid: provider.uuid })
  answer(listNodes, () => [node])
  answer(getNode, () => node)
  answer(updateNode, ({ providerUuid }) => (node = sampleNode({ providerUuid: providerUuid ?? null })))
  await showPage(`/dashboard/management/nodes?edit=${node.uuid}`)
  const dialog = page.getByRole('dialog', { name: 'Edit node' })
  const field = dialog.getByRole('combobox', { name: 'Provider' })
  await expect.element(field).toHaveValue('Hoster')
  await field.click()
  await page.getByRole('option', { name: 'Other' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => requests(updateNode)).toEqual([{ uuid: node.uuid, providerUuid: uuid(602) }])
})
