import fc from 'fast-check'
import { encode } from 'uqr'
import { describe, expect, it } from 'vitest'
import { QR_DEFAULTS } from '../../ui/qr-code.tsx'
import {
  choiceOf,
  decodeRouting,
  defaultRouting,
  encodeRouting,
  hostsOf,
  listOf,
  parseRouting,
  presetRouting,
  PRESETS,
  routingText,
  toHosts,
  toList,
} from './happ-routing.rules.ts'

const NOW = new Date('2026-11-15T12:00:00.900Z')
const config = defaultRouting(NOW)

describe('the configuration', () => {
  it('HRB-007 HRB-008 HRB-009 HRB-011 HRB-017 HRB-018 HRB-019 has capitalised keys and its defaults as text', () => {
    expect(Object.keys(config).filter((key) => !/^[A-Z]/.test(key))).toEqual([])
    expect(config).toMatchObject({
      Name: 'Causeway',
      GlobalProxy: 'true',
      RemoteDNSType: 'DoH',
      DomesticDNSType: 'DoU',
      DomainStrategy: 'IPIfNonMatch',
      FakeDNS: 'false',
      UseChunkFiles: 'true',
    })
  })

  it('HRB-014 LastUpdated is the second of its making, as text', () => {
    expect(config['LastUpdated']).toBe('1794744000')
  })

  it('HRB-020 Russian sites go directly, Chinese addresses too, .com through the proxy', () => {
    expect(config).toMatchObject({
      DirectSites: ['geosite:ru', 'geosite:geolocation-ru'],
      DirectIp: ['geoip:cn'],
      ProxySites: ['geosite:com'],
    })
  })

  it('every preset is a whole configuration of its own', () => {
    const keys = Object.keys(config).toSorted()
    for (const preset of PRESETS) expect(Object.keys(presetRouting(preset, NOW)).toSorted()).toEqual(keys)
    expect(new Set(PRESETS.map((preset) => JSON.stringify(presetRouting(preset, NOW)))).size).toBe(PRESETS.length)
  })

  it('HRB-016 HRB-028 lists are entered one per line, blank lines are dropped', () => {
    expect(toList(' geosite:ru \n\n  \ngeoip:ru\r\n')).toEqual(['geosite:ru', 'geoip:ru'])
    expect(listOf({ DirectIp: ['a', 5] }, 'DirectIp')).toEqual(['a', '5'])
    expect(listOf({ DirectIp: 'a' }, 'DirectIp')).toEqual([])
  })

  it('HRB-026 hosts that are no object count as none', () => {
    expect(toHosts('{"a":"1.1.1.1"}')).toEqual({ a: '1.1.1.1' })
    for (const text of ['', '{', '[]', '"a"', 'null', '5']) expect(toHosts(text)).toEqual({})
    expect(hostsOf({ DnsHosts: [] })).toEqual({})
  })

  it('words that a key does not know count as its first one; what is no text yet is written as one', () => {
    expect(choiceOf({ FakeDNS: true }, 'FakeDNS', ['false', 'true'])).toBe('true')
    expect(choiceOf({ RemoteDNSType: 'DoX' }, 'RemoteDNSType', ['DoH', 'DoU'])).toBe('DoH')
  })
})

describe('the link', () => {
  it('HRB-030 is the prefix and the Base64 of the compact JSON', () => {
    expect(encodeRouting({ Name: 'Привет' })).toBe('happ://routing/add/eyJOYW1lIjoi0J/RgNC40LLQtdGCIn0=')
  })

  it('HRB-027 is read with either prefix and without one, url-safe, unpadded and broken into lines too', () => {
    const base64 = encodeRouting(config).replace('happ://routing/add/', '')
    for (const text of [
      `happ://routing/add/${base64}`,
      `happ://routing/onadd/${base64}`,
      `HAPP://routing/add/${base64}`,
      ` ${base64}\n`,
      base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
      base64.replaceAll(/.{60}/g, '$&\n'),
    ]) {
      expect(decodeRouting(text)).toEqual(config)
    }
  })

  it('HRB-029 what holds no configuration gives none', () => {
    const base64 = (text: string) => btoa(text)
    for (const text of [
      '',
      'happ://routing/add/',
      'happ://routing/off',
      'happ://crypt/abcd',
      'https://example.com',
      'not base64!',
      base64('no json'),
      base64('[]'),
      base64('null'),
      base64('"text"'),
      base64('\xff\xfe'),
      `javascript:alert(1)//${base64('{}')}`,
    ]) {
      expect(decodeRouting(text)).toBeUndefined()
    }
  })

  it('and the JSON text say the same of every configuration', () => {
    const configs = fc
      .dictionary(fc.string(), fc.jsonValue())
      .map((value) => JSON.parse(JSON.stringify(value)) as Record<string, unknown>)
    fc.assert(
      fc.property(configs, (any) => {
        expect(decodeRouting(encodeRouting(any))).toEqual(any)
        expect(parseRouting(routingText(any))).toEqual(any)
        expect(encodeRouting(parseRouting(routingText(any)) ?? {})).toBe(encodeRouting(any))
      }),
    )
  })
})

describe('the QR code', () => {
  it('HRB-031 takes texts up to version 40, and no longer ones', () => {
    expect(encode('a', QR_DEFAULTS).version).toBe(1)
    expect(encode('x'.repeat(2953), QR_DEFAULTS).version).toBe(40)
    expect(() => encode('x'.repeat(2954), QR_DEFAULTS)).toThrow('Data too long')
  })
  it('HRB-032 has error correction L and a border of one module', () => {
    expect(QR_DEFAULTS).toEqual({ ecc: 'L', border: 1 })
  })
})
