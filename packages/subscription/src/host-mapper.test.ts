import { expect, test } from 'vitest'
import type { HostMapper } from '@causeway/contract'
import { makeUser, prepare } from '../test/samples.ts'
import { mapped, mappedPairs } from './host-mapper.ts'
import { hostMapperProblems, hostProxies } from './host-preview.ts'

const tls = {
  network: 'ws',
  security: 'tls',
  wsSettings: { path: '/in' },
  tlsSettings: { serverName: 'in.example', alpn: ['h2'] },
}
const host = (mapper: HostMapper) =>
  prepare({ protocol: 'vless', streamSettings: tls }, { remark: 'one', address: 'a.example', tags: ['EU', 'B'], mapper })
const { source } = host({
  xrayJson: [
    { op: 'set', value: { domainStrategy: 'UseIP' }, to: 'streamSettings.sockopt' },
    { op: 'set', value: true, to: 'streamSettings.sockopt.tcpNoDelay' },
    { op: 'copy', from: 'streamSettings.tlsSettings.alpn', to: 'streamSettings.tlsSettings.alpn' },
    { op: 'copy', from: '$host.tags', to: 'note.tags[0]' },
    { op: 'copy', from: 'nowhere.at.all', to: 'lost' },
    { op: 'unset', to: 'settings.vnext[0].users[0].encryption' },
  ],
})

test('SNIP-004 steps copy, set and unset in their order; a missing source is passed over, and the proxy given stays', () => {
  const proxy = {
    tag: 'proxy',
    settings: { vnext: [{ users: [{ id: '1', encryption: 'none' }] }] },
    streamSettings: { tlsSettings: { alpn: ['h3'] } },
  }
  const before = JSON.stringify(proxy)
  expect(mapped(proxy, source, 'xrayJson')).toEqual({
    tag: 'proxy',
    settings: { vnext: [{ users: [{ id: '1' }] }] },
    streamSettings: { tlsSettings: { alpn: ['h2'] }, sockopt: { domainStrategy: 'UseIP', tcpNoDelay: true } },
    note: { tags: [['EU', 'B']] },
  })
  expect(JSON.stringify(proxy)).toBe(before)
  expect(mapped(proxy, source, 'mihomo')).toBe(proxy)
  expect(mapped(proxy, null, 'xrayJson')).toBe(proxy)
})

test('SNIP-004 a link gets parameters of its host', () => {
  const { source: own } = host({
    base64: [
      { op: 'set', value: 'a b', to: 'extra' },
      { op: 'set', value: { x: 1 }, to: 'json' },
      { op: 'copy', from: '$host.address', to: 'sni' },
      { op: 'unset', to: 'alpn' },
    ],
  })
  const pairs = [
    ['sni', 'x'],
    ['alpn', 'h2'],
  ] as const
  expect(mappedPairs(pairs, own)).toEqual([
    ['sni', 'a.example'],
    ['extra', 'a b'],
    ['json', '{"x":1}'],
  ])
  const { base64 } = hostProxies(host(own.mapper), makeUser())
  expect(base64).toMatch(/&sni=a\.example&fp=&extra=a\+b&json=%7B%22x%22%3A1%7D#one$/)
})

test.each([
  ['through a text', { op: 'set', value: 1, to: 'protocol.x' }, 'to', 'would run through "protocol"'],
  ['through a number', { op: 'unset', to: 'settings.vnext[0].port.x' }, 'to', 'would run through "settings.vnext.0.port"'],
  ['to no place of a list', { op: 'set', value: 1, to: 'settings.vnext[5].x' }, 'to', 'has no place "5"'],
  ['of a member that is none', { op: 'copy', from: '$host.isDisabled', to: 'x' }, 'from', 'cannot be copied of a host'],
  ['to the name of the proxy', { op: 'set', value: 'x', to: 'tag' }, 'to', 'is the name of the proxy'],
  ['to a key that changes objects', { op: 'set', value: 1, to: 'a.__proto__.x' }, 'to', 'must not have the key'],
  ['to nothing', { op: 'set', value: 1, to: 'a..b' }, 'to', 'must be keys with dots'],
] as const)('SNIP-004 a step %s is told with its place, and passed over', (_, step, field, message) => {
  const bad = host({ xrayJson: [{ op: 'set', value: 1, to: 'fine' }, step] })
  expect(hostMapperProblems(bad, makeUser())).toEqual([
    { client: 'xrayJson', step: 1, field, message: expect.stringContaining(message) },
  ])
  const plain = hostProxies(host({}), makeUser())
  expect(hostProxies(bad, makeUser())).toEqual({ ...plain, xrayJson: { ...plain.xrayJson, fine: 1 } })
  expect({}).not.toHaveProperty('x')
})

test('SNIP-004 parameters of links are names, and other clients are judged by what they get', () => {
  const bad = host({
    base64: [{ op: 'set', value: 1, to: 'a&b' }],
    mihomo: [{ op: 'set', value: 1, to: 'ws-opts.path.x' }],
    singbox: [{ op: 'set', value: 1, to: 'server.x' }],
  })
  expect(hostMapperProblems(bad, makeUser()).map(({ client, field }) => [client, field])).toEqual([
    ['mihomo', 'to'],
    ['base64', 'to'],
    ['singbox', 'to'],
  ])
})
