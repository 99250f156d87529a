import { describe, expect, test } from 'vitest'
import type { Line, LineOf } from '../archive/kinds.ts'
import type { SourceRow } from '../copy-text.ts'
import { recognizeXui } from './schema.ts'
import { translateXui } from './translator.ts'

const now = '2026-03-01T12:00:00.000Z'
const DAY_MS = 86_400_000
const keyOf = (number: number) => `0000000c-0000-4000-8000-00000000000${number}`

const inbound = (id: number, protocol: string, fields: SourceRow = {}): SourceRow => ({
  id: String(id),
  remark: `Inbound ${id}`,
  port: String(1000 + id),
  protocol,
  settings: '{"clients":[],"decryption":"none"}',
  stream_settings: '{"network":"tcp","security":"none"}',
  sniffing: '{"enabled":true}',
  tag: `inbound-${id}`,
  enable: '1',
  ...fields,
})
const client = (id: number, fields: SourceRow = {}): SourceRow => ({
  id: String(id),
  email: `person${id}`,
  sub_id: `link${id}`,
  uuid: keyOf(id),
  password: `password-${id}`,
  auth: '',
  limit_ip: '0',
  total_gb: '0',
  expiry_time: '0',
  enable: '1',
  tg_id: '0',
  comment: '',
  reset: '0',
  created_at: String(Date.parse('2025-01-01T00:00:00Z')),
  ...fields,
})
const link = (clientId: number, inboundId: number): SourceRow => ({
  client_id: String(clientId),
  inbound_id: String(inboundId),
  flow_override: '',
})

function translate(tables: Record<string, SourceRow[]>, version: '2.x' | '3.x' = '3.x') {
  let made = 0
  const { lines, findings } = translateXui(
    new Map(Object.entries(tables)),
    { version },
    {
      address: 'vpn.example',
      now,
      newUuid: () => `0000000d-0000-4000-8000-${(++made).toString(16).padStart(12, '0')}`,
      newText: () => `made-${++made}`,
    },
  )
  return { lines, rules: Object.fromEntries(findings.map(({ rule, count }) => [rule, count])), findings }
}

const ofKind = <K extends Line['kind']>(lines: Line[], kind: K) =>
  lines.filter((line): line is { kind: K } & LineOf<K> & Line => line.kind === kind)

describe('MOVE-018 one user in several inbounds', () => {
  test('is one user, by the name of the source, with a squad for each inbound', () => {
    const { lines } = translate({
      inbounds: [inbound(1, 'vless'), inbound(2, 'trojan'), inbound(3, 'vmess')],
      clients: [client(1), client(2)],
      client_inbounds: [link(1, 1), link(1, 2), link(2, 2)],
    })
    const users = ofKind(lines, 'user')
    expect(users.map(({ username }) => username)).toEqual(['person1', 'person2'])
    const tagsOf = (user: string) =>
      ofKind(lines, 'member')
        .filter((line) => line.user === user)
        .map(({ squad }) => ofKind(lines, 'squad').find(({ uuid }) => uuid === squad)?.name)
    expect(tagsOf(users[0]?.uuid ?? '')).toEqual(['inbound-1', 'inbound-2'])
    expect(tagsOf(users[1]?.uuid ?? '')).toEqual(['inbound-2'])
  })

  test('is one user by the link that answers for several names; it is reported, and others are not merged', () => {
    const shared = { sub_id: 'family' }
    const clientsOf = (...clients: object[]) => JSON.stringify({ clients, decryption: 'none' })
    const expiry = Date.parse('2026-06-01T00:00:00Z')
    const tables = {
      inbounds: [
        inbound(1, 'vless', {
          settings: clientsOf(
            { id: keyOf(1), email: 'mum-tcp', subId: shared.sub_id, totalGB: 100, expiryTime: expiry, enable: true },
            { id: keyOf(2), email: 'alone', subId: 'other', totalGB: 0, expiryTime: 0, enable: false },
          ),
        }),
        inbound(2, 'trojan', {
          settings: clientsOf({
            password: 'secret',
            email: 'mum-trojan',
            subId: shared.sub_id,
            totalGB: 50,
            expiryTime: expiry - DAY_MS,
            enable: true,
          }),
        }),
        inbound(3, 'vless', {
          settings: clientsOf({
            id: keyOf(3),
            email: 'mum-ws',
            subId: shared.sub_id,
            totalGB: 50,
            expiryTime: expiry,
            enable: true,
          }),
        }),
      ],
      client_traffics: [
        { email: 'mum-tcp', up: '1', down: '2' },
        { email: 'mum-trojan', up: '10', down: '20' },
        { email: 'alone', up: '7', down: '0' },
      ],
    }
    const { lines, rules, findings } = translate(tables, '2.x')
    const [mum, alone, ...others] = ofKind(lines, 'user')
    expect(others).toEqual([])
    expect(mum).toMatchObject({
      username: 'mum-tcp',
      shortUuid: 'family',
      vlessUuid: keyOf(1),
      trojanPassword: 'secret',
      trafficLimitBytes: 200,
      usedTrafficBytes: 33,
      expireAt: '2026-06-01T00:00:00.000Z',
      status: 'ACTIVE',
    })
    expect(alone).toMatchObject({
      username: 'alone',
      shortUuid: 'other',
      vlessUuid: keyOf(2),
      status: 'DISABLED',
      usedTrafficBytes: 7,
    })
    expect(ofKind(lines, 'member').filter(({ user }) => user === mum?.uuid)).toHaveLength(3)
    expect(rules).toMatchObject({ sameLink: 1, otherKey: 1 })
    expect(findings.find(({ rule }) => rule === 'sameLink')?.examples).toEqual(['mum-tcp: mum-tcp, mum-trojan, mum-ws'])
    expect(findings.find(({ rule }) => rule === 'otherKey')?.examples).toEqual(['user mum-tcp: inbound-3'])
  })
})

test('MOVE-017 limits, expiry, statuses and ways of resetting come by their rules', () => {
  const past = String(Date.parse('2026-02-01T00:00:00Z'))
  const { lines, rules } = translate({
    inbounds: [inbound(1, 'vless')],
    clients: [
      client(1, { expiry_time: String(-30 * DAY_MS) }),
      client(2, { expiry_time: past, enable: '0' }),
      client(3, { total_gb: '100', enable: '0' }),
      client(4, { total_gb: '101', enable: '0' }),
      client(5, { traffic_reset: 'monthly', limit_hwid: '3', tg_id: '7000000000', comment: 'paid', group_name: 'vip' }),
      client(6, { traffic_reset: 'hourly', limit_ip: '2' }),
      client(7, { reset: '30' }),
      client(8, { reset: '45', expiry_time: 'soon' }),
    ],
    client_inbounds: [],
    client_traffics: [
      { email: 'person3', up: '60', down: '40', last_online: String(Date.parse('2026-02-02T00:00:00Z')) },
      { email: 'person4', up: '60', down: '40', last_online: '0' },
    ],
  })
  const users = ofKind(lines, 'user')
  expect(users[0]).toMatchObject({
    status: 'ACTIVE',
    expireAt: '2026-03-31T12:00:00.000Z',
    createdAt: '2025-01-01T00:00:00.000Z',
  })
  expect(users[1]).toMatchObject({ status: 'EXPIRED', expireAt: '2026-02-01T00:00:00.000Z' })
  expect(users[2]).toMatchObject({
    status: 'LIMITED',
    usedTrafficBytes: 100,
    lifetimeUsedTrafficBytes: 100,
    onlineAt: '2026-02-02T00:00:00.000Z',
  })
  expect(users[3]).toMatchObject({ status: 'DISABLED', usedTrafficBytes: 100, onlineAt: null })
  expect(users[4]).toMatchObject({
    trafficLimitStrategy: 'MONTH',
    hwidDeviceLimit: 3,
    telegramId: 7_000_000_000,
    description: 'paid',
    tag: 'VIP',
    expireAt: '2099-12-31T00:00:00.000Z',
  })
  expect(users.slice(5).map(({ trafficLimitStrategy }) => trafficLimitStrategy)).toEqual(['DAY', 'MONTH', 'NO_RESET'])
  expect(users[7]).toMatchObject({ expireAt: '2099-12-31T00:00:00.000Z', telegramId: null, hwidDeviceLimit: null })
  expect(rules).toMatchObject({ firstUse: 1, resetStrategy: 3, notCarried: 1, impossibleValue: 1 })
})

test('names that are not possible here or stand twice are changed, and the description keeps the old one', () => {
  const { lines, rules } = translate({
    inbounds: [],
    clients: [
      client(1, { email: 'anna@home.example', comment: 'a friend' }),
      client(2, { email: 'Bo' }),
      client(3, { email: 'bo_' }),
      client(4, { email: 'plain' }),
      client(5, { email: 'with/link', sub_id: 'a/b' }),
    ],
    client_inbounds: [],
  })
  const users = ofKind(lines, 'user')
  expect(users.map(({ username, description }) => [username, description])).toEqual([
    ['anna_home_example', 'a friend\nanna@home.example'],
    ['Bo_', 'Bo'],
    ['bo__2', 'bo_'],
    ['plain', null],
    ['with_link', 'with/link'],
  ])
  expect(users[4]?.shortUuid).toMatch(/^made-\d+$/)
  expect(rules).toMatchObject({ nameChanged: 3, nameTaken: 1 })
})

test('MOVE-017 inbounds become a profile for each server, with squads and hosts by what the source says', () => {
  const reality = {
    network: 'tcp',
    security: 'reality',
    realitySettings: { serverNames: ['a.example'], privateKey: 'key', settings: { publicKey: 'x', fingerprint: 'firefox' } },
    externalProxy: [
      { forceTls: 'same', dest: 'cdn.example', port: 8443, remark: 'CDN' },
      { forceTls: 'none', dest: '192.0.2.7', port: 80, remark: '' },
    ],
  }
  const { lines, rules } = translate({
    inbounds: [
      inbound(1, 'vless', { stream_settings: JSON.stringify(reality) }),
      inbound(2, 'trojan', { enable: '0', listen: '127.0.0.1', tag: 'inbound-1' }),
      inbound(3, 'mixed', { settings: '{"auth":"noauth"}' }),
      inbound(4, 'vmess', { node_id: '7' }),
      inbound(5, 'vless', { settings: '{"clients":' }),
    ],
    clients: [],
    client_inbounds: [],
  })
  expect(ofKind(lines, 'profile').map(({ name, config }) => [name, (config as { inbounds: unknown[] }).inbounds])).toEqual([
    [
      'Moved-in',
      [
        {
          tag: 'inbound-1',
          port: 1001,
          protocol: 'vless',
          settings: { decryption: 'none', clients: [] },
          streamSettings: {
            network: 'tcp',
            security: 'reality',
            realitySettings: { serverNames: ['a.example'], privateKey: 'key' },
          },
          sniffing: { enabled: true },
        },
        expect.objectContaining({ tag: 'inbound-1_2', listen: '127.0.0.1', protocol: 'trojan' }),
        expect.objectContaining({ tag: 'inbound-3', protocol: 'mixed', settings: { auth: 'noauth' } }),
      ],
    ],
    ['Moved-in-node-7', [expect.objectContaining({ tag: 'inbound-4' })]],
  ])
  expect(ofKind(lines, 'squad').map(({ name }) => name)).toEqual(['inbound-1', 'inbound-1_2', 'inbound-4'])
  expect(
    ofKind(lines, 'host').map(({ remark, address, port, securityLayer, fingerprint, isDisabled }) => [
      remark,
      address,
      port,
      securityLayer,
      fingerprint,
      isDisabled,
    ]),
  ).toEqual([
    ['Inbound 1-CDN', 'cdn.example', 8443, 'DEFAULT', 'firefox', false],
    ['Inbound 1', '192.0.2.7', 80, 'NONE', 'firefox', false],
    ['Inbound 2', 'vpn.example', 1002, 'DEFAULT', null, true],
    ['Inbound 4', 'vpn.example', 1004, 'DEFAULT', null, false],
  ])
  expect(rules).toEqual({ unreadableInbound: 1, tagTwice: 1, madeProfile: 2, nodeToInstall: 2, inboundOff: 1 })
})

test('MOVE-017 paths of links come from the settings, and those in use here are reported', () => {
  const settings = (values: Record<string, string>) => Object.entries(values).map(([key, value]) => ({ key, value }))
  const pathsOf = (values: Record<string, string>) => {
    const { lines, rules } = translate({ inbounds: [], clients: [], client_inbounds: [], settings: settings(values) })
    return { paths: ofKind(lines, 'oldLinks').flatMap(({ paths }) => paths), rules }
  }
  expect(pathsOf({}).paths).toEqual([
    { path: '/sub', clientType: null },
    { path: '/json', clientType: 'json' },
    { path: '/clash', clientType: 'mihomo' },
  ])
  const other = pathsOf({
    subPath: '/',
    subJsonPath: '/my/Secret/',
    subURI: 'https://sub.example:2096/of/',
    subClashPath: '/API/x/',
  })
  expect(other.paths).toEqual([
    { path: '/of', clientType: null },
    { path: '/my/Secret', clientType: 'json' },
  ])
  expect(other.rules).toMatchObject({ linkPath: 2 })
})

test('the address of clients is asked for where the source does not say it', () => {
  const translated = (settings: SourceRow[]) =>
    translateXui(
      new Map([
        ['inbounds', [inbound(1, 'vless')]],
        ['settings', settings],
      ]),
      { version: '3.x' },
      { address: null, now, newUuid: () => keyOf(1), newText: () => 'text' },
    )
  expect(() => translated([])).toThrow('Give it with --address')
  const { lines } = translated([{ key: 'subURI', value: 'https://sub.example:2096/sub/' }])
  expect(ofKind(lines, 'host').map(({ address }) => address)).toEqual(['sub.example'])
})

test('MOVE-019 a database without the tables or columns of a known version is refused with what was found', () => {
  const known = new Map([
    ['inbounds', 'id port protocol settings stream_settings tag enable'.split(' ')],
    ['client_traffics', ['email', 'up', 'down']],
    ['settings', ['key', 'value']],
  ])
  expect(recognizeXui(known)).toEqual({ version: '2.x', notCarried: [] })
  expect(() => recognizeXui(new Map([...known, ['clients', ['id', 'email']]]))).toThrow(
    'it has 4 tables, and clients.sub_id, clients.uuid, clients.password, clients.total_gb, clients.expiry_time, clients.enable, client_inbounds are missing. Nothing was changed.',
  )
  expect(() => recognizeXui(new Map([['users', ['id']]]))).toThrow('inbounds, client_traffics, settings are missing')
})

test('MOVE-017 an inbound keeps the flow that most of its clients have, and the others are named', () => {
  const reality = { stream_settings: '{"network":"tcp","security":"reality"}' }
  const vision = 'xtls-rprx-vision'
  const { lines, findings } = translate({
    inbounds: [inbound(1, 'vless', reality), inbound(2, 'vless', reality), inbound(3, 'vless')],
    clients: [client(1, { flow: '' }), client(2, { flow: '' }), client(3, { flow: vision })],
    client_inbounds: [
      ...[1, 2, 3].flatMap((id) => [link(id, 1), link(id, 3)]),
      ...[1, 2, 3].map((id) => ({ ...link(id, 2), flow_override: vision })),
    ],
  })
  const config = ofKind(lines, 'profile')[0]?.config as { inbounds: { settings: object }[] } // of an object
  expect(config.inbounds.map(({ settings }) => ('flow' in settings ? settings.flow : undefined))).toEqual([
    '',
    undefined,
    undefined,
  ])
  expect(ofKind(lines, 'inbound')[0]?.rawInbound).toMatchObject({ settings: { flow: '' } })
  expect(findings.find(({ rule }) => rule === 'otherKey')?.examples).toEqual(['client person3: flow of inbound-1'])
})

test('MOVE-017 a file of version 2 has the flow beside each client', () => {
  const clients = [1, 2].map((id) => ({ id: keyOf(id), email: `person${id}`, subId: `link${id}`, flow: '' }))
  const settings = JSON.stringify({ clients, decryption: 'none' })
  const reality = { settings, stream_settings: '{"network":"tcp","security":"reality"}' }
  const { lines } = translate({ inbounds: [inbound(1, 'vless', reality)] }, '2.x')
  expect(ofKind(lines, 'inbound')[0]?.rawInbound).toMatchObject({ settings: { flow: '' } })
})
