import { expect, test } from 'vitest'
import type { XrayObject } from '@causeway/xray'
import type { SourceRow } from '../copy-text.ts'
import { recognizeMarzban } from './schema.ts'
import { translateMarzban } from './translator.ts'

const now = '2026-03-01T12:00:00.000Z'
const keyOf = (number: number) => `0000000e-0000-4000-8000-00000000000${number}`
const config = {
  inbounds: [
    { tag: 'A', port: 1, protocol: 'vless', settings: { clients: [{ id: 'x' }], decryption: 'none' } },
    { tag: 'B', port: 2, protocol: 'vless', settings: { clients: [], decryption: 'none' } },
    { tag: 'C', port: 3, protocol: 'trojan', settings: { clients: [] } },
    { tag: 'API', port: 4, protocol: 'dokodemo-door', settings: { address: '127.0.0.1' } },
    { tag: 'A', port: 5, protocol: 'vmess', settings: { clients: [] } },
  ],
}
const user = (id: number, fields: SourceRow = {}): SourceRow => ({
  id: String(id),
  username: `user${id}`,
  status: 'active',
  used_traffic: '0',
  data_limit: null,
  data_limit_reset_strategy: 'no_reset',
  expire: null,
  sub_revoked_at: null,
  created_at: '2025-01-01 10:00:00',
  note: null,
  ...fields,
})

function translate(tables: Record<string, SourceRow[]>, core: XrayObject = config) {
  let made = 0
  return translateMarzban(
    new Map(Object.entries({ jwt: [{ secret_key: 'secret' }], ...tables })),
    { panel: 'marzban' },
    {
      address: null,
      config: core,
      path: '/sub',
      now,
      newUuid: () => `0000000d-0000-4000-8000-${(++made).toString(16).padStart(12, '0')}`,
      newText: () => `made-${++made}`,
    },
  )
}

test('MOVE-018 a user with several protocols is one user, in the inbounds of these protocols but those excluded', () => {
  const { lines, findings } = translate({
    users: [user(1), user(2)],
    proxies: [
      { id: '1', user_id: '1', type: 'VLESS', settings: `{"id":"${keyOf(1)}"}` },
      { id: '2', user_id: '1', type: 'Trojan', settings: '{"password":"one"}' },
      { id: '3', user_id: '2', type: 'VLESS', settings: `{"id":"${keyOf(2)}"}` },
    ],
    exclude_inbounds_association: [{ proxy_id: '3', inbound_tag: 'A' }],
  })
  const names = new Map(lines.flatMap((line) => (line.kind === 'squad' ? [[line.uuid, line.name]] : [])))
  const users = lines.flatMap((line) => (line.kind === 'user' ? [line] : []))
  const squadsOf = (uuid = '') =>
    lines.flatMap((line) => (line.kind === 'member' && line.user === uuid ? [names.get(line.squad)] : []))
  expect(
    users.map(({ uuid, ...each }) => [each.id, each.vlessUuid, each.trojanPassword.replace(/\d+/, ''), squadsOf(uuid)]),
  ).toEqual([
    [1, keyOf(1), 'one', ['A_', 'B_', 'C_']],
    [2, keyOf(2), 'made-', ['B_']],
  ])
  expect(findings.find(({ rule }) => rule === 'tagTwice')?.examples).toEqual(['inbound A of Moved-in is left out'])
  expect(lines.at(-1)).toEqual({ kind: 'oldLinks', paths: [], signed: { path: '/sub', secret: 'secret', renamed: {} } })
})

test('MOVE-015 keys, statuses and instants that cannot be are replaced and reported', () => {
  const { lines, findings } = translate({
    users: [
      user(1, { status: 'paused', expire: '-5' }),
      user(2, { expire: '0', used_traffic: '-1' }),
      user(3, { username: 'USER2', status: 'on_hold', on_hold_expire_duration: null }),
      user(4, { username: 'plain' }),
    ],
    proxies: [
      { id: '1', user_id: '1', type: 'VLESS', settings: '{"id":' },
      { id: '2', user_id: '2', type: 'Shadowsocks', settings: '{"password":"p","method":"aes-256-gcm"}' },
    ],
  })
  const users = lines.flatMap((line) => (line.kind === 'user' ? [line] : []))
  expect(users.map(({ username, status, expireAt }) => [username, status, expireAt])).toEqual([
    ['user1', 'DISABLED', '2099-12-31T00:00:00.000Z'],
    ['user2', 'ACTIVE', '2099-12-31T00:00:00.000Z'],
    ['USER2_2', 'ACTIVE', '2099-12-31T00:00:00.000Z'],
    ['plain', 'ACTIVE', '2099-12-31T00:00:00.000Z'],
  ])
  expect(Object.fromEntries(findings.map(({ rule, count }) => [rule, count]))).toMatchObject({
    impossibleValue: 4,
    nameTaken: 1,
    firstUse: 1,
    otherKey: 1,
  })
  const links = lines.at(-1)
  expect(links?.kind === 'oldLinks' && links.signed?.renamed).toEqual({ USER2: 'USER2_2' })
})

test('MOVE-019 a database of neither panel is refused with what was found', () => {
  expect(() => recognizeMarzban(new Map([['users', ['id']]]))).toThrow(
    /it has 1 tables, and users\.username, .* and \d+ more are missing\. Nothing was changed\.$/,
  )
})

test('MOVE-015 inbounds keep the flow that most users have, and the others are named', () => {
  const settings = { clients: [], decryption: 'none' }
  const reality = { tag: 'R', port: 1, protocol: 'vless', settings, streamSettings: { network: 'tcp', security: 'reality' } }
  const proxy = (id: number, flow: string) => ({
    id: String(id),
    user_id: String(id),
    type: 'VLESS',
    settings: JSON.stringify({ id: keyOf(id), flow }),
  })
  const translated = (flows: string[]) => {
    const users = flows.map((_, place) => user(place + 1))
    const proxies = flows.map((flow, place) => proxy(place + 1, flow))
    const { lines, findings } = translate({ users, proxies }, { inbounds: [reality] })
    const [inbound] = lines.flatMap((line) => (line.kind === 'inbound' ? [line.rawInbound] : []))
    return { inbound, others: findings.find(({ rule }) => rule === 'otherKey')?.examples }
  }
  const vision = 'xtls-rprx-vision'
  expect(translated(['', '', vision])).toEqual({
    inbound: { ...reality, settings: { ...settings, flow: '' } },
    others: ['user user3: flow of VLESS'],
  })
  expect(translated([vision, vision, ''])).toEqual({ inbound: reality, others: ['user user3: flow of VLESS'] })
})

test('MOVE-015 variables of a remark become those of here or the words of the inbound, and others are named', () => {
  const remarks = ['Marz ({USERNAME}) [{PROTOCOL} - {TRANSPORT}]', '{DATA_LEFT} of {DATA_LIMIT} {STATUS_EMOJI}', 'plain {x}']
  const { lines, findings } = translate({
    hosts: remarks.map((remark, place) => ({ id: String(place), remark, address: 'a.example', inbound_tag: 'A', port: null })),
  })
  expect(lines.flatMap((line) => (line.kind === 'host' ? [line.remark] : []))).toEqual([
    'Marz ({{USERNAME}}) [vless - tcp]',
    '{{TRAFFIC_LEFT}} of {{TOTAL_TRAFFIC}}',
    'plain {x}',
  ])
  expect(findings.find(({ rule }) => rule === 'notCarried')?.examples).toEqual([
    '{STATUS_EMOJI} in the remark of the host {DATA_LEFT} of {DATA_LIMIT} {STATUS_EMOJI}',
  ])
  const long = `${'x'.repeat(33)} {DAYS_LEFT}`
  const cut = translate({ hosts: [{ id: '1', remark: long, address: 'a.example', inbound_tag: 'A', port: null }] })
  expect(cut.lines.flatMap((line) => (line.kind === 'host' ? [line.remark] : []))).toEqual(['x'.repeat(33)])
})
