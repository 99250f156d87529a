import {
  deleteNode,
  disableNode,
  getNode,
  listConfigProfiles,
  listNodes,
  planChange,
  updateNode,
  type Plan,
} from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../test/fake-api.ts'
import { sampleConfigProfile, sampleInbound, sampleNode, sampleLosses, samplePlan, uuid } from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

// What is said before a node is taken away from users, or its core restarts under them.

const NODES = '/dashboard/management/nodes'
const node = sampleNode()
const second = sampleInbound({ uuid: uuid(102), tag: 'SECOND' })
const edit = page.getByRole('dialog', { name: 'Edit node' })
const save = edit.getByRole('button', { name: 'Save' })
const dialog = (name: string) => page.getByRole('dialog', { name })
const planned = (core: Plan['nodes'][number]['core'], given: Partial<Plan> = {}) =>
  samplePlan({ nodes: [{ uuid: node.uuid, name: node.name, tags: [], core, isConnected: true, usersOnline: 0 }], ...given })

beforeEach(() => {
  answerSmallPanel()
  answer(listConfigProfiles, () => ({ total: 1, configProfiles: [sampleConfigProfile({ inbounds: [sampleInbound(), second] })] }))
  answer(listNodes, () => [node, sampleNode({ uuid: uuid(402), name: 'Oslo' })])
  answer(getNode, () => node)
  answer(updateNode, () => node)
})

it('of a node that moves to another address it is said that its core cannot be told of', async () => {
  answer(planChange, () => planned('unknown'))
  await showPage(`${NODES}?edit=${node.uuid}`)
  await edit.getByRole('textbox', { name: 'Address', exact: true }).fill('192.0.2.77')
  await save.click()
  const question = dialog('What this save does')
  await expect
    .element(question)
    .toMatchTextContent(/Nodes that move; whether a core restarts at the new address cannot be told.*Warsaw/)
  expect(question.element().textContent).not.toMatch(/Cores that restart|No core restarts/)
  expect(requests(planChange)).toMatchObject([{ saveNode: { uuid: node.uuid, address: '192.0.2.77' } }])
})

it('a node whose inbounds change says that its core restarts; its name is saved with one click', async () => {
  answer(planChange, () => planned('restarts'))
  await showPage(`${NODES}?edit=${node.uuid}`)
  await edit.getByLabelText('Name').fill('Warsaw 2')
  await save.click()
  await expect.poll(() => requests(updateNode)).toEqual([{ uuid: node.uuid, name: 'Warsaw 2' }])
  expect(requests(planChange)).toEqual([])

  await showPage(`${NODES}?edit=${node.uuid}`)
  await edit.getByRole('button', { name: 'Change' }).click()
  const picker = dialog('Config profile and inbounds')
  await picker.getByRole('checkbox', { name: /SECOND/ }).click()
  await picker.getByRole('button', { name: 'Apply' }).click()
  await save.click()
  const question = dialog('What this save does')
  await expect.element(question).toMatchTextContent('No user loses a way in.')
  await expect.element(question).toMatchTextContent(/Cores that restart.*Warsaw/)
  const inbounds = [uuid(101), second.uuid]
  expect(requests(planChange)).toEqual([{ saveNode: { uuid: node.uuid, profileUuid: uuid(201), inbounds } }])
  await question.getByRole('button', { name: 'Save now' }).click()
  const configProfile = { activeConfigProfileUuid: uuid(201), activeInbounds: inbounds }
  await expect.poll(() => requests(updateNode).at(-1)).toEqual({ uuid: node.uuid, configProfile })
})

it('disabling and deleting a node say who loses it', async () => {
  answer(planChange, () => planned('stops', { users: sampleLosses({ some: 3, all: 0, online: 2 }) }))
  answer(disableNode, () => ({ ...node, isDisabled: true }))
  answer(deleteNode, () => ({ isDeleted: true }))
  const choose = async (item: string): Promise<void> => {
    await edit.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await showPage(`${NODES}?edit=${node.uuid}`)
  await choose('Disable')
  const disabling = dialog('Disable node Warsaw?')
  await expect.element(disabling.getByRole('group', { name: 'What this does' })).toMatchTextContent('3 users lose a part of it.')
  await disabling.getByRole('button', { name: 'Disable' }).click()
  await expect.poll(() => requests(disableNode)).toHaveLength(1)
  await choose('Delete')
  await expect.element(dialog('Delete node Warsaw?')).toMatchTextContent(/Nodes that stop\s*Warsaw/)
  expect(requests(planChange)).toEqual([{ saveNode: { uuid: node.uuid, isDisabled: true } }, { deleteNode: { uuid: node.uuid } }])
})

it('disabling several nodes says it for all of them together', async () => {
  answer(planChange, () => planned('stops', { users: sampleLosses({ some: 0, all: 9, online: 4 }) }))
  await showPage(NODES)
  await page.getByRole('checkbox', { name: 'Select all nodes shown' }).click()
  await page.getByRole('region', { name: 'Selected nodes' }).getByRole('button', { name: 'Disable' }).click()
  await expect
    .element(dialog('Disable 2 nodes?'))
    .toMatchTextContent('9 users lose all access. 4 of them are online now, on whichever node.')
  expect(requests(planChange)).toEqual([{ saveNodes: { uuids: [node.uuid, uuid(402)], isDisabled: true } }])
})
