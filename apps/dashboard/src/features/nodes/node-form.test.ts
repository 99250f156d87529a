import { createNode, type Inbound, type Node, updateNode } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { emptyNodeForm, type NodeForm, toCreateBody, toNodeForm, toNodePatch } from './node-form.ts'

const uuid = (digit: string) => `${digit.repeat(8)}-1111-4111-8111-${digit.repeat(12)}`
const inbound: Inbound = {
  uuid: uuid('b'),
  profileUuid: uuid('a'),
  tag: 'VLESS',
  type: 'vless',
  network: 'tcp',
  security: null,
  port: 443,
  rawInbound: null,
}
const node: Node = {
  uuid: uuid('c'),
  name: 'Frankfurt',
  address: '192.0.2.7',
  port: 2222,
  isTrafficTrackingActive: true,
  trafficLimitBytes: 123_456_789_012,
  notifyPercent: 80,
  trafficResetDay: 5,
  countryCode: 'DE',
  consumptionMultiplier: 1.5,
  configProfile: { activeConfigProfileUuid: uuid('a'), activeInbounds: [inbound] },
  providerUuid: null,
  isConnected: true,
  isConnecting: false,
  isDisabled: false,
  isNodeOnline: true,
  isXrayRunning: true,
  lastStatusChange: null,
  lastStatusMessage: null,
  xrayVersion: '26.1.1',
  nodeVersion: '2.1.0',
  xrayUptime: '60',
  trafficUsedBytes: 0,
  usersOnline: 0,
  viewPosition: 0,
  cpuCount: null,
  cpuModel: null,
  totalRam: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  provider: null,
}

/** What is sent when these fields have been changed by hand. */
function patch(change: Partial<NodeForm>) {
  const changed = new Set(Object.keys(change) as (keyof NodeForm)[]) // the keys of a part of a form
  return toNodePatch(node.uuid, { values: { ...toNodeForm(node), ...change }, changed })
}

describe('node form', () => {
  it('NODE-042 reset day and multiplier start at 1', () => {
    expect(emptyNodeForm()).toMatchObject({ trafficResetDay: 1, consumptionMultiplier: 1 })
    expect(toNodeForm({ ...node, trafficResetDay: null }).trafficResetDay).toBe(1)
  })

  it('NODE-074 the limit is GiB in the form and bytes on the wire', () => {
    expect(patch({ trafficLimitGib: 2 })).toEqual({ uuid: node.uuid, trafficLimitBytes: 2 * 1024 ** 3 })
    expect(toNodeForm({ ...node, trafficLimitBytes: 5 * 1024 ** 3 }).trafficLimitGib).toBe(5)
  })

  it('a limit that was not touched keeps its exact bytes', () => {
    expect(patch({})).toEqual({ uuid: node.uuid })
  })

  it('name and address are trimmed and only changes are sent', () => {
    expect(patch({ name: ' Paris ', address: ' 192.0.2.7 ' })).toEqual({ uuid: node.uuid, name: 'Paris', address: '192.0.2.7' })
  })

  it('NODE-066 what the form makes passes the contract, and a node without a profile is not sent', () => {
    const form = { ...toNodeForm(node), port: 443 }
    expect(createNode.body.safeParse(toCreateBody(form)).success).toBe(true)
    expect(updateNode.body.safeParse(patch(form)).success).toBe(true)
    expect(toCreateBody(emptyNodeForm())).toBeUndefined()
    expect(createNode.body.safeParse({ ...toCreateBody(form), name: 'ab' }).success).toBe(false)
  })
})
