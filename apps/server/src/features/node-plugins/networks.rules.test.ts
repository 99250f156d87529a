import { describe, expect, test } from 'vitest'
import type { PluginConfig } from '@causeway/contract'
import { filtersOf, torrentRuleOf } from './filters.rules.ts'
import { Holder } from '../../lib/addresses.ts'
import { listsIn, networkProblems } from './networks.rules.ts'

const lists = new Map([['ads', ['198.51.100.0/24', '2001:db8::/32']]])
const kept = [{ address: '203.0.113.7', whose: 'the address of this server' }]
const ingress = (...blockedIps: string[]): PluginConfig => ({ ingressFilter: { enabled: true, blockedIps } })

describe('networks that are refused', () => {
  test.each<[string, PluginConfig, string]>([
    [
      'no network',
      ingress('example.com'),
      'ingressFilter.blockedIps: example.com is no address or network such as 203.0.113.0/24.',
    ],
    ['an unknown list', ingress('ext:bots'), 'ingressFilter.blockedIps: there is no shared list bots.'],
    [
      'the server',
      ingress('203.0.113.0/24'),
      'ingressFilter.blockedIps: 203.0.113.0/24 would lock out 203.0.113.7, which is the address of this server.',
    ],
    ['all of IPv6', ingress('::/0'), 'ingressFilter.blockedIps: ::/0 would lock out ::1, which is the node itself.'],
    ['all', ingress('0.0.0.0/0'), 'ingressFilter.blockedIps: 0.0.0.0/0 would lock out 127.0.0.1, which is the node itself.'],
    [
      'loopback on the way out',
      { egressFilter: { enabled: false, blockedIps: ['::1'] } },
      'egressFilter.blockedIps: ::1 would lock out ::1, which is the node itself.',
    ],
  ])('PLUG-003 %s', (_, config, sentence) => {
    expect(networkProblems(config, lists, kept)).toEqual([sentence])
  })

  test('PLUG-003 others are taken, and a server may be out of reach of its nodes', () => {
    const config = { ...ingress('ext:ads', '192.0.2.1'), egressFilter: { enabled: true, blockedIps: ['203.0.113.0/24'] } }
    expect(networkProblems(config, lists, kept)).toEqual([])
  })

  test('no more than five sentences are told at once', () => {
    expect(networkProblems(ingress(...Array.from({ length: 9 }, (_, index) => `no ${index}`)), lists, kept)).toHaveLength(5)
  })
})

test('an address is found with the network that holds it', () => {
  const holder = new Holder(['198.51.100.0/24', '192.0.2.1', '2001:db8::/32'])
  expect(['198.51.100.9', '192.0.2.1', '192.0.2.2', '2001:db8::9', '::1'].map((address) => holder.find(address))).toEqual([
    '198.51.100.0/24',
    '192.0.2.1',
    undefined,
    '2001:db8::/32',
    undefined,
  ])
})

describe('what an agent is told', () => {
  const config: PluginConfig = {
    ...ingress('ext:ads', '192.0.2.1', '192.0.2.1'),
    egressFilter: { enabled: false, blockedIps: ['10.0.0.0/8'], blockedPorts: [25] },
    torrentBlocker: { enabled: true, blockDuration: 60, ignoreLists: { ip: ['ext:ads'], userId: [7] }, rulePlacement: 2 },
    connectionDrop: { enabled: true },
    preStart: { enabled: true, cleanupSockets: { enabled: true, files: ['/run/xray-*.sock'] } },
  }
  const plugin = { config, lists, exceptUsernames: ['ann'] }

  test('PLUG-003 lists stand in place of their names, and what is off is left out', () => {
    expect(listsIn(config)).toEqual(['ads'])
    expect(filtersOf(plugin)).toEqual({
      ingress: ['198.51.100.0/24', '2001:db8::/32', '192.0.2.1'],
      egress: [],
      egressPorts: [],
      torrents: { blockSeconds: 60, exceptAddresses: ['198.51.100.0/24', '2001:db8::/32'], exceptUsernames: ['ann'] },
      drops: { exceptAddresses: [] },
      socketFiles: ['/run/xray-*.sock'],
    })
  })

  test('PLUG-002 the torrent rule has its exceptions, and there is none while it is off', () => {
    expect(torrentRuleOf(plugin)).toEqual({
      placement: 2,
      ruleTags: [],
      exceptUsernames: ['ann'],
      exceptAddresses: ['198.51.100.0/24', '2001:db8::/32'],
    })
    expect(torrentRuleOf({ ...plugin, config: ingress() })).toBeUndefined()
  })
})
