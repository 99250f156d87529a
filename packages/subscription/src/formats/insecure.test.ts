import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import {
  compileTemplates,
  defaultTemplates,
  formatOfClientType,
  renderSubscription,
  resolveEntries,
  shareLinks,
} from '@causeway/subscription'
import { makeUser, prepare, privateKey, seededRandom, valuesOf } from '../../test/samples.ts'

// Every runtime has it; the language's own library lacks it.
declare const atob: (encoded: string) => string

// `allowInsecure` of a host reaches every format that has a word for it, for this host alone and inside TLS alone.

const tls = { security: 'tls', tlsSettings: { serverName: 'tls.example' } }
const hysteria = { network: 'hysteria', hysteriaSettings: { version: 2 }, ...tls }
const reality = { security: 'reality', realitySettings: { serverNames: ['a.example'], privateKey, shortIds: ['0a'] } }
const hosts = [
  prepare({ protocol: 'vless', streamSettings: tls }, { remark: 'vless', allowInsecure: true }),
  prepare({ protocol: 'trojan', streamSettings: tls }, { remark: 'trojan', allowInsecure: true }),
  prepare({ protocol: 'vmess', streamSettings: tls }, { remark: 'vmess', allowInsecure: true }),
  prepare({ protocol: 'hysteria', streamSettings: hysteria }, { remark: 'hysteria', allowInsecure: true }),
  prepare({ protocol: 'trojan', streamSettings: tls }, { remark: 'strict' }),
  prepare({ protocol: 'vless', streamSettings: reality }, { remark: 'reality', allowInsecure: true }),
  prepare({ protocol: 'vless', streamSettings: {} }, { remark: 'plain', allowInsecure: true }),
]
const INSECURE = ['hysteria', 'trojan', 'vless', 'vmess']

const user = makeUser()
const entries = () => resolveEntries(hosts, user, valuesOf(user), seededRandom())
const bodyOf = (client: Parameters<typeof formatOfClientType>[0]) =>
  renderSubscription(formatOfClientType(client), entries(), {
    templates: compileTemplates(defaultTemplates),
    isHapp: false,
    random: seededRandom(),
  }).body

describe('a host that accepts any certificate', () => {
  it('says so in links', () => {
    const links = shareLinks(entries(), { isHapp: false })
    const marked = links.filter((link) => {
      if (!link.startsWith('vmess://')) return /[?&](?:allowInsecure|insecure)=1(?:&|#)/.test(link)
      return JSON.parse(atob(link.slice('vmess://'.length))).insecure === '1'
    })
    expect(marked.map((link) => link.slice(0, link.indexOf(':'))).toSorted()).toEqual(['hysteria2', 'trojan', 'vless', 'vmess'])
  })

  it.each(['mihomo', 'stash', 'clash'] as const)('says so to %s', (client) => {
    const { proxies } = parse(bodyOf(client)) as { proxies: { name: string; 'skip-cert-verify'?: boolean }[] }
    const names = proxies.filter((proxy) => proxy['skip-cert-verify'] === true).map(({ name }) => name)
    expect(names.toSorted()).toEqual(client === 'clash' ? ['trojan', 'vmess'] : INSECURE)
  })

  it.each(['singbox', 'singbox-legacy'] as const)('says so to %s', (client) => {
    const { outbounds } = JSON.parse(bodyOf(client)) as { outbounds: { tag: string; tls?: { insecure?: boolean } }[] }
    expect(
      outbounds
        .filter((outbound) => outbound.tls?.insecure === true)
        .map(({ tag }) => tag)
        .toSorted(),
    ).toEqual(INSECURE)
  })

  it('says so to Xray', () => {
    interface Config {
      remarks: string
      outbounds: { streamSettings?: { tlsSettings?: { allowInsecure: boolean } } }[]
    }
    const configs = JSON.parse(bodyOf('json')) as Config[]
    const marked = configs.filter(({ outbounds }) => outbounds[0]?.streamSettings?.tlsSettings?.allowInsecure === true)
    expect(marked.map(({ remarks }) => remarks).toSorted()).toEqual(INSECURE)
  })
})
