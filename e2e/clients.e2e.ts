import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { parse, stringify } from 'yaml'
import type { HostMapper, TemplateType } from '@causeway/contract'
import {
  compileTemplates,
  defaultTemplates,
  formatOfUserAgent,
  prepareHost,
  renderSubscription,
  resolveEntries,
  templateValues,
  type PreparedHost,
  type SubscriptionFormat,
  type TemplateSource,
} from '@causeway/subscription'
import { isObject, objectAt, textAt, type XrayObject } from '@causeway/xray'
import { publicKey } from '../apps/server/src/lib/keys/public-key.ts'
import { customer, findClientApps, isAbsent, plainHost, type ClientApp } from './stage/client-apps.ts'
import { needsEngine, xray } from './stage/engine.ts'

// Whether real apps take what they are given: every golden file of the formats (each protocol over each transport with each
// security), judged by the apps themselves. What they then carry is in clients-traffic.e2e.ts.

const golden = path.resolve(import.meta.dirname, '../packages/subscription/src/formats/golden')
const kinds = ['vless', 'vmess', 'trojan', 'shadowsocks', 'hysteria', 'newer', 'overrides', 'expired', 'no-hosts']
const apps = findClientApps()
const mihomo = apps.find(({ name }) => name === 'mihomo')
/** Which golden files each version of sing-box would get by its user agent. */
const singBoxFormats: Record<string, string> = {
  '1.9.7': 'singbox-unknown',
  '1.12.8': 'singbox',
  '1.13.21': 'singbox',
  '1.14.4': 'singbox',
}
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-clients-'))
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nowhere = isAbsent('a client app')
if (apps.length === 0) console.warn(`The tests with real client apps are skipped: ${nowhere}.`)

test.describe('Mihomo takes', () => {
  test.skip(!mihomo, nowhere)
  for (const format of ['mihomo', 'stash', 'clash']) {
    test(`every configuration of ${format}`, () => {
      for (const kind of kinds) {
        const config = parse(readFileSync(path.join(golden, `${kind}.${format}.yaml`), 'utf8')) as XrayObject // as: a rendered map
        // Scripts are Stash's own.
        const rules = (config['rules'] as string[]).filter((rule) => !rule.startsWith('SCRIPT')) // as: in every template
        const output = complaint(mihomo, ['-t', '-d', folder, '-f'], stringify({ ...config, rules }))
        expect(output, `${kind}.${format}`).toBe('')
      }
    })
  }
})

test.describe('sing-box takes', () => {
  test.skip(!apps.some(({ name }) => name === 'sing-box'), nowhere)
  for (const [version, format] of Object.entries(singBoxFormats)) {
    test(`every configuration in version ${version} and warns of nothing`, () => {
      const app = apps.find(({ name, version: found }) => name === 'sing-box' && found === version)
      test.skip(!app, isAbsent(`sing-box ${version}`))
      const tags = spawnSync(app?.file ?? '', ['version'], { encoding: 'utf8' }).stdout
      for (const kind of kinds.filter((name) => name !== 'hysteria' || tags.includes('with_quic'))) {
        const config: unknown = JSON.parse(readFileSync(path.join(golden, `${kind}.${format}.json`), 'utf8'))
        expect(complaint(app, ['check', '-c'], JSON.stringify(buildable(config, tags))), `${kind}.${format}`).toBe('')
      }
    })
  }
})

test.describe('Xray takes', () => {
  needsEngine()
  test('every configuration of every protocol', () => {
    test.setTimeout(120_000)
    for (const kind of kinds.filter((name) => name !== 'expired' && name !== 'no-hosts')) {
      const configs = xrayConfigs(kind)
      // One process for all: what differs is the outbound that stands first.
      const [first] = configs
      const outbounds = configs.flatMap(({ remarks, outbounds: [own] }) =>
        own && isPossible(own) ? [{ ...own, tag: remarks }] : [],
      )
      const core: ClientApp = { name: 'xray', version: '', file: xray }
      expect(outbounds.length, kind).toBeGreaterThan(configs.length / 2)
      const merged = { ...first, routing: undefined, outbounds: [...outbounds, ...(first?.outbounds.slice(1) ?? [])] }
      expect(complaint(core, ['run', '-test', '-c'], JSON.stringify(merged)), kind).toBe('')
    }
  })
})

// What administrators add to hosts and templates, in the words of the clients themselves.

const tls = { network: 'tcp', security: 'tls', tlsSettings: { serverName: 'in.example' } }
const pins = { pinnedPeerCertSha256: 'ab'.repeat(32), verifyPeerCertByName: 'c.example', mihomoIpVersion: 'ipv4' }
const mapper: HostMapper = {
  xrayJson: [
    { op: 'set', value: { domainStrategy: 'UseIP' }, to: 'streamSettings.sockopt' },
    { op: 'copy', from: '$host.sni', to: 'streamSettings.tlsSettings.serverName' },
  ],
  mihomo: [
    { op: 'set', value: true, to: 'tfo' },
    { op: 'unset', to: 'udp' },
  ],
  singbox: [
    { op: 'set', value: true, to: 'tcp_fast_open' },
    { op: 'set', value: '5s', to: 'connect_timeout' },
  ],
}

/** A shown host with a mapper and pins, a plain one, and one that only directives bring in. */
function additions(templates: Partial<Record<TemplateType, TemplateSource>>, format: SubscriptionFormat): string {
  const made = [
    { remark: 'mapped', sni: 'own.example', mapper, ...pins },
    { remark: 'plain' },
    { remark: 'hidden', isHidden: true, tags: ['EXIT'] },
  ].flatMap((fields, index) => {
    const stored = {
      uuid: '',
      profileUuid: '',
      tag: 'T',
      type: 'trojan',
      rawInbound: { protocol: 'trojan', streamSettings: tls },
    }
    return prepareHost({ ...plainHost, port: 443 + index, ...fields, inbound: stored }, publicKey) ?? []
  })
  const resolve = (hosts: PreparedHost[]) => resolveEntries(hosts, customer, templateValues(customer, '', new Date()), () => 0)
  return renderSubscription(format, resolve(made.slice(0, 2)), {
    templates: compileTemplates({ ...defaultTemplates, ...templates }),
    isHapp: false,
    random: () => 0,
    hidden: resolve(made.slice(2)),
    matches: (pattern, text) => new RegExp(pattern).test(text),
  }).body
}

test.describe('SNIP-004 mappers, pinned certificates and directives of templates', () => {
  test('are what Mihomo takes, hidden hosts included', () => {
    test.skip(!mihomo, nowhere)
    const templateYaml = `remnawave:\n  includeHiddenHosts: true\n${defaultTemplates.MIHOMO?.templateYaml ?? ''}`
    const config = additions({ MIHOMO: { templateYaml, templateJson: null } }, { kind: 'mihomo' })
    const { proxies } = parse(config) as { proxies: XrayObject[] } // as: in every template
    expect(proxies).toMatchObject([{ name: 'mapped', tfo: true, fingerprint: pins.pinnedPeerCertSha256 }, {}, { name: 'hidden' }])
    expect(complaint(mihomo, ['-t', '-d', folder, '-f'], config)).toBe('')
  })

  test('are what sing-box takes, a closed group included', () => {
    const group = { type: 'selector', tag: 'closed', outbounds: ['direct'], remnawave: { includeProxies: false } }
    const base = objectAt({ template: defaultTemplates.SINGBOX?.templateJson }, 'template')
    const templateJson = { ...base, outbounds: [...(base['outbounds'] as XrayObject[]), group] } // as: in every template
    for (const version of ['1.12.8', '1.13.21', '1.14.4']) {
      const app = apps.find(({ name, version: found }) => name === 'sing-box' && found === version)
      test.skip(!app, nowhere)
      const tags = spawnSync(app?.file ?? '', ['version'], { encoding: 'utf8' }).stdout
      const config = additions({ SINGBOX: { templateYaml: null, templateJson } }, formatOfUserAgent(`SFA/${version}`, false))
      expect(JSON.stringify(JSON.parse(config))).toContain('"connect_timeout":"5s"')
      expect(complaint(app, ['check', '-c'], JSON.stringify(buildable(JSON.parse(config), tags))), version).toBe('')
    }
  })

  test('are what Xray takes, with injected hosts under tags of their own', () => {
    needsEngine()
    const base = objectAt({ template: defaultTemplates.XRAY_JSON?.templateJson }, 'template')
    const injectHosts = [{ selector: { type: 'tagRegex', pattern: '^EXIT$' }, tagPrefix: 'exit' }]
    const templateJson = { ...base, remnawave: { injectHosts, addVirtualHostAsOutbound: true } }
    const configs = JSON.parse(
      additions({ XRAY_JSON: { templateYaml: null, templateJson } }, { kind: 'xray-json' }),
    ) as XrayObject[]
    expect(configs).toHaveLength(2)
    for (const config of configs) {
      expect(JSON.stringify(config['outbounds'])).toContain('"exit"')
      expect(complaint({ name: 'xray', version: '', file: xray }, ['run', '-test', '-c'], JSON.stringify(config))).toBe('')
    }
    expect(JSON.stringify(configs[0])).toContain('"domainStrategy":"UseIP"')
  })
})

/** REALITY over WebSocket exists in no Xray, Hysteria only by itself, and a host with a broken key has no public one to give. */
function isPossible(outbound: XrayObject): boolean {
  const stream = objectAt(outbound, 'streamSettings')
  const network = textAt(stream, 'network')
  if ((outbound['protocol'] === 'hysteria') !== (network === 'hysteria')) return false
  if (textAt(stream, 'security') !== 'reality') return true
  return textAt(objectAt(stream, 'realitySettings'), 'publicKey') !== '' && ['tcp', 'grpc', 'xhttp'].includes(network)
}

/** What this build of sing-box can do at all: not every one has imitated fingerprints and QUIC. */
function buildable(config: unknown, tags: string): unknown {
  if (!isObject(config)) return config
  const [hasUtls, hasQuic] = [tags.includes('with_utls'), tags.includes('with_quic')]
  const outbounds = (config['outbounds'] as XrayObject[]).filter((outbound) => {
    // as: in every template
    return (hasQuic || outbound['type'] !== 'hysteria2') && (hasUtls || objectAt(outbound, 'tls')['reality'] === undefined)
  })
  const names = new Set(outbounds.map((outbound) => outbound['tag']))
  return {
    ...config,
    outbounds: outbounds.map((outbound) => {
      const members = outbound['outbounds']
      const kept = Array.isArray(members) ? { outbounds: members.filter((name) => names.has(name)) } : {}
      const { utls: _utls, ...tls } = objectAt(outbound, 'tls')
      return { ...outbound, ...kept, ...(outbound['tls'] && !hasUtls ? { tls } : {}) }
    }),
  }
}

/** What an app says against a configuration; nothing when it takes it without a word of warning. */
function complaint(app: ClientApp | undefined, args: string[], config: string): string {
  const file = path.join(folder, `config.${config.startsWith('{') ? 'json' : 'yaml'}`)
  writeFileSync(file, config)
  const { status, stdout, stderr } = spawnSync(app?.file ?? '', [...args, file], { encoding: 'utf8', maxBuffer: 2 ** 26 })
  const lines = `${stdout}\n${stderr}`.split('\n')
  // Xray calls what older ones of its kind need old-fashioned.
  const said = lines.filter(
    (line) => /level=(warning|error|fatal)|WARN|ERROR|FATAL|Failed/i.test(line) && !line.includes('common/errors: Th'),
  )
  return status === 0 ? said.join('\n') : lines.slice(-12).join('\n')
}

interface XrayConfig {
  remarks: string
  outbounds: XrayObject[]
}

/** Of long subscriptions the golden file holds names and outbounds; what is around them is the same in all. */
function xrayConfigs(kind: string): XrayConfig[] {
  const read = (name: string) => readFileSync(path.join(golden, name), 'utf8')
  const whole = (name: string) => JSON.parse(read(`${name}.xray-json.json`)) as XrayConfig[] // the format's own shape
  if (!existsSync(path.join(golden, `${kind}.xray-json.jsonl`))) return whole(kind)
  const [around] = whole('newer')
  if (!around) throw new Error('newer.xray-json.json holds no host')
  const lines = read(`${kind}.xray-json.jsonl`).trim().split('\n')
  return lines.map((line) => {
    const { remarks, own } = JSON.parse(line) as { remarks: string; own: XrayObject } // as golden.test.ts writes them
    return { ...around, remarks, outbounds: [own, ...around.outbounds.slice(1)] }
  })
}
