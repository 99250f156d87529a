import { createNode, type Inbound, updateNode } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { sampleNode } from '../../../test/samples.ts'
import { nodeForm, type NodeForm, toCreateBody, toNodePatch } from './node-form.ts'

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
const node = sampleNode({
  name: 'Frankfurt',
  address: '192.0.2.7',
  isTrafficTrackingActive: true,
  trafficLimitBytes: 123_456_789_012,
  notifyPercent: 80,
  trafficResetDay: 5,
  countryCode: 'DE',
  consumptionMultiplier: 1.5,
  configProfile: { activeConfigProfileUuid: uuid('a'), activeInbounds: [inbound] },
})

/** What is sent when these fields have been changed by hand. */
function patch(change: Partial<NodeForm>) {
  const changed = new Set(Object.keys(change) as (keyof NodeForm)[]) // the keys of a part of a form
  return toNodePatch(node.uuid, { values: { ...nodeForm.fromEntity(node), ...change }, changed })
}

describe('node form', () => {
  it('NODE-042 reset day and multiplier start at 1', () => {
    expect(nodeForm.empty()).toMatchObject({ trafficResetDay: 1, consumptionMultiplier: 1 })
    expect(nodeForm.fromEntity({ ...node, trafficResetDay: null }).trafficResetDay).toBe(1)
  })

  it('NODE-074 the limit is GiB in the form and bytes on the wire', () => {
    expect(patch({ trafficLimitBytes: 2 })).toEqual({ uuid: node.uuid, trafficLimitBytes: 2 * 1024 ** 3 })
    expect(nodeForm.fromEntity({ ...node, trafficLimitBytes: 5 * 1024 ** 3 }).trafficLimitBytes).toBe(5)
  })

  it('every field goes to the form and back unchanged', () => {
    const { activeConfigProfileUuid, activeInbounds } = node.configProfile
    const configProfile = { activeConfigProfileUuid, activeInbounds: activeInbounds.map((one) => one.uuid) }
    const sent = nodeForm.toWire(nodeForm.fromEntity({ ...node, trafficLimitBytes: 5 * 1024 ** 3 }))
    expect({ ...node, ...sent }).toEqual({
      ...node,
      trafficLimitBytes: 5 * 1024 ** 3,
      configProfile,
      tags: [],
      ips: [],
      note: null,
      activePluginUuid: null,
    })
    expect(Object.keys(sent).toSorted()).toEqual(nodeForm.names.toSorted())
  })

  it('a limit that was not touched keeps its exact bytes', () => {
    expect(patch({})).toEqual({ uuid: node.uuid })
  })

  it('name and address are trimmed and only changes are sent', () => {
    expect(patch({ name: ' Paris ', address: ' 192.0.2.7 ' })).toEqual({ uuid: node.uuid, name: 'Paris', address: '192.0.2.7' })
  })

  it('NODE-066 what the form makes passes the contract, and a node without a profile is not sent', () => {
    const form = { ...nodeForm.fromEntity(node), port: 443 }
    expect(createNode.body.safeParse(toCreateBody(form)).success).toBe(true)
    expect(updateNode.body.safeParse(patch(form)).success).toBe(true)
    expect(toCreateBody(nodeForm.empty())).toBeUndefined()
    expect(createNode.body.safeParse({ ...toCreateBody(form), name: 'ab' }).success).toBe(false)
  })
})
