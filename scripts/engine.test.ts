import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ENGINE_BUILD } from './find-engine.ts'
import { loadValidator } from './load-validator.ts'

const isBuilt = existsSync(path.join(ENGINE_BUILD, '.stamp'))
if (!isBuilt) {
  const reason = 'the engine is not built: run `npm run engine`'
  if (process.env['REQUIRE_ENGINE'] === '1') throw new Error(reason)
  console.warn(`Tests of the engine are skipped: ${reason}.`)
}

describe.skipIf(!isBuilt)('the engine', () => {
  it('is an Xray of the pinned version', () => {
    const pinned = /xray-core v1\.(\d\d)(\d\d)(\d\d)\.0/.exec(readFileSync(path.join(ENGINE_BUILD, '../go.mod'), 'utf8')) ?? []
    const version = pinned.slice(1).map(Number).join('.')
    const said = execFileSync(path.join(ENGINE_BUILD, 'xray'), ['version'], { encoding: 'utf8' })
    expect(said.split(' ')[1]).toBe(version)
  })

  it('needs no library of the machine', () => {
    // A dynamically linked program names its interpreter near its beginning.
    const head = readFileSync(path.join(ENGINE_BUILD, 'xray')).subarray(0, 4096).toString('latin1')
    expect(head).not.toContain('/lib')
  })

  it('lies beside the licences of all it is made of', () => {
    const text = readFileSync(path.join(ENGINE_BUILD, 'LICENSES.txt'), 'utf8')
    for (const name of [
      'github.com/xtls/xray-core',
      'github.com/sagernet/sing',
      'google.golang.org/grpc',
      'Go standard library',
    ]) {
      expect(text).toContain(`\n${name}`)
    }
    expect(text).toContain('Mozilla Public License')
    expect(text).toContain('GNU GENERAL PUBLIC LICENSE')
  })
})

describe.skipIf(!isBuilt)('the validator for browsers', () => {
  let validate: (config: unknown) => string | null
  const config = (change: object = {}) => ({
    log: { loglevel: 'warning' },
    inbounds: [inbound()],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
    ...change,
  })
  const inbound = (change: object = {}) => ({
    tag: 'A',
    port: 443,
    protocol: 'vless',
    settings: { clients: [], decryption: 'none' },
    ...change,
  })

  beforeAll(async () => {
    const validateXrayConfig = await loadValidator()
    validate = (given) => validateXrayConfig(typeof given === 'string' ? given : JSON.stringify(given))
  })

  it.each([
    ['a plain config', {}],
    [
      'REALITY',
      {
        inbounds: [
          inbound({
            streamSettings: {
              network: 'raw',
              security: 'reality',
              realitySettings: {
                target: 'a.example:443',
                serverNames: ['a.example'],
                privateKey: '4EDbPzx7xkqJ9dVUwFCbLpXyrAxqlfbcGZzLqFuuTnA',
                shortIds: [''],
              },
            },
          }),
        ],
      },
    ],
    [
      'certificates in files of the node',
      {
        inbounds: [
          inbound({
            streamSettings: {
              network: 'ws',
              security: 'tls',
              tlsSettings: { certificates: [{ certificateFile: '/x.crt', keyFile: '/x.key' }] },
            },
          }),
        ],
      },
    ],
    ['a log in a file of the node', { log: { access: '/no/such/folder/access.log' } }],
    ['a network device, which only a node has', { inbounds: [inbound({ protocol: 'tun', port: undefined, settings: {} })] }],
    [
      'lists of addresses and domains the browser does not have',
      {
        routing: {
          rules: [
            { ip: ['geoip:private', 'geoip:!ru', 'ext:own.dat:office'], outboundTag: 'DIRECT' },
            { domain: ['geosite:category-ads-all@ads', 'ext:own.dat:shops'], outboundTag: 'DIRECT' },
          ],
        },
      },
    ],
  ])('accepts %s', (_, change) => {
    expect(validate(config(change))).toBeNull()
  })

  it.each<[string, unknown, RegExp]>([
    ['text that is not JSON', '{"inbounds":', /unexpected EOF/],
    ['JSON with the place of the mistake', '{\n  "inbounds": 5\n}', /line 2/],
    ['an unknown protocol', config({ inbounds: [inbound({ protocol: 'nope' })] }), /inbound config with tag A.*nope/],
    [
      'an unknown transport',
      config({ inbounds: [inbound({ streamSettings: { network: 'foo' } })] }),
      /unknown transport protocol: foo/,
    ],
    ['a port that is none', config({ inbounds: [inbound({ port: 'abc' })] }), /invalid port: abc/],
    ['a VLESS user without decryption', config({ inbounds: [inbound({ settings: { clients: [] } })] }), /decryption/],
    ['an address that is none', config({ routing: { rules: [{ ip: ['1.2.3'], outboundTag: 'X' }] } }), /1\.2\.3/],
  ])('refuses %s, in words without names of Go packages', (_, given, sentence) => {
    const problem = validate(given)
    expect(problem).toMatch(sentence)
    expect(problem).not.toMatch(/infra\/conf|proxy\/|app\//)
  })

  it('goes on after a refusal', () => {
    expect(validate('[]')).not.toBeNull()
    expect(validate(config())).toBeNull()
  })
})
