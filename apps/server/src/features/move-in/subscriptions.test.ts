import type { ClientType } from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { testDatabase } from '../../../test/postgres.ts'
import { emptySource, host, inbound, node, profile, squad, vlessProfile } from '../../../test/remnawave-source.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { connect } from '../../db/driver/connect.ts'
import { openSecretStore } from '../../ground/secret-store.ts'
import { loadArchive } from './load.actions.ts'
import { openRemnawave } from './remnawave.actions.ts'
import { openSource } from '../move-in-sources/source.actions.ts'

// What the source gave is worked out here from its rows by the rules of its subscriptions, not by the renderers under test.

const USERS = 200
const uuidOf = (number: number) => `0000000b-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
const keyOf = (number: number) => `0000000c-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
const nameOf = (number: number) => `person_${number}`

let server: TestServer
let source: Awaited<ReturnType<typeof emptySource>>
beforeAll(async () => {
  source = await emptySource()
  await fill()
  const database = await testDatabase()
  const connected = connect(database.url, { max: 1 })
  const opened = await openSource(source.url)
  const { lines } = await openRemnawave(opened, { sessionSecret: null, tokenSecret: null })
  const secrets = await openSecretStore(connected.db, Buffer.alloc(32, 1))
  await loadArchive({ url: database.url, secrets, source: 'remnawave' }, lines)
  await opened.close()
  await connected.close()
  server = await testServer({ database })
})
afterAll(async () => {
  await server.close()
  await source.drop()
})

interface Entry {
  name: string
  address: string
  port: number
  key: string
}

/** Every user has the first squad; every third also the second, which alone leads to the Trojan inbound. */
function expectedEntries(number: number): Entry[] {
  const vless = (name: string, address: string): Entry => ({ name, address, port: 443, key: keyOf(number) })
  const trojan: Entry = { name: 'Ws', address: 'cdn.example', port: 8443, key: `trojan-of-${number}` }
  return [vless('First', 'first.example'), ...(number % 3 === 0 ? [trojan] : []), vless(`Hello ${nameOf(number)}`, '192.0.2.7')]
}

async function fill(): Promise<void> {
  const { run } = source
  await run(`insert into config_profiles (uuid, name, config) values ($1, 'Main', $2)`, [
    profile(1),
    JSON.stringify(vlessProfile),
  ])
  await run(
    `insert into config_profile_inbounds (uuid, profile_uuid, tag, type, network, security, port, raw_inbound) values
      ($1, $3, 'VLESS_A', 'vless', 'tcp', 'reality', 443, $4), ($2, $3, 'TROJAN_A', 'trojan', 'ws', 'tls', 8443, $5)`,
    [inbound(1), inbound(2), profile(1), ...vlessProfile.inbounds.map((each) => JSON.stringify(each))],
  )
  await run(`insert into internal_squads (uuid, name) values ($1, 'All'), ($2, 'Some')`, [squad(1), squad(2)])
  await run(`insert into internal_squad_inbounds values ($1, $3), ($2, $4)`, [squad(1), squad(2), inbound(1), inbound(2)])
  await run(`insert into nodes (uuid, name, address, active_config_profile_uuid) values ($1, 'Node', 'node.example', $2)`, [
    node(1),
    profile(1),
  ])
  await run(
    `insert into hosts (uuid, view_position, remark, address, port, sni, fingerprint, is_disabled, is_hidden, config_profile_inbound_uuid,
        config_profile_uuid, path, host) values
      ($1, 30, 'Hello {{USERNAME}}', '192.0.2.7', 443, 'example.com', 'chrome', false, false, $6, $8, null, null),
      ($2, 10, 'First', 'first.example', 443, 'example.com', 'firefox', false, false, $6, $8, null, null),
      ($3, 20, 'Ws', 'cdn.example', 8443, 'cdn.example', null, false, false, $7, $8, '/ws', 'cdn.example'),
      ($4, 40, 'Off', 'off.example', 443, null, null, true, false, $6, $8, null, null),
      ($5, 50, 'Hidden', 'hidden.example', 443, null, null, false, true, $6, $8, null, null)`,
    [...[1, 2, 3, 4, 5].map(host), inbound(1), inbound(2), profile(1)],
  )
  await run(
    `insert into users (uuid, short_uuid, username, expire_at, trojan_password, vless_uuid, ss_password, created_at, updated_at)
      select ('0000000b-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'link-of-' || n, 'person_' || n, '2099-01-01',
        'trojan-of-' || n, ('0000000c-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'ss-of-' || n, now(), now()
      from generate_series(1, $1::int) n`,
    [USERS],
  )
  await run(`insert into internal_squad_members select $1, uuid from users`, [squad(1)])
  const thirds = Array.from({ length: USERS }, (_, index) => index + 1).filter((number) => number % 3 === 0)
  await run(`insert into internal_squad_members select $1, unnest($2::uuid[])`, [squad(2), thirds.map(uuidOf)])
}

/** How each format says an entry. */
const formats: Record<ClientType | 'links', (text: string) => Entry[]> = {
  links: (text) => entriesOfLinks(Buffer.from(text, 'base64').toString('utf8')),
  'v2ray-json': entriesOfXray,
  json: entriesOfXray,
  mihomo: entriesOfClash,
  // It does not know VLESS, and says so with an entry that leads nowhere.
  clash: (text) => entriesOfClash(text).filter(({ address }) => address !== '0.0.0.0'),
  stash: entriesOfClash,
  singbox: entriesOfSingBox,
  'singbox-legacy': entriesOfSingBox,
}

test.each(Object.entries(formats))(
  'MOVE-003 all users get the same entries, keys, addresses and remarks as before: %s',
  async (format, entriesOf) => {
    const path = format === 'links' ? '' : `/${format}`
    for (let number = 1; number <= USERS; number++) {
      const { status, body } = await server.send('GET', `/api/sub/link-of-${number}${path}`, undefined, { 'user-agent': 'test' })
      const text = typeof body === 'string' ? body : JSON.stringify(body)
      const expected = expectedEntries(number).filter(({ key }) => format !== 'clash' || key.startsWith('trojan'))
      expect([status, entriesOf(text)]).toEqual([200, expected])
    }
  },
)

function entriesOfLinks(text: string): Entry[] {
  return text.split('\n').map((line) => {
    const { username, hostname, port, hash } = new URL(line.replace(/^\w+:/, 'http:'))
    return {
      name: decodeURIComponent(hash.slice(1)),
      address: hostname,
      port: Number(port || 80),
      key: decodeURIComponent(username),
    }
  })
}

interface XrayConfig {
  remarks: string
  outbounds: {
    settings: {
      vnext?: { address: string; port: number; users: { id: string }[] }[]
      servers?: { address: string; port: number; password: string }[]
    }
  }[]
}

function entriesOfXray(text: string): Entry[] {
  const configs = JSON.parse(text) as XrayConfig[] // Xray's own form
  return configs.map(({ remarks, outbounds: [outbound] }) => {
    const { vnext, servers } = outbound?.settings ?? {}
    const { address = '', port = 0 } = vnext?.[0] ?? servers?.[0] ?? {}
    return { name: remarks, address, port, key: vnext?.[0]?.users[0]?.id ?? servers?.[0]?.password ?? '' }
  })
}

function entriesOfClash(text: string): Entry[] {
  const { proxies } = parse(text) as {
    proxies?: { name: string; server: string; port: number; uuid?: string; password?: string }[]
  }
  return (proxies ?? []).map(({ name, server: address, port, uuid, password }) => ({
    name,
    address,
    port,
    key: uuid ?? password ?? '',
  }))
}

function entriesOfSingBox(text: string): Entry[] {
  const { outbounds } = JSON.parse(text) as {
    outbounds: { tag: string; server?: string; server_port?: number; uuid?: string; password?: string }[]
  }
  return outbounds
    .filter(({ server: address }) => address !== undefined)
    .map(({ tag, server: address = '', server_port: port = 0, uuid, password }) => ({
      name: tag,
      address,
      port,
      key: uuid ?? password ?? '',
    }))
}
