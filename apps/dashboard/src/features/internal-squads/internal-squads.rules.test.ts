import type { ConfigProfile, Inbound } from '@causeway/contract'
import { expect, it } from 'vitest'
import { flatInbounds } from './internal-squads.rules.ts'

function inbound(tag: string, type: string): Inbound {
  return { uuid: tag, profileUuid: 'p', tag, type, network: null, security: null, port: null, rawInbound: null }
}
const vless = inbound('EU_443', 'vless')
const trojan = inbound('EU_8443', 'trojan')
const profiles: ConfigProfile[] = [
  { uuid: 'p', name: 'Europe', config: {}, inbounds: [vless, trojan], nodes: [], createdAt: '', updatedAt: '' },
]
const tags = (...args: Parameters<typeof flatInbounds>) => flatInbounds(...args).map((row) => row.inbound.tag)

it('SQUAD-020 the flat list shows all, selected or unselected inbounds', () => {
  expect(tags(profiles, [vless], 'all', '')).toEqual(['EU_443', 'EU_8443'])
  expect(tags(profiles, [vless], 'selected', '')).toEqual(['EU_443'])
  expect(tags(profiles, [vless], 'unselected', '')).toEqual(['EU_8443'])
})

it('SQUAD-018 the search covers profile name, tag and type', () => {
  expect(tags(profiles, [], 'all', 'europe')).toEqual(['EU_443', 'EU_8443'])
  expect(tags(profiles, [], 'all', '844')).toEqual(['EU_8443'])
  expect(tags(profiles, [], 'all', 'VLE')).toEqual(['EU_443'])
  expect(tags(profiles, [], 'all', 'wireguard')).toEqual([])
})
