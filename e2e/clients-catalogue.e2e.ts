import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { parse, stringify } from 'yaml'
import {
  compileTemplates,
  prepareHost,
  renderSubscription,
  resolveEntries,
  shippedTemplates,
  type ShippedTemplate,
  templateValues,
  type SubscriptionFormat,
} from '@causeway/subscription'
import { shippedProfiles, type XrayObject } from '@causeway/xray'
import { customer, findClientApps, isAbsent, plainHost, singBoxTemplates, type ClientApp } from './stage/client-apps.ts'
import { needsEngine, xray } from './stage/engine.ts'
import { emptyCountryDatabase, geoIpFile } from './stage/geo-files.ts'

// Whether real apps take what comes with the server: each template written out for a user, each profile as it is read.

const apps = findClientApps()
const mihomo = apps.find(({ name }) => name === 'mihomo')
const nowhere = isAbsent('a client app')
if (apps.length === 0) console.warn(`The tests of shipped templates with real client apps are skipped: ${nowhere}.`)

const folder = mkdtempSync(path.join(tmpdir(), 'causeway-catalogue-'))
test.beforeAll(() => {
  // Apps bring their own lists of countries; these have the same form, and next to nothing in them.
  writeFileSync(path.join(folder, 'geoip.dat'), geoIpFile(['IR', 'RU', 'CN']))
  writeFileSync(path.join(folder, 'Country.mmdb'), emptyCountryDatabase())
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rawInbound = { tag: 'in', port: 8388, protocol: 'shadowsocks', settings: { clients: [] } }
const inbound = { uuid: '', profileUuid: '', tag: 'in', type: 'shadowsocks', rawInbound }
const hosts = ['one', 'two'].flatMap((remark) => prepareHost({ ...plainHost, remark, port: 8388, inbound }, () => '') ?? [])
const entries = resolveEntries(hosts, customer, templateValues(customer, '', new Date()), Math.random)

function rendered({ type, text }: ShippedTemplate, format: SubscriptionFormat): string {
  const isJson = text.startsWith('{')
  const source = { templateYaml: isJson ? null : text, templateJson: isJson ? (JSON.parse(text) as unknown) : null }
  return renderSubscription(format, entries, { templates: compileTemplates({ [type]: source }), isHapp: false, random: () => 0 })
    .body
}
const shipped = (type: ShippedTemplate['type']) => shippedTemplates().filter((template) => template.type === type)

for (const [type, kind] of [
  ['MIHOMO', 'mihomo'],
  ['STASH', 'stash'],
  ['CLASH', 'clash'],
] as const) {
  test(`Mihomo takes every shipped template of ${type}`, () => {
    test.skip(!mihomo, nowhere)
    for (const template of shipped(type)) {
      const config = parse(rendered(template, { kind })) as XrayObject // as: a rendered map
      expect(JSON.stringify(config)).toContain('"one"')
      // Scripts are Stash's own, and so is the country of local networks.
      const rules = (config['rules'] as string[]).filter((rule) => !rule.startsWith('SCRIPT')) // as: in every template
      expect(complaint(mihomo, ['-t', '-d', folder, '-f'], stringify({ ...config, rules })), template.variant).toBe('')
    }
  })
}

for (const [type, version] of singBoxTemplates) {
  test(`sing-box ${version} takes every shipped template of ${type} and warns of nothing`, () => {
    const app = apps.find((each) => each.name === 'sing-box' && each.version === version)
    test.skip(!app, isAbsent(`sing-box ${version}`))
    const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
    for (const template of shipped(type)) {
      const config = rendered(template, { kind: 'sing-box', version: [major, minor, patch] })
      expect(config).toContain('"one"')
      expect(complaint(app, ['check', '-c'], config), template.variant).toBe('')
    }
  })
}

test.describe('Xray takes', () => {
  needsEngine()
  const core: ClientApp = { name: 'xray', version: '', file: xray }

  test('every shipped template of XRAY_JSON', () => {
    for (const template of shipped('XRAY_JSON')) {
      const [first] = JSON.parse(rendered(template, { kind: 'xray-json' })) as XrayObject[] // one for each host
      expect(JSON.stringify(first)).toContain('shadowsocks')
      expect(complaint(core, ['run', '-test', '-c'], JSON.stringify(first)), template.variant).toBe('')
    }
  })

  test('every shipped profile, on a machine without lists of countries', () => {
    const secrets = { number: 1, privateKey: '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA', shortId: '0123456789abcdef' }
    for (const { variant, config } of shippedProfiles) {
      expect(complaint(core, ['run', '-test', '-c'], JSON.stringify(config(secrets)), '/nonexistent'), variant).toBe('')
    }
  })
})

/** What an app says against a configuration; nothing when it takes it without a word of warning. */
function complaint(app: ClientApp | undefined, args: string[], config: string, assets: string = folder): string {
  const file = path.join(folder, config.startsWith('{') ? 'config.json' : 'config.yaml')
  writeFileSync(file, config)
  const env = { ...process.env, XRAY_LOCATION_ASSET: assets }
  const { status, stdout, stderr } = spawnSync(app?.file ?? '', [...args, file], { encoding: 'utf8', env })
  const lines = `${stdout}\n${stderr}`.split('\n')
  // Xray calls what older ones of its kind need old-fashioned.
  const said = lines.filter(
    (line) => /level=(warning|error|fatal)|WARN|ERROR|FATAL|Failed/i.test(line) && !line.includes('common/errors: Th'),
  )
  return status === 0 ? said.join('\n') : lines.slice(-12).join('\n')
}
