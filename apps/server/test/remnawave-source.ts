import { createHmac, scryptSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { SignJWT } from 'jose'
import pg from 'pg'
import { readFleetKeys, type FleetKeys } from '../src/ground/fleet-keys.ts'
import { testDatabase, databaseUrl } from './postgres.ts'

// A database of the 2.1 generation with every edge that an import has to settle.

export const SESSION_SECRET = 'session-secret-of-the-old-panel-0123456789'
export const TOKEN_SECRET = 'token-secret-of-the-old-panel-0123456789'
export const PASSWORD = 'Old-panel-password-2024'
const SALT = '5f3a9c'

const uuidOf = (kind: number, number: number) =>
  `${kind.toString(16).padStart(8, '0')}-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
export const user = (number: number) => uuidOf(1, number)
export const node = (number: number) => uuidOf(2, number)
export const profile = (number: number) => uuidOf(3, number)
export const inbound = (number: number) => uuidOf(4, number)
export const squad = (number: number) => uuidOf(5, number)
export const host = (number: number) => uuidOf(6, number)
export const provider = (number: number) => uuidOf(7, number)
export const token = (number: number) => uuidOf(8, number)
const other = (number: number) => uuidOf(9, number)

export interface SourceDatabase {
  url: string
  keys: FleetKeys
  tokens: { bySession: string; byTokenSecret: string; byNone: string }
  /** A plain dump of it; gzipped where the name ends so. */
  dumpTo(file: string): Promise<void>
  run(sql: string, values?: unknown[]): Promise<void>
  drop(): Promise<void>
}

export const vlessProfile = {
  log: { loglevel: 'warning' },
  inbounds: [
    {
      tag: 'VLESS_A',
      port: 443,
      protocol: 'vless',
      settings: { clients: [], decryption: 'none' },
      streamSettings: {
        network: 'tcp',
        security: 'reality',
        realitySettings: {
          target: 'example.com:443',
          serverNames: ['example.com'],
          privateKey: 'sLpEbYTrVoFiKUDlCMF_OZr_Vz9B0FPmEnGXAo2jRHk',
          shortIds: ['0123abcd'],
        },
      },
    },
    {
      tag: 'TROJAN_A',
      port: 8443,
      protocol: 'trojan',
      settings: { clients: [] },
      streamSettings: { network: 'ws', security: 'tls', wsSettings: { path: '/ws' } },
    },
  ],
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
  routing: { rules: [{ inboundTag: ['VLESS_A'], outboundTag: 'DIRECT' }] },
}
const secondProfile = {
  inbounds: [
    {
      tag: 'VLESS_A',
      port: 2443,
      protocol: 'vless',
      settings: { clients: [], decryption: 'none' },
      streamSettings: { network: 'ws', security: 'none' },
    },
    { tag: 'SS', port: 1234, protocol: 'shadowsocks', settings: { clients: [], network: 'tcp,udp' } },
  ],
  outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
  routing: { rules: [{ inboundTag: ['VLESS_A'], outboundTag: 'DIRECT' }] },
}

function hashOfOldPassword(password: string): string {
  const keyed = createHmac('sha256', SESSION_SECRET).update(password).digest('hex')
  return `${SALT}:${scryptSync(keyed, SALT, 64).toString('hex')}`
}

/** Empty tables of a source on the server of the tests. */
export async function emptySource(): Promise<Omit<SourceDatabase, 'keys' | 'tokens'>> {
  const base = await testDatabase()
  const name = `${new URL(base.url).pathname.slice(1)}_source`
  const admin = await connected(databaseUrl(base.url, 'postgres'))
  await admin.query(`create database ${name}`)
  const url = databaseUrl(base.url, name)
  const client = await connected(url)
  await client.query(readFileSync(path.join(import.meta.dirname, 'remnawave-schema.sql'), 'utf8'))
  return {
    url,
    run: async (sql, values) => void (await client.query(sql, values)),
    dumpTo: async (file) => {
      const text = await dumpOf(client)
      writeFileSync(file, file.endsWith('.gz') ? gzipSync(text) : text)
    },
    drop: async () => {
      await client.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
      await base.drop()
    },
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return client
}

/** As pg_dump writes it: tables in the order of their names, users last. */
async function dumpOf(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string; columns: string[] }>(
    `select table_name::text as name, array_agg(column_name::text order by ordinal_position) as columns
      from information_schema.columns where table_schema = 'public' group by 1 order by 1`,
  )
  const parts = [
    '--\n-- PostgreSQL database dump\n--\n',
    "SET client_encoding = 'UTF8';\n",
    'CREATE TABLE public.users (\n    uuid uuid\n);\n',
  ]
  for (const { name, columns } of tables) {
    const { rows } = await client.query<Record<string, string | null>>(
      `select ${columns.map((column) => `"${column}"::text`).join(', ')} from "${name}"`,
    )
    // Yes and no are written by their first letter in COPY.
    const { rows: flags } = await client.query<{ name: string }>(
      `select column_name::text as name from information_schema.columns where table_name = $1 and data_type = 'boolean'`,
      [name],
    )
    const isFlag = new Set(flags.map((flag) => flag.name))
    const cell = (row: Record<string, string | null>, column: string) => {
      const text = row[column] ?? null
      if (text === null) return '\\N'
      if (isFlag.has(column)) return text[0]
      return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
    }
    parts.push(`COPY public.${name} (${columns.join(', ')}) FROM stdin;\n`)
    for (const row of rows) parts.push(`${columns.map((column) => cell(row, column)).join('\t')}\n`)
    parts.push('\\.\n\n')
  }
  return [...parts, '--\n-- PostgreSQL database dump complete\n--\n\n'].join('')
}

/** A filled source: users 1 to 4 are ordinary; the others have an edge each. */
export async function filledSource(): Promise<SourceDatabase> {
  const source = await emptySource()
  const keys = await readFleetKeys({ get: (_, make) => Promise.resolve(make()) } as Parameters<typeof readFleetKeys>[0])
  const tokens = {
    bySession: await signed(token(1), SESSION_SECRET),
    byTokenSecret: await signed(token(2), TOKEN_SECRET),
    byNone: await signed(token(3), 'another-secret'),
  }
  const { run } = source
  await run(`insert into admin (uuid, username, password_hash, role) values ($1, 'boss', $2, 'ADMIN')`, [
    other(1),
    hashOfOldPassword(PASSWORD),
  ])
  await run(`insert into api_tokens (uuid, token, token_name) values ($1, $2, 'shop'), ($3, $4, 'later'), ($5, $6, 'stranger')`, [
    token(1),
    tokens.bySession,
    token(2),
    tokens.byTokenSecret,
    token(3),
    tokens.byNone,
  ])
  await run(`insert into keygen (priv_key, pub_key, ca_cert, ca_key, client_cert, client_key) values ($1, $2, $3, $4, $5, $6)`, [
    keys.jwtPrivateKeyPem,
    keys.jwtPublicKeyPem,
    keys.caCertPem,
    keys.caKeyPem,
    keys.clientCertPem,
    keys.clientKeyPem,
  ])
  await run(
    `insert into config_profiles (uuid, name, config, created_at) values
      ($1, 'Main', $2, '2024-01-01'), ($3, 'Second', $4, '2024-02-01')`,
    [profile(1), JSON.stringify(vlessProfile), profile(2), JSON.stringify(secondProfile)],
  )
  const raw = (config: { inbounds: object[] }, index: number) => JSON.stringify(config.inbounds[index])
  await run(
    `insert into config_profile_inbounds (uuid, profile_uuid, tag, type, network, security, port, raw_inbound) values
      ($1, $5, 'VLESS_A', 'vless', 'tcp', 'reality', 443, $7), ($2, $5, 'TROJAN_A', 'trojan', 'ws', 'tls', 8443, $8),
      ($3, $6, 'VLESS_A', 'vless', 'ws', 'none', 2443, $9), ($4, $6, 'SS', 'shadowsocks', null, null, 9999, $10)`,
    [
      ...[1, 2, 3, 4].map(inbound),
      profile(1),
      profile(2),
      raw(vlessProfile, 0),
      raw(vlessProfile, 1),
      raw(secondProfile, 0),
      JSON.stringify({ ...secondProfile.inbounds[1], port: 9999 }),
    ],
  )
  await run(`insert into infra_providers (uuid, name, favicon_link) values ($1, 'Nordwind', 'https://nordwind.example')`, [
    provider(1),
  ])
  await run(
    `insert into nodes (uuid, name, address, port, is_connected, is_xray_running, is_node_online, traffic_used_bytes, traffic_limit_bytes,
        traffic_reset_day, notify_percent, country_code, consumption_multiplier, active_config_profile_uuid, provider_uuid, view_position, xray_version)
      values ($1, 'Oslo', 'oslo.example', 2222, true, true, true, 5000, 100000, 7, 80, 'NO', 1500000000, $3, $4, 2, '25.1.1'),
        ($2, 'Riga', 'riga.example', null, false, false, false, null, null, null, null, 'LV', 1000000000, null, null, 1, null)`,
    [node(1), node(2), profile(1), provider(1)],
  )
  await run(`insert into config_profile_inbounds_to_nodes values ($1, $3), ($2, $3)`, [inbound(1), inbound(2), node(1)])
  await run(
    `insert into internal_squads (uuid, name, created_at) values ($1, 'Default-Squad', '2024-01-01'), ($2, 'Vip', '2024-01-02')`,
    [squad(1), squad(2)],
  )
  await run(`insert into internal_squad_inbounds values ($1, $3), ($1, $4), ($2, $5), ($2, $6)`, [
    squad(1),
    squad(2),
    inbound(1),
    inbound(2),
    inbound(3),
    other(99),
  ])
  await run(
    `insert into hosts (uuid, view_position, remark, address, port, path, sni, fingerprint, config_profile_inbound_uuid, config_profile_uuid,
        xhttp_extra_params, vless_route_id, is_hidden, tag) values
      ($1, 3, 'Oslo {{USERNAME}}', 'oslo.example', 443, null, 'example.com', 'chrome', $5, $8, null, 443, false, 'MAIN'),
      ($2, 1, 'Oslo ws', 'cdn.example', 8443, '/ws', 'cdn.example', null, $6, $8, '{"b":1,"a":[2]}', null, false, null),
      ($3, 2, 'Dangling', 'gone.example', 443, null, null, null, $7, null, null, null, false, null),
      ($4, 4, 'Hidden', 'hidden.example', 443, null, null, null, $5, $8, null, 70000, true, null)`,
    [host(1), host(2), host(3), host(4), inbound(1), inbound(2), other(98), profile(1)],
  )
  await run(
    `insert into subscription_settings (profile_title, support_link, profile_update_interval, happ_announce, expired_users_remarks,
        limited_users_remarks, disabled_users_remarks, custom_response_headers, randomize_hosts)
      values ('Old service', 'https://old.example', 0, 'Hello', '["Over","Renew"]', '["Full"]', '["Off"]', '{"x-old":"1"}', false)`,
  )
  await run(
    `insert into subscription_templates (template_type, template_yaml, template_json) values
      ('MIHOMO', $1, null), ('XRAY_JSON', null, $2), ('BROWSER', 'x', null)`,
    [
      'mixed-port: 7890\nproxies: # LEAVE THIS LINE!\nproxy-groups:\n  - name: Old\n    type: select\n    proxies:\n',
      JSON.stringify({ outbounds: [], log: {} }),
    ],
  )
  await insertUsers(source)
  await insertHistory(source)
  return { ...source, keys, tokens }
}

async function signed(uuid: string, secret: string): Promise<string> {
  return new SignJWT({ uuid, username: null, role: 'API' })
    .setProtectedHeader({ alg: 'HS256' })
    .setIssuedAt(1_700_000_000)
    .setExpirationTime(9_000_000_000)
    .sign(new TextEncoder().encode(secret))
}

async function insertUsers({ run }: Pick<SourceDatabase, 'run'>): Promise<void> {
  const insert = (number: number, username: string, columns: Record<string, unknown> = {}) => {
    const row: Record<string, unknown> = {
      t_id: number * 10,
      uuid: user(number),
      short_uuid: `short-${number}-abcdefgh`,
      username,
      expire_at: '2099-01-01 00:00:00',
      trojan_password: `trojan-${number}`,
      vless_uuid: uuidOf(10, number),
      ss_password: `ss-${number}`,
      created_at: `2024-01-${String(number).padStart(2, '0')} 10:00:00.123`,
      updated_at: '2024-06-01 00:00:00',
      ...columns,
    }
    const names = Object.keys(row)
    return run(
      `insert into users (${names.join(', ')}) values (${names.map((_, place) => `$${place + 1}`).join(', ')})`,
      Object.values(row),
    )
  }
  await insert(1, 'plain')
  await insert(2, 'full', {
    status: 'LIMITED',
    used_traffic_bytes: 300,
    lifetime_used_traffic_bytes: 900,
    traffic_limit_bytes: 300,
    traffic_limit_strategy: 'WEEK',
    sub_last_user_agent: 'Happ/3.1',
    sub_last_opened_at: '2024-05-01 12:00:00.5',
    online_at: '2024-05-02 12:00:00',
    sub_revoked_at: '2024-04-01 00:00:00',
    last_traffic_reset_at: '2024-04-29 00:05:00',
    description: 'a\ttab, a\nline, a \\ and "quotes" 🙂',
    email: 'full@example.com',
    telegram_id: 7_000_000_000,
    hwid_device_limit: 0,
    tag: 'VIP',
    first_connected_at: '2024-02-01 00:00:00',
    last_triggered_threshold: 80,
    last_connected_node_uuid: node(1),
  })
  await insert(3, 'expired', { status: 'EXPIRED', expire_at: '2024-03-01 00:00:00' })
  await insert(4, 'disabled', { status: 'DISABLED' })
  await insert(5, 'Anna')
  await insert(6, 'anna', { created_at: '2024-01-20 00:00:00' })
  await insert(7, 'ANNA', { created_at: '2023-01-01 00:00:00' })
  await insert(8, 'anna_2', { created_at: '2024-01-21 00:00:00' })
  await insert(9, 'odd', {
    status: 'SLEEPING',
    traffic_limit_bytes: -5,
    used_traffic_bytes: '9223372036854775807',
    traffic_limit_strategy: 'MONTH_ROLLING',
    expire_at: 'infinity',
    email: 'no address',
    hwid_device_limit: -1,
  })
}

async function insertHistory({ run }: Pick<SourceDatabase, 'run'>): Promise<void> {
  await run(`insert into internal_squad_members values ($1, $3), ($1, $4), ($2, $4), ($1, $5), ($1, $6), ($1, $7)`, [
    squad(1),
    squad(2),
    user(1),
    user(2),
    user(3),
    user(4),
    other(97),
  ])
  await run(
    `insert into hwid_user_devices (hwid, user_uuid, platform, user_agent) values ('device-1', $1, 'iOS', 'Happ/3.1'), ('device-1', $2, null, null)`,
    [user(1), user(2)],
  )
  await run(`insert into user_traffic_history (user_uuid, used_bytes, reset_at) values ($1, 600, '2024-04-29 00:05:00')`, [
    user(2),
  ])
  await run(
    `insert into nodes_user_usage_history (node_uuid, user_uuid, download_bytes, upload_bytes, total_bytes, created_at) values
      ($1, $3, 200, 100, 300, '2024-05-01'), ($2, $3, 2, 1, 3, '2024-05-01'), ($1, $3, 20, 10, 31, '2024-04-30'), ($1, $4, 5, 5, 10, '2024-05-01'),
      ($1, $5, 1, 1, 2, '2024-05-01')`,
    [node(1), node(2), user(2), user(1), other(96)],
  )
  await run(
    `insert into nodes_usage_history (node_uuid, download_bytes, upload_bytes, total_bytes, created_at) values
      ($1, 1000, 100, 1100, '2024-05-01 13:00:00'), ($1, 10, 1, 11, '2024-05-01 14:00:00'), ($2, 7, 0, 7, '2024-05-01 13:00:00')`,
    [node(1), node(2)],
  )
  await run(
    `insert into nodes_traffic_usage_history (node_uuid, traffic_bytes, reset_at) values ($1, 4000, '2024-04-07 01:00:00')`,
    [node(1)],
  )
  await run(
    `insert into infra_billing_nodes (node_uuid, provider_uuid, next_billing_at) values ($1, $2, '2026-12-01 00:00:00')`,
    [node(1), provider(1)],
  )
  await run(
    `insert into infra_billing_history (provider_uuid, amount, billed_at) values ($1, 34.904, '2024-05-02 00:00:00'), ($1, 'NaN', '2024-05-03 00:00:00')`,
    [provider(1)],
  )
}
