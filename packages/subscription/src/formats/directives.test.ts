import { expect, test } from 'vitest'
import type { HostMapper } from '@causeway/contract'
import { makeUser, prepare } from '../../test/samples.ts'
import type { SubscriptionHost } from '../prepared-host.ts'
import { resolveEntries, type ProxyEntry } from '../proxy-entry.ts'
import { renderSubscription, type RenderOptions } from '../render.ts'
import { compileTemplates, takesHiddenHosts } from '../templates.ts'
import { parseYaml } from '../text/yaml-source.ts'
import { renderLinks } from './links.ts'
import { compileXrayJson } from './xray-json.ts'
import { hostsNamedBy, patternsOf } from './xray-directives.ts'

declare const atob: (encoded: string) => string

const tls = { network: 'tcp', security: 'tls', tlsSettings: { serverName: 'in.example' } }
const uuid = (digit: number) => `00000000-0000-4000-8000-00000000000${digit}`
const host = (number: number, fields: Partial<SubscriptionHost> = {}) =>
  prepare(
    { protocol: 'trojan', streamSettings: tls },
    { uuid: uuid(number), remark: `h${number}`, address: `${number}.example`, ...fields },
  )
const entriesOf = (...hosts: ReturnType<typeof host>[]): ProxyEntry[] => resolveEntries(hosts, makeUser(), {}, () => 0)
const shown = entriesOf(host(1, { tags: ['EU'] }), host(2, { tags: ['ASIA'] }))
const hidden = entriesOf(host(3, { isHidden: true, tags: ['EU'] }), host(4, { isHidden: true, tags: ['US', 'ASIA'] }))

const matches = (pattern: string, text: string) => new RegExp(pattern).test(text)
const jsonOf = (directives: object, options: Partial<RenderOptions> = {}) => {
  const template = { remnawave: directives, outbounds: [{ tag: 'proxy-2', protocol: 'freedom' }] }
  const templates = compileTemplates({ XRAY_JSON: { templateYaml: null, templateJson: template } })
  expect(takesHiddenHosts(templates)).toBe(true)
  const all = { templates, isHapp: false, random: () => 0, hidden, matches, ...options }
  const { body } = renderSubscription({ kind: 'xray-json' }, shown, all)
  const configs = JSON.parse(body) as {
    remarks: string
    outbounds: { tag: string; settings: { servers?: { address: string }[] } }[]
  }[]
  for (const config of configs) expect(config).not.toHaveProperty('remnawave')
  return configs.map(({ outbounds }) => outbounds.map(({ tag, settings }) => [tag, settings?.servers?.[0]?.address]))
}

test.each([
  [
    'hidden hosts by uuid, whatever their order',
    { selector: { type: 'uuids', values: [uuid(4), uuid(3), uuid(1)] } },
    ['3', '4'],
    ['3', '4'],
  ],
  [
    'all by uuid, the recipient apart',
    { selector: { type: 'uuids', values: [uuid(3), uuid(1)] }, selectFrom: 'ALL' },
    ['3'],
    ['1', '3'],
  ],
  ['those with a tag of the recipient', { selector: { type: 'sameTagAsRecipient' } }, ['3'], ['4']],
  [
    'those whose remark matches',
    { selector: { type: 'remarkRegex', pattern: '^h[24]$' }, selectFrom: 'NOT_HIDDEN' },
    ['2'],
    ['2'],
  ],
  ['those with a tag that matches', { selector: { type: 'tagRegex', pattern: '^U' } }, ['4'], ['4']],
])('SNIP-004 an Xray JSON template takes in %s', (_, injection, first, second) => {
  const addresses = jsonOf({ injectHosts: [injection] }).map((outbounds) =>
    outbounds.slice(0, -1).map(([, address]) => address?.[0]),
  )
  expect(addresses).toEqual([first, second])
})

test('SNIP-004 tags are by prefix, remark or tag of the host, and none is there twice', () => {
  const all = { selector: { type: 'remarkRegex', pattern: '.' } }
  const tags = (directives: object) => jsonOf(directives)[0]?.map(([tag]) => tag)
  expect(tags({ injectHosts: [all] })).toEqual(['proxy', 'proxy-3', 'proxy-2'])
  expect(tags({ injectHosts: [{ ...all, tagPrefix: 'out' }], addVirtualHostAsOutbound: true })).toEqual([
    'proxy',
    'out',
    'out-2',
    'proxy-2',
  ])
  expect(tags({ injectHosts: [{ ...all, useHostRemarkAsTag: true }] })).toEqual(['h3', 'h4', 'proxy-2'])
  expect(tags({ injectHosts: [{ ...all, useHostTagAsTag: true }] })).toEqual(['EU', 'US', 'proxy-2'])
  // Nothing is found: the host itself carries the configuration.
  expect(jsonOf({ injectHosts: [{ selector: { type: 'tagRegex', pattern: 'NONE' } }] })[1]?.[0]).toEqual(['proxy', '2.example'])
})

test.each([
  [{ injectHosts: {} }, 'remnawave.injectHosts must be a list'],
  [{ injectHosts: [{}] }, 'remnawave.injectHosts[0].selector.type must be one of'],
  [{ injectHosts: [{ selector: { type: 'uuids' } }] }, 'remnawave.injectHosts[0].selector.values must be a list'],
  [{ injectHosts: [{ selector: { type: 'tagRegex' } }] }, 'remnawave.injectHosts[0].selector.pattern must be'],
  [
    { injectHosts: [{ selector: { type: 'sameTagAsRecipient' }, selectFrom: 'SOME' }] },
    'remnawave.injectHosts[0].selectFrom must be',
  ],
  [{ addVirtualHostAsOutbound: 1 }, 'remnawave.addVirtualHostAsOutbound must be'],
])('SNIP-004 directives that say nothing are told with their place: %j', (remnawave, message) => {
  expect(() => compileXrayJson({ remnawave })).toThrow(message)
})

test('SNIP-004 hosts and patterns that a template names are told with their places', () => {
  const injectHosts = [{ selector: { type: 'uuids', values: [uuid(1)] } }, { selector: { type: 'tagRegex', pattern: 'x' } }]
  expect(hostsNamedBy({ remnawave: { injectHosts } })).toEqual([
    { path: 'remnawave.injectHosts[0].selector.values[0]', uuid: uuid(1) },
  ])
  expect(patternsOf({ remnawave: { injectHosts } })).toEqual([
    { path: 'remnawave.injectHosts[1].selector.pattern', pattern: 'x' },
  ])
  expect(hostsNamedBy({})).toEqual([])
})

test('SNIP-004 hidden hosts stand in Mihomo where its template says so, and in no other format', () => {
  const yaml = 'remnawave:\n  includeHiddenHosts: true\nproxy-groups:\n  - name: g\n    type: select\n'
  const templates = compileTemplates({
    MIHOMO: { templateYaml: yaml, templateJson: null },
    STASH: { templateYaml: yaml, templateJson: null },
  })
  const namesIn = (kind: 'mihomo' | 'stash') => {
    const { body } = renderSubscription({ kind }, shown, { templates, isHapp: false, random: () => 0, hidden })
    const read = parseYaml(body) as { proxies: { name: string }[]; 'proxy-groups': { proxies: string[] }[] }
    expect(read).not.toHaveProperty('remnawave')
    expect(read['proxy-groups'][0]?.proxies).toEqual(read.proxies.map(({ name }) => name))
    return read.proxies.map(({ name }) => name)
  }
  expect(namesIn('mihomo')).toEqual(['h1', 'h2', 'h3', 'h4'])
  expect(namesIn('stash')).toEqual(['h1', 'h2'])
})

test('SNIP-004 a sing-box group that takes no proxies keeps its own members', () => {
  const outbounds = [
    { type: 'selector', tag: 'closed', outbounds: ['direct'], remnawave: { includeProxies: false } },
    { type: 'selector', tag: 'open', outbounds: [] },
    { type: 'direct', tag: 'direct' },
  ]
  const templates = compileTemplates({ SINGBOX: { templateYaml: null, templateJson: { outbounds } } })
  const { body } = renderSubscription({ kind: 'sing-box', version: [1, 12, 0] }, shown, {
    templates,
    isHapp: false,
    random: () => 0,
  })
  expect((JSON.parse(body) as { outbounds: object[] }).outbounds.slice(0, 2)).toEqual([
    { type: 'selector', tag: 'closed', outbounds: ['direct'] },
    { type: 'selector', tag: 'open', outbounds: ['h1', 'h2'] },
  ])
})

test('SNIP-004 a host with a template of its own is rendered with that, and one that is gone with the default', () => {
  const own = compileXrayJson({ log: { loglevel: 'none' } })
  const some = entriesOf(host(1, { xrayJsonTemplateUuid: uuid(8) }), host(2, { xrayJsonTemplateUuid: uuid(9) }))
  const templates = compileTemplates({ XRAY_JSON: { templateYaml: null, templateJson: { log: { loglevel: 'debug' } } } })
  const options = { templates, isHapp: false, random: () => 0, hostTemplates: new Map([[uuid(8), own]]) }
  const { body } = renderSubscription({ kind: 'xray-json' }, some, options)
  expect((JSON.parse(body) as { log: object }[]).map(({ log }) => log)).toEqual([{ loglevel: 'none' }, { loglevel: 'debug' }])
})

test('SNIP-004 a host stands in the formats that it is not left out of, and an app without any host is told so', () => {
  const some = entriesOf(host(1, { excludeFromSubscriptionTypes: ['XRAY_BASE64'] }), host(2))
  const options = { templates: compileTemplates({}), isHapp: false, random: () => 0 }
  const links = (entries: ProxyEntry[]) => renderSubscription({ kind: 'links' }, entries, options).body
  expect(links(some)).toBe(renderLinks(some.slice(1), { isHapp: false }))
  expect(atob(links(some.slice(0, 1)))).toContain('No%20host%20for%20this%20app')
  const json = { ...options, templates: compileTemplates({ XRAY_JSON: { templateYaml: null, templateJson: {} } }) }
  expect(JSON.parse(renderSubscription({ kind: 'xray-json' }, some, json).body)).toHaveLength(2)
})

test('SNIP-004 pinned certificates, names of them and families of addresses reach the clients that know them', () => {
  const pin = 'ab'.repeat(32)
  const mapper: HostMapper = {}
  const [entry] = entriesOf(
    host(1, { pinnedPeerCertSha256: pin, verifyPeerCertByName: 'c.example', mihomoIpVersion: 'ipv4', mapper }),
  )
  if (!entry) throw new Error('one entry')
  const templates = compileTemplates({
    XRAY_JSON: { templateYaml: null, templateJson: {} },
    MIHOMO: { templateYaml: 'mode: rule', templateJson: null },
  })
  const bodyOf = (kind: 'xray-json' | 'mihomo') =>
    renderSubscription({ kind }, [entry], { templates, isHapp: false, random: () => 0 }).body
  expect(JSON.parse(bodyOf('xray-json'))[0].outbounds[0].streamSettings.tlsSettings).toMatchObject({
    pinnedPeerCertSha256: pin,
    verifyPeerCertByName: 'c.example',
  })
  expect(parseYaml(bodyOf('mihomo'))).toMatchObject({ proxies: [{ fingerprint: pin, 'ip-version': 'ipv4' }] })
  expect(atob(renderLinks([entry], { isHapp: false }))).toContain(`&pcs=${pin}&vcn=c.example#h1`)
  const blank = prepare({ protocol: 'trojan', streamSettings: tls }, { keepSniBlank: true })
  expect([blank.sni, prepare({ protocol: 'trojan', streamSettings: tls }, { keepSniBlank: true, sni: 'own' }).sni]).toEqual([
    '',
    'own',
  ])
})
