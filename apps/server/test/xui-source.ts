import { DatabaseSync } from 'node:sqlite'

// A SQLite file as 3x-ui keeps it, by the facts that are known of its tables.

const TABLES = `
  create table inbounds (id integer primary key autoincrement, user_id integer, up integer, down integer, total integer,
    remark text, enable numeric, expiry_time integer, listen text, port integer, protocol text, settings text,
    stream_settings text, tag text, sniffing text, node_id integer);
  create table clients (id integer primary key autoincrement, email text unique, sub_id text, uuid text, password text, auth text,
    flow text, limit_ip integer default 0, limit_hwid integer default 0, total_gb integer default 0, expiry_time integer default 0,
    enable numeric default 1, tg_id integer default 0, group_name text default '', comment text default '', reset integer default 0,
    reset_day integer, reset_max integer, traffic_reset text default '', created_at integer);
  create table client_inbounds (client_id integer, inbound_id integer, flow_override text);
  create table client_traffics (id integer primary key autoincrement, inbound_id integer, enable numeric, email text unique,
    up integer, down integer, total integer, expiry_time integer, reset integer, last_online integer);
  create table settings (id integer primary key autoincrement, key text, value text);
  create table hosts (id integer primary key autoincrement, remark text);
  create table client_hwids (id integer primary key autoincrement, hwid_hash text);
  create table nodes (id integer primary key autoincrement, name text);`

export const reality = {
  network: 'tcp',
  security: 'reality',
  realitySettings: {
    target: 'a.example:443',
    serverNames: ['a.example'],
    privateKey: 'iAFM7P0bAHNXUqLLYQXmnVRUJvIuxODzBVMKqd8ElWY',
    shortIds: ['0123abcd'],
    settings: { publicKey: 'x', fingerprint: 'firefox' },
  },
}

export const xuiKey = (number: number) => `0000000c-0000-4000-8000-00000000000${number}`

/** Makes the file: two inbounds, a user in both, and users with every edge. */
export function makeXuiFile(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(TABLES)
  const run = (statement: string, ...values: (string | number | bigint | null)[]) => database.prepare(statement).run(...values)
  const inbound = `insert into inbounds (id, remark, enable, port, protocol, settings, stream_settings, tag, sniffing, listen)
    values (?, ?, ?, ?, ?, ?, ?, ?, '{"enabled":true}', '')`
  run(inbound, 1, 'Oslo', 1, 443, 'vless', '{"clients":[],"decryption":"none"}', JSON.stringify(reality), 'inbound-443')
  run(
    inbound,
    2,
    'Riga',
    1,
    8443,
    'trojan',
    '{"clients":[]}',
    '{"network":"ws","security":"none","wsSettings":{"path":"/ws"}}',
    'in-8443',
  )
  const client = `insert into clients (id, email, sub_id, uuid, password, total_gb, expiry_time, enable, created_at, comment)
    values (?, ?, ?, ?, ?, ?, ?, ?, 1735689600000, ?)`
  run(client, 1, 'anna', 'annalink12345678', xuiKey(1), 'trojan-anna', 1000, 0, 1, 'line\tone\nline two 🙂')
  run(client, 2, 'boris@home', 'borislink1234567', xuiKey(2), 'trojan-boris', 0, 4_000_000_000_000, 1, '')
  run(client, 3, 'late', 'latelink12345678', xuiKey(3), 'trojan-late', 0, 1_700_000_000_000, 1, '')
  run(client, 4, 'off', 'offlink123456789', xuiKey(4), 'trojan-off', 9_223_372_036_854_775_807n, 0, 0, '')
  for (const [clientId, inboundId] of [
    [1, 1],
    [1, 2],
    [2, 2],
    [3, 1],
    [4, 1],
    [4, 9],
  ] as const)
    run('insert into client_inbounds values (?, ?, ?)', clientId, inboundId, '')
  const traffic = 'insert into client_traffics (email, up, down, last_online, enable) values (?, ?, ?, ?, 1)'
  run(traffic, 'anna', 100, 200, 1_760_000_000_000)
  run(traffic, 'boris@home', 5, 6, 0)
  for (const [key, value] of [
    ['subPort', '2096'],
    ['subPath', '/secret-Path/'],
    ['subJsonPath', '/json/'],
    ['subDomain', 'vpn.example'],
  ] as const)
    run('insert into settings (key, value) values (?, ?)', key, value)
  run('insert into client_hwids (hwid_hash) values (?), (?)', 'a', 'b')
  database.close()
}

/** As version 2 keeps it: clients stand in the settings of inbounds, here two of one link. */
export function makeOlderXuiFile(file: string): void {
  makeXuiFile(file)
  const database = new DatabaseSync(file)
  database.exec('drop table clients; drop table client_inbounds; drop table hosts; drop table nodes; drop table client_hwids')
  const put = (id: number, ...clients: object[]) =>
    database.prepare('update inbounds set settings = ? where id = ?').run(JSON.stringify({ clients, decryption: 'none' }), id)
  put(1, { id: xuiKey(1), email: 'anna', subId: 'annalink12345678', totalGB: 1000, expiryTime: 0, enable: true })
  put(
    2,
    { password: 'trojan-anna', email: 'anna-ws', subId: 'annalink12345678', totalGB: 500, expiryTime: 0, enable: true },
    { password: 'trojan-boris', email: 'boris@home', subId: 'borislink1234567', totalGB: 0, expiryTime: 0, enable: true },
  )
  database.close()
}
