import {
  createNode,
  errors,
  getNode,
  getNodePublicKey,
  getProofOptions,
  listConfigProfiles,
  listNodes,
  listNodesRealtimeUsage,
  proveIdentity,
  updateNode,
  type Node,
} from '@causeway/contract'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { violations } from '../../../test/axe.ts'
import { answer, refuse, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleNode, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const NODES = '/dashboard/management/nodes'
const dialog = (name: string) => page.getByRole('dialog', { name })
const toast = (text: string) => page.getByRole('alert').filter({ hasText: text })
const row = (name: string) => page.getByRole('list', { name: 'Nodes' }).getByRole('listitem').filter({ hasText: name })
const edit = dialog('Edit node')

let node: Node
beforeEach(() => {
  node = sampleNode()
  answerSmallPanel()
  answer(listNodes, () => [node])
  answer(getNode, () => node)
})

it('NODE-001 NODE-002 NODE-003 NODE-004 the page has its way back, its words, its tiles and its buttons', async () => {
  const [up, down] = [{ uploadBytes: 3 * 1024 ** 3, uploadSpeedBps: 1024 ** 2 }, { downloadBytes: 5 * 1024 ** 3 }]
  const sums = { totalBytes: 8 * 1024 ** 3, downloadSpeedBps: 2 * 1024 ** 2, totalSpeedBps: 3 * 1024 ** 2 }
  answer(listNodesRealtimeUsage, () => [
    { nodeUuid: node.uuid, nodeName: node.name, countryCode: node.countryCode, ...up, ...down, ...sums },
  ])
  await showPage(NODES)
  await expect.element(page.getByRole('navigation', { name: 'Breadcrumbs' })).toMatchTextContent(/^Dashboard\/Nodes$/)
  await expect.element(page.getByRole('heading', { level: 1 })).toMatchTextContent(/^Nodes$/)
  await expect.element(page.getByText('The servers that carry the traffic')).toBeVisible()
  const tiles = () =>
    page
      .getByRole('main')
      .getByRole('term')
      .elements()
      .map((tile) => tile.textContent)
  await expect.poll(tiles).toEqual(['Total upload', 'Total download', 'Average speed', 'Nodes with traffic'])
  const figures = () =>
    page
      .getByRole('main')
      .getByRole('definition')
      .elements()
      .map((figure) => figure.textContent)
  await expect
    .poll(figures)
    .toEqual([
      expect.stringMatching(/^3\.00 GiB/),
      expect.stringMatching(/^5\.00 GiB/),
      expect.stringMatching(/^3\.00 MiB\/s/),
      expect.stringMatching(/^1/),
    ])
  for (const name of ['Refresh nodes', 'Restart all nodes', 'New node'])
    await expect.element(page.getByRole('main').getByRole('button', { name }).first()).toBeVisible()
})

it('NODE-067 NODE-068 what is missing or wrong is said at its field', async () => {
  // The only profile would be chosen.
  const profiles = [sampleConfigProfile(), sampleConfigProfile({ uuid: uuid(202), name: 'Other profile' })]
  answer(listConfigProfiles, () => ({ total: 2, configProfiles: profiles }))
  await showPage(`${NODES}?create=new`)
  const created = dialog('New node')
  const port = created.getByLabelText('Port')
  for (const text of ['99999', '-5']) {
    await port.fill(text)
    await userEvent.tab()
    await expect.element(created.getByText('Must be from 1 to 65535.')).toBeVisible()
    await expect.element(port).toHaveValue(text)
  }
  await port.fill('')
  await created.getByLabelText('Internal name').fill('x')
  await created.getByLabelText('Internal name').fill('')
  await created.getByRole('button', { name: 'Create' }).click()
  for (const text of ['Enter a name', 'Enter a domain or an IP address', 'Enter a port', 'Choose a config profile'])
    await expect.element(created.getByText(text)).toBeVisible()
})

it('a node says which of its ports are closed to subscribers, or that its core still runs without that rule', async () => {
  node = sampleNode({ closingRule: { isDelivered: true, ports: [61000, 61001, 61002] } })
  const shown = await showPage(`${NODES}?edit=${node.uuid}`)
  await expect.element(edit.getByText(/^Closed to subscribers: TCP 61000, 61001, and 61002 at this node/)).toBeVisible()
  await shown.unmount()
  node = sampleNode({ closingRule: { isDelivered: false, ports: [] } })
  await showPage(`${NODES}?edit=${node.uuid}`)
  await expect.element(edit.getByRole('alert').getByText('Subscribers can reach the agent of this node')).toBeVisible()
})

it.each(['not a host!', 'https://example.com', '1.2.3.4:2222'])('“%s” is no address of a node', async (text) => {
  await showPage(`${NODES}?create=new`)
  const created = dialog('New node')
  await created.getByRole('textbox', { name: 'Address', exact: true }).fill(text)
  await created.getByRole('button', { name: 'Create' }).click()
  await expect.element(created.getByText('Enter a domain or an IP address, without a scheme, a port or a path')).toBeVisible()
  expect(requests(createNode)).toEqual([])
})

it('NODE-013 NODE-014 NODE-016 NODE-017 NODE-019 NODE-057 a row says where, how much and opens for editing', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  const german = sampleNode({
    name: 'limited',
    address: 'limited.example.com',
    countryCode: 'DE',
    isTrafficTrackingActive: true,
    trafficLimitBytes: 10 * 1024 ** 3,
    trafficResetDay: 12,
  })
  const unknown = sampleNode({ uuid: uuid(402), name: 'nowhere', countryCode: 'XX', viewPosition: 2 })
  answer(listNodes, () => [german, unknown])
  answer(getNode, () => german)
  const screen = await showPage(NODES)
  const known = row('limited')
  await expect.element(known.getByRole('img', { name: 'Germany' })).toBeVisible()
  const nowhere = row('nowhere')
  await expect.element(nowhere.getByRole('button', { name: 'nowhere', exact: true })).toBeVisible()
  expect(nowhere.getByRole('button', { name: 'nowhere', exact: true }).getByRole('img').query()).toBeNull()
  for (const text of ['Resets on day 12', '0 B', '10.00 GiB']) await expect.element(known).toMatchTextContent(text)
  await expect.element(nowhere).toMatchTextContent('∞')
  expect(nowhere.getByRole('progressbar').query()).toBeNull()
  await expect.element(nowhere.getByRole('img', { name: 'Traffic 0 B of ∞' })).toHaveAttribute('data-color', 'teal')
  await known.getByRole('button', { name: 'Copy address limited.example.com' }).click()
  await expect.element(toast('Copied')).toBeVisible()
  expect(copy).toHaveBeenCalledWith('limited.example.com')
  expect(screen.address()).not.toContain('edit=')
  await known.getByText('Resets on day 12').click()
  await expect.element(edit.getByLabelText('Internal name')).toHaveValue('limited')
})

it('NODE-027 NODE-028 NODE-029 NODE-058 NODE-069 NODE-070 NODE-071 NODE-072 NODE-081 a node is edited, and only changes are sent', async () => {
  answer(updateNode, () => node)
  await showPage(`${NODES}?edit=${node.uuid}`)
  const save = edit.getByRole('button', { name: 'Save' })
  await expect.element(save).toBeDisabled()
  expect(edit.getByLabelText('Traffic limit').query()).toBeNull()
  await edit.getByRole('switch', { name: 'Track traffic' }).click()
  await edit.getByLabelText('Traffic limit').fill('2')
  const day = edit.getByLabelText('Reset day')
  await day.fill('31')
  const notify = edit.getByLabelText('Notify at')
  await notify.fill('80')
  const slider = edit.getByRole('slider', { name: 'Consumption multiplier' })
  await expect.element(slider).toHaveAttribute('aria-valuemin', '0.1')
  await expect.element(slider).toHaveAttribute('aria-valuemax', '10')
  slider.element().focus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(slider).toHaveAttribute('aria-valuenow', '1.1')
  await save.click()
  await expect.element(toast('Node updated successfully')).toBeVisible()
  expect(requests(updateNode)).toEqual([
    {
      uuid: node.uuid,
      isTrafficTrackingActive: true,
      trafficLimitBytes: 2 * 1024 ** 3,
      trafficResetDay: 31,
      notifyPercent: 80,
      consumptionMultiplier: 1.1,
    },
  ])
  await expect.element(edit).not.toBeInTheDocument()
})

it('NODE-037 NODE-040 NODE-089 the key is there to be copied, and an open error message is shown', async () => {
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  node = sampleNode({ isConnected: false, isNodeOnline: false, lastStatusMessage: 'nobody is there' })
  await showPage(`${NODES}?edit=${node.uuid}`)
  await expect.poll(() => requests(getNodePublicKey)).toEqual([{}])
  await edit.getByRole('button', { name: 'Copy Key of this panel' }).click()
  expect(copy).toHaveBeenCalledWith('SSL_CERT="key"')
  await expect.element(edit.getByRole('button', { name: 'Last error message' })).toHaveAttribute('aria-expanded', 'true')
  await expect.element(edit.getByText('nobody is there')).toBeVisible()
  await userEvent.unhover(edit.getByRole('button', { name: 'Copied' }))
  await expect.element(page.getByRole('tooltip')).not.toBeInTheDocument()
  expect(await violations()).toEqual([])
})

it('a dialog with changes asks before it closes, and back closes it too', async () => {
  const screen = await showPage(NODES)
  await expect.element(row('Warsaw')).toBeVisible()
  row('Warsaw').getByRole('button', { name: 'Poland Warsaw' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(edit).toBeVisible()
  screen.back()
  await expect.element(edit).not.toBeInTheDocument()
  screen.go(`${NODES}?edit=${node.uuid}`)
  await edit.getByLabelText('Internal name').fill('another name')
  await userEvent.keyboard('{Escape}')
  const question = dialog('Discard changes?')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.element(edit.getByLabelText('Internal name')).toHaveValue('another name')
  await userEvent.keyboard('{Escape}')
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect.element(edit).not.toBeInTheDocument()
})

it('SIGN-008 the key of the panel is shown after another proof, where the last one is old', async () => {
  refuse(getNodePublicKey, errors.proofNeeded)
  answer(getProofOptions, () => ({ isCodeAsked: false, passkey: null }))
  answer(proveIdentity, () => {
    answer(getNodePublicKey, () => ({ pubKey: 'the key' }))
    return { provenAt: new Date().toISOString() }
  })
  node = sampleNode({ isConnected: false })
  await showPage(`${NODES}?edit=${node.uuid}`)
  await edit.getByRole('button', { name: 'Show the key' }).click()
  const proof = dialog('Confirm that it is you')
  await proof.getByLabelText(/^Password/).fill('Correct4horse')
  await userEvent.keyboard('{Enter}')
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await edit.getByRole('button', { name: 'Copy Key of this panel' }).click()
  expect(copy).toHaveBeenCalledWith('SSL_CERT="the key"')
})
