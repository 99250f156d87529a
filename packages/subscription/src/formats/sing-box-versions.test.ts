import { describe, expect, it } from 'vitest'
import { defaultTemplates } from '@causeway/subscription'
import { isObject } from '@causeway/xray'
import { formFor, versionsOf } from './sing-box-versions.ts'

const old = [1, 11, 0] as const
const recent = [1, 12, 0] as const

/** As panels of the 2.1 generation have it stored. */
const stored = {
  dns: {
    servers: [
      { tag: 'remote', address: 'https://dns.example/own', address_resolver: 'local', detour: 'Proxy' },
      { tag: 'local', address: 'tcp://1.1.1.1:5353', strategy: 'ipv4_only', detour: 'direct' },
      { tag: 'six', address: 'tls://[2606:4700::1111]' },
      { tag: 'system', address: 'local' },
      { tag: 'none', address: 'rcode://success' },
      { tag: 'fakeip', address: 'fakeip' },
    ],
    rules: [
      { outbound: 'any', server: 'local' },
      { query_type: ['A'], server: 'fakeip' },
    ],
    fakeip: { enabled: true, inet4_range: '198.18.0.0/15' },
    independent_cache: true,
  },
  inbounds: [{ type: 'mixed', tag: 'in', sniff: true, sniff_override_destination: false }],
  outbounds: [
    { type: 'selector', tag: 'Proxy' },
    { type: 'direct', tag: 'direct' },
    { type: 'block', tag: 'block' },
    { type: 'dns', tag: 'dns-out' },
  ],
  route: {
    rules: [
      { protocol: 'dns', outbound: 'dns-out' },
      { port: 25, outbound: 'block' },
      { ip_is_private: true, outbound: 'direct' },
    ],
    final: 'Proxy',
  },
}

describe('a template written for older clients', () => {
  it('is left as it is for them', () => {
    expect(formFor(versionsOf(stored), old)).toBe(stored)
    expect(formFor(versionsOf(stored), null)).toBe(stored)
  })

  it('says the same in the words of newer ones', () => {
    expect(formFor(versionsOf(stored), recent)).toEqual({
      dns: {
        servers: [
          {
            type: 'https',
            tag: 'remote',
            server: 'dns.example',
            path: '/own',
            domain_resolver: { server: 'local' },
            detour: 'Proxy',
          },
          { type: 'tcp', tag: 'local', server: '1.1.1.1', server_port: 5353 },
          { type: 'tls', tag: 'six', server: '2606:4700::1111' },
          { type: 'local', tag: 'system' },
          { type: 'fakeip', tag: 'fakeip', inet4_range: '198.18.0.0/15' },
        ],
        rules: [{ query_type: ['A'], server: 'fakeip' }],
      },
      inbounds: [{ type: 'mixed', tag: 'in' }],
      outbounds: [
        { type: 'selector', tag: 'Proxy' },
        { type: 'direct', tag: 'direct' },
      ],
      route: {
        rules: [
          { action: 'sniff' },
          { protocol: 'dns', action: 'hijack-dns' },
          { port: 25, action: 'reject' },
          { ip_is_private: true, outbound: 'direct' },
        ],
        final: 'Proxy',
        default_domain_resolver: { server: 'local', strategy: 'ipv4_only' },
      },
    })
  })
})

describe('the shipped template', () => {
  const template = defaultTemplates.SINGBOX.templateJson
  if (!isObject(template)) throw new Error('an object expected')

  it('is in the words of newer clients, and has no typed DNS servers for those of 1.11', () => {
    expect(formFor(versionsOf(template), recent)).toBe(template)
    expect(formFor(versionsOf(template), old)).toMatchObject({
      dns: {
        servers: [
          { tag: 'remote', address: 'tls://1.1.1.1', detour: 'Causeway' },
          { tag: 'local', address: 'tcp://1.1.1.1', strategy: 'ipv4_only' },
          { tag: 'fakeip', address: 'fakeip' },
        ],
        rules: [{ outbound: 'any', server: 'local' }, { server: 'fakeip' }],
        fakeip: { enabled: true, inet4_range: '198.18.0.0/15', inet6_range: 'fc00::/18' },
      },
    })
    expect(JSON.stringify(formFor(versionsOf(template), old))).not.toMatch(/default_domain_resolver|"type":"fakeip"/)
  })

  it.each([{}, { dns: 7 }, { dns: { servers: 'x' } }, { dns: { servers: [null, 1, { address: 7 }, { type: 7 }] }, route: [] }])(
    'may be anything instead: %j',
    (odd) => {
      expect(formFor(versionsOf(odd), recent)).toEqual(odd)
      expect(formFor(versionsOf(odd), old)).toEqual(odd)
    },
  )
})
