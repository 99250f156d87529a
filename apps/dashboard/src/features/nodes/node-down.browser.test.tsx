import { bulkDisableHosts, getNode, listHosts, listInternalSquads, listNodes, planChange } from '@causeway/contract'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { answer, requests } from '../../../test/fake-api.ts'
import {
  sampleHost,
  sampleInbound,
  sampleInternalSquad,
  sampleLosses,
  sampleNode,
  samplePlan,
  uuid,
} from '../../../test/samples.ts'
import { showPage } from '../../../test/screen.tsx'
import { answerSmallPanel } from '../../../test/small-panel.ts'

const NODES = '/dashboard/management/nodes'
const inbound = sampleInbound()
const down = sampleNode({
  address: 'warsaw.example',
  isConnected: false,
  isConnecting: false,
  isNodeOnline: false,
  isXrayRunning: false,
  lastStatusMessage: 'warsaw.example:2222 refused the connection.',
  lastStatusChange: '2026-11-20T10:00:00.000Z',
  configProfile: { activeConfigProfileUuid: uuid(201), activeInbounds: [inbound] },
})
const led = { configProfileUuid: uuid(201), configProfileInboundUuid: inbound.uuid }
const host = (place: number, fields: Parameters<typeof sampleHost>[0]) =>
  sampleHost({ uuid: uuid(500 + place), inbound: led, nodes: [], ...fields })
const edit = page.getByRole('dialog', { name: 'Edit node' })
const said = edit.getByRole('group', { name: 'This node is down' })

beforeEach(() => {
  answerSmallPanel()
  answer(listNodes, () => [down])
  answer(getNode, () => down)
  answer(listHosts, () => [
    host(1, { remark: 'By address', address: 'warsaw.example' }),
    host(2, { remark: 'By word', address: 'cdn.example', nodes: [down.uuid] }),
    host(3, { remark: 'Also elsewhere', address: 'warsaw.example, oslo.example' }),
    host(4, { remark: 'Elsewhere', address: 'oslo.example' }),
    host(5, { remark: 'Off', address: 'warsaw.example', isDisabled: true }),
  ])
  answer(listInternalSquads, () => ({
    total: 2,
    internalSquads: [
      sampleInternalSquad({ uuid: uuid(301), name: 'Friends', inbounds: [inbound] }),
      sampleInternalSquad({ uuid: uuid(302), name: 'Others', inbounds: [] }),
    ],
  }))
  answer(planChange, () => samplePlan({ users: sampleLosses({ all: 3, some: 40, online: 0 }) }))
  answer(bulkDisableHosts, () => [])
})

it('a node that is down says since when, for whom, what leads there, and takes its hosts out in one action', async () => {
  await showPage(`${NODES}?edit=${down.uuid}`)
  await expect.element(said).toMatchTextContent(/Since Nov 20, 2026/)
  await expect.element(said).toMatchTextContent('3 users have no other way in. 40 users have other ways in.')
  await expect.element(said).toMatchTextContent('Squads that use it: Friends')
  await expect.element(said).toMatchTextContent(/lead only to it: By address, By word/)
  await expect.element(said).not.toMatchTextContent(/elsewhere|Others|Off/)
  expect(requests(planChange)).toEqual([{ saveNode: { uuid: down.uuid, isDisabled: true } }])

  await said.getByRole('button', { name: 'Disable 2 hosts' }).click()
  const question = page.getByRole('dialog', { name: 'Disable 2 hosts' })
  await question.getByRole('button', { name: 'Disable 2 hosts' }).click()
  await expect.poll(() => requests(bulkDisableHosts)).toEqual([{ uuids: [uuid(501), uuid(502)] }])
  await said.getByRole('button', { name: 'Users it served last' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

it('one that serves says nothing of the kind', async () => {
  answer(getNode, () => sampleNode())
  await showPage(`${NODES}?edit=${down.uuid}`)
  await expect.element(edit.getByRole('button', { name: 'Save' })).toBeVisible()
  await expect.element(said).not.toBeInTheDocument()
})
