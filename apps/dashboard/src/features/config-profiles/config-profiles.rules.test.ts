import type { ConfigProfile, Inbound } from '@causeway/contract'
import { describe, expect, it } from 'vitest'
import { searchProfiles, toggleInbound, toggleProfile } from './config-profiles.rules.ts'

function inbound(uuid: string, profileUuid: string, tag = uuid, type = 'vless'): Inbound {
  return { uuid, profileUuid, tag, type, network: 'tcp', security: null, port: 443, rawInbound: null }
}
function profile(uuid: string, name: string, inbounds: Inbound[]): ConfigProfile {
  return { uuid, name, config: {}, inbounds, nodes: [], createdAt: '', updatedAt: '' }
}
const a1 = inbound('a1', 'a', 'VLESS_TCP')
const a2 = inbound('a2', 'a', 'Trojan_WS', 'trojan')
const b1 = inbound('b1', 'b', 'SS_1', 'shadowsocks')
const profiles = [profile('a', 'Europe', [a1, a2]), profile('b', 'Asia', [b1])]
const tags = (found: readonly ConfigProfile[]) => found.map(({ name, inbounds }) => [name, inbounds.map(({ tag }) => tag)])

describe('choosing inbounds', () => {
  it('for a node an inbound of another profile replaces the selection with that inbound alone', () => {
    expect(toggleInbound('one-profile', [a1, a2], b1)).toEqual([b1])
    expect(toggleInbound('one-profile', [a1], a2)).toEqual([a1, a2])
  })

  it('for a node removing the last inbound leaves nothing', () => {
    expect(toggleInbound('one-profile', [a1], a1)).toEqual([])
  })

  it('for a host a second inbound replaces the first', () => {
    expect(toggleInbound('single', [a1], a2)).toEqual([a2])
  })

  it('for a squad inbounds of all profiles go together', () => {
    expect(toggleInbound('any', [a1], b1)).toEqual([a1, b1])
    expect(toggleProfile('any', [a1, b1], profiles[0]!, true)).toEqual([b1, a1, a2])
    expect(toggleProfile('any', [a1, a2, b1], profiles[0]!, false)).toEqual([b1])
    const shown = profile('a', 'Europe', [a2]) // as a search shows it
    expect(toggleProfile('any', [a1, b1], shown, true)).toEqual([a1, b1, a2])
    expect(toggleProfile('one-profile', [a1], shown, true)).toEqual([a1, a2])
    expect(toggleProfile('any', [a1, a2], shown, false)).toEqual([a1])
  })
})

describe('searching profiles', () => {
  it('matches profile name, tag and type, whatever the case', () => {
    expect(tags(searchProfiles(profiles, 'EUR'))).toEqual([['Europe', ['VLESS_TCP', 'Trojan_WS']]])
    expect(tags(searchProfiles(profiles, 'trojan_w'))).toEqual([['Europe', ['Trojan_WS']]])
    expect(tags(searchProfiles(profiles, 'Shadow'))).toEqual([['Asia', ['SS_1']]])
    expect(searchProfiles(profiles, 'nothing')).toEqual([])
    expect(searchProfiles(profiles, '  ')).toBe(profiles)
  })
})
