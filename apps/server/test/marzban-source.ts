import { createHash, createHmac } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { reality } from './xui-source.ts'

// SQLite files as Marzban and PasarGuard keep them, by the facts that are known of their tables, and the links that they sign.

export const SECRET = 'secret-of-the-old-panel'

const SHARED = `
  create table admins (id integer primary key, username text, hashed_password text);
  create table inbounds (id integer primary key, tag text unique);
  create table jwt (id integer primary key, secret_key text);
  create table nodes (id integer primary key, name text, address text, port integer, api_port integer, usage_coefficient real);
  create table next_plans (id integer primary key, user_id integer, data_limit integer);
  create table user_usage_logs (id integer primary key, user_id integer, used_traffic_at_reset integer, reset_at text);
  insert into admins values (1, 'owner', 'x');
  insert into inbounds values (1, 'VLESS'), (2, 'TROJAN');
  insert into jwt values (1, '${SECRET}');
  insert into nodes values (1, 'Oslo', '192.0.2.9', 62050, 62051, 1.0);`
const HOSTS = `
  create table hosts (id integer primary key, remark text, address text, port integer, path text, sni text, host text, security text,
    alpn text, fingerprint text, inbound_tag text, allowinsecure numeric, is_disabled numeric, mux_enable numeric, fragment_setting text,
    noise_setting text, random_user_agent numeric, use_sni_as_host numeric, priority integer);
  insert into hosts (remark, address, port, sni, security, alpn, fingerprint, inbound_tag, is_disabled) values
    ('{USERNAME} one', '{SERVER_IP}', null, 'a.example', 'inbound_default', 'none', 'chrome', 'VLESS', 0),
    ('two', 'two.example', 8443, null, 'tls', '', 'none', 'TROJAN', 0),
    ('gone', 'gone.example', 1, null, 'tls', 'h2,http/1.1', 'none', 'MISSING', 1);`
const USERS = `status text, used_traffic integer, data_limit integer, data_limit_reset_strategy text, sub_revoked_at text, created_at text,
  note text, online_at text, on_hold_expire_duration integer, on_hold_timeout text, sub_last_user_agent text, admin_id integer`

export const marzbanConfig = {
  log: { loglevel: 'warning' },
  inbounds: [
    { tag: 'VLESS', port: 443, protocol: 'vless', settings: { clients: [], decryption: 'none' }, streamSettings: reality },
    {
      tag: 'TROJAN',
      port: 8443,
      protocol: 'trojan',
      settings: { clients: [{ password: 'x' }] },
      streamSettings: { network: 'tcp', security: 'none' },
    },
  ],
  outbounds: [{ protocol: 'freedom', tag: 'DIRECT' }],
}
export const oldKey = (number: number) => `0000000e-0000-4000-8000-00000000000${number}`

export function makeMarzbanFile(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`${SHARED}${HOSTS}
    create table users (id integer primary key, username text unique, expire integer, ${USERS});
    create table proxies (id integer primary key, user_id integer, type text, settings text);
    create table exclude_inbounds_association (proxy_id integer, inbound_tag text);
    insert into users (id, username, expire, status, used_traffic, data_limit, data_limit_reset_strategy, created_at, admin_id, note) values
      (11, 'anna', null, 'active', 300, 1000, 'month', '2025-01-01 10:00:00.500000', 1, 'paid'),
      (12, 'boris', 4000000000, 'limited', 50, 50, 'no_reset', '2025-01-01 10:00:00', null, null),
      (13, 'held', null, 'on_hold', 0, 0, 'year', '2025-01-01 10:00:00', 1, ''),
      (14, 'a.b', 1700000000, 'expired', 0, null, 'no_reset', '2025-01-01 10:00:00', 1, '');
    update users set on_hold_expire_duration = 2592000 where id = 13;
    update users set sub_revoked_at = '2025-06-01 00:00:00' where id = 12;
    insert into proxies (id, user_id, type, settings) values
      (1, 11, 'VLESS', '{"id":"${oldKey(1)}","flow":""}'), (2, 11, 'Trojan', '{"password":"trojan-anna"}'),
      (3, 11, 'VMess', '{"id":"${oldKey(9)}"}'),
      (4, 12, 'VLESS', '{"id":"${oldKey(2)}"}'), (5, 12, 'Trojan', '{"password":"trojan-boris"}'),
      (6, 13, 'Trojan', '{"password":"trojan-held"}'), (7, 14, 'VLESS', '{"id":"${oldKey(4)}"}');
    insert into exclude_inbounds_association values (5, 'TROJAN');
    insert into user_usage_logs (user_id, used_traffic_at_reset) values (11, 700), (11, 1);
    insert into next_plans (user_id, data_limit) values (12, 5);`)
  database.close()
}

export function makePasarguardFile(file: string): void {
  const database = new DatabaseSync(file)
  database.exec(`${SHARED}${HOSTS}
    create table users (id integer primary key, username text unique, expire text, proxy_settings text, hwid_limit integer, ${USERS});
    create table groups (id integer primary key, name text, is_disabled numeric);
    create table users_groups_association (user_id integer, groups_id integer);
    create table inbounds_groups_association (inbound_id integer, group_id integer);
    create table core_configs (id integer primary key, name text, config text);
    insert into users (id, username, expire, proxy_settings, hwid_limit, status, used_traffic, data_limit, data_limit_reset_strategy,
      created_at) values
      (21, 'clara', '2027-01-01 00:00:00', '{"vless":{"id":"${oldKey(5)}"},"trojan":{"password":"trojan-clara"}}', 3, 'active', 1, 0,
        'week', '2025-01-01 10:00:00'),
      (22, 'dora', null, '{"vless":{"id":"${oldKey(6)}"}}', null, 'disabled', 0, 0, 'no_reset', '2025-01-01 10:00:00');
    insert into groups values (1, 'Both', 0), (2, 'Off', 1);
    insert into inbounds_groups_association values (1, 1), (2, 1), (2, 2);
    insert into users_groups_association values (21, 1), (22, 2);`)
  database.exec('create table settings (id integer primary key, subscription text)')
  const applications = [{ name: 'Streisand', import_url: 'streisand://import/{url}', platform: 'ios' }]
  database.prepare('insert into settings values (0, ?)').run(JSON.stringify({ url_prefix: '', applications }))
  database.prepare('insert into core_configs values (1, ?, ?)').run('Core', JSON.stringify(marzbanConfig))
  database.exec(
    `update hosts set address = 'one.example' where address = '{SERVER_IP}'; update hosts set sni = '["a.example","b.example"]' where id = 1`,
  )
  database.close()
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const hmac = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url')

export const tokens = {
  short: (payload: string, secret = SECRET, form: 'base64url' | 'hex' = 'base64url') => {
    const head = base64url(payload)
    return (
      head +
      createHash('sha256')
        .update(head + secret)
        .digest(form)
        .slice(0, 10)
    )
  },
  jwt: (sub: string, iat: number, { secret = SECRET, access = 'subscription', alg = 'HS256' } = {}) => {
    const text = `${base64url(JSON.stringify({ alg, typ: 'JWT' }))}.${base64url(JSON.stringify({ sub, access, iat }))}`
    return `${text}.${hmac(text, secret)}`
  },
  v3: (id: number, time: number, secret = SECRET) => {
    const head = base64url(`v3,${id},${time}`)
    return `${head}.${hmac(head, secret)}`
  },
}
