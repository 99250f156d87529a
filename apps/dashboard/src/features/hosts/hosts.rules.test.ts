import type { ConfigProfile, Host, Inbound, Node } from '@causeway/contract'
import { expect, it } from 'vitest'
import { canHaveExtra, isFiltering, matchesFilters, nodesWithoutInbound, noFilters, originOf } from './hosts.rules.ts'

function inbound(uuid: string, profileUuid: string, network: string): Inbound {
  return { uuid, profileUuid, tag: uuid, type: 'vless', network, security: null, port: 443, rawInbound: null }
}
function profile(uuid: string, inbounds: Inbound[]): ConfigProfile {
  return { uuid, name: uuid, config: {}, inbounds, nodes: [], createdAt: '', updatedAt: '' }
}
const profiles = [profile('p', [inbound('i', 'p', 'tcp'), inbound('x', 'p', 'xhttp')]), profile('q', [inbound('j', 'q', 'tcp')])]

// The rules read only these fields.
const host = {
  remark: 'Germany 1',
  address: 'de.example.net',
  tag: 'EU',
  tags: ['EU', 'FAST'],
  inbound: { configProfileUuid: 'p', configProfileInboundUuid: 'i' },
} as Host

it.each([
  [{ remark: 'GERM' }, true],
  [{ remark: 'france' }, false],
  [{ address: 'EXAMPLE' }, true],
  [{ configProfileUuid: 'p' }, true],
  [{ configProfileUuid: 'q' }, false],
  [{ configProfileUuid: 'p', inboundUuid: 'x' }, false],
  [{ remark: 'germ', address: 'fr.' }, false],
  [{ tag: 'FAST' }, true],
  [{ tag: 'FAS' }, false],
])('with %o the host is found: %s', (filters, isFound) => {
  expect(matchesFilters(host, { ...noFilters, ...filters })).toBe(isFound)
  expect(isFiltering({ ...noFilters, ...filters })).toBe(true)
  expect(isFiltering(noFilters)).toBe(false)
})

it('a host whose profile or inbound is gone is told apart', () => {
  expect(originOf(host, profiles)).toEqual({ profile: profiles[0], inbound: profiles[0]!.inbounds[0] })
  expect(originOf(host, [])).toEqual({ profile: undefined, inbound: undefined })
  expect(originOf({ ...host, inbound: { ...host.inbound, configProfileInboundUuid: 'gone' } }, profiles).inbound).toBeUndefined()
})

it('extra XHTTP parameters need an inbound of a profile that speaks xhttp', () => {
  expect(canHaveExtra(inbound('i', 'p', 'tcp'), profiles)).toBe(true)
  expect(canHaveExtra(inbound('j', 'q', 'tcp'), profiles)).toBe(false)
  expect(canHaveExtra(null, profiles)).toBe(false)
})

it('of the chosen nodes those that do not run the inbound are named', () => {
  const [runs, idle, notChosen] = [['i'], ['j'], []].map((tags, index) => ({
    uuid: `node-${index}`,
    configProfile: { activeConfigProfileUuid: 'p', activeInbounds: tags.map((tag) => inbound(tag, 'p', 'tcp')) },
  })) as [Node, Node, Node] // the rule reads only these fields
  expect(nodesWithoutInbound([runs.uuid, idle.uuid], inbound('i', 'p', 'tcp'), [runs, idle, notChosen])).toEqual([idle])
  expect(nodesWithoutInbound([idle.uuid], null, [idle])).toEqual([])
})
