import { expect, test } from 'vitest'
import { checkSnippet, checkSnippetUses, computeProfile, snippetOrigins, snippetUses } from './snippets.ts'

const block = [{ tag: 'BLOCK', protocol: 'blackhole' }]
const rules = [
  { protocol: ['bittorrent'], outboundTag: 'BLOCK' },
  { ip: ['geoip:private'], outboundTag: 'BLOCK' },
]
const root = [
  { dns: { servers: ['1.1.1.1'] }, log: { loglevel: 'debug' } },
  { api: { tag: 'x' }, policy: { levels: {} } },
]
const snippets = new Map<string, unknown>([
  ['block', block],
  ['rules', rules],
  ['root', root],
])
const own = { tag: 'DIRECT', protocol: 'freedom' }
const last = { port: 53, outboundTag: 'DIRECT' }
const config = {
  log: { loglevel: 'warning' },
  inbounds: [{ tag: 'IN' }],
  outbounds: [own, { snippet: 'block' }],
  routing: { domainStrategy: 'AsIs', rules: [{ snippet: 'rules' }, last], balancers: [{ snippet: 'gone' }] },
  snippets: ['root'],
}

test('SNIP-001 elements stand where the snippet is named, and keys of the root are merged where there are none', () => {
  expect(computeProfile(config, snippets)).toEqual({
    log: { loglevel: 'warning' },
    inbounds: [{ tag: 'IN' }],
    outbounds: [own, ...block],
    routing: { domainStrategy: 'AsIs', rules: [...rules, last], balancers: [] },
    dns: { servers: ['1.1.1.1'] },
    policy: { levels: {} },
  })
  const plain = { inbounds: [], outbounds: [own] }
  expect(computeProfile(plain, snippets)).toBe(plain)
})

test('SNIP-001 the places that name a snippet are told; names elsewhere are not inserted', () => {
  expect(snippetUses(config)).toEqual([
    { name: 'block', path: 'outbounds[1]' },
    { name: 'rules', path: 'routing.rules[0]' },
    { name: 'gone', path: 'routing.balancers[0]' },
    { name: 'root', path: 'snippets[0]' },
  ])
  const elsewhere = { inbounds: [{ snippet: 'block' }], dns: { servers: [{ snippet: 'block' }] } }
  expect(computeProfile(elsewhere, snippets)).toBe(elsewhere)
  expect(snippetUses([1, null])).toEqual([])
})

test('SNIP-002 a place of the computed profile leads to the snippet, or to the place where the profile has it', () => {
  const originOf = snippetOrigins(config, snippets)
  expect(originOf('routing.rules[1].ip[0]')).toEqual({ snippet: 'rules', path: '[1].ip[0]' })
  expect(originOf('routing.rules[2].port')).toEqual({ snippet: null, path: 'routing.rules[1].port' })
  expect(originOf('outbounds[0].tag')).toEqual({ snippet: null, path: 'outbounds[0].tag' })
  expect(originOf('outbounds[1].protocol')).toEqual({ snippet: 'block', path: '[0].protocol' })
  expect(originOf('dns.servers')).toEqual({ snippet: 'root', path: '[0].dns.servers' })
  expect(originOf('log.loglevel')).toEqual({ snippet: null, path: 'log.loglevel' })
})

test('SNIP-001 unknown names, mixed elements and keys that a snippet cannot bring are told with their place', () => {
  const mixed = { ...config, outbounds: [{ snippet: 'block', tag: 'x' }, { snippet: 5 }] }
  expect(checkSnippetUses(mixed, snippets).map(({ path }) => path)).toEqual([
    'outbounds[0]',
    'outbounds[1].snippet',
    'routing.balancers[0]',
    'snippets[0]',
  ])
  expect(checkSnippetUses({ snippets: 'root' }, snippets)).toHaveLength(1)
  expect(checkSnippetUses({ outbounds: [{ snippet: 'block' }], snippets: [] }, snippets)).toEqual([])
})

test('SNIP-001 a snippet is a list of objects with something in them, and holds no other snippet nor itself', () => {
  const paths = (snippet: unknown[]) => checkSnippet(snippet).map(({ path }) => path)
  expect(paths(rules)).toEqual([])
  expect(paths([])).toEqual([''])
  expect(paths([{}, 1, { snippet: 'rules' }, { routing: { rules: [{ snippet: 'self' }] } }])).toEqual([
    '[0]',
    '[1]',
    '[2].snippet',
    '[3].routing.rules[0]',
  ])
  expect(paths([{ snippets: ['rules'] }])).toEqual(['[0].snippets'])
  expect(paths(Array.from({ length: 2001 }, () => ({ a: 1 })))).toEqual([''])
})
