import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser, refused } from '../../../test/users.ts'

let server: TestServer

beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const search = (text: string) => server.call(api.searchAll, { text })
const names = async (text: string) => (await search(text)).users.map((user) => user.username)

test('users are found by whatever is known of them, the best match first', async () => {
  const anna = await makeUser(server, {
    username: 'anna',
    email: 'Anna.Berg@mail.example',
    telegramId: 77001234,
    description: 'pays in cash',
  })
  await makeUser(server, { username: 'joanna_k' })
  await makeUser(server, { username: 'Annabel' })
  expect(await names('anna')).toEqual(['anna', 'Annabel', 'joanna_k'])
  expect(await names(' ANN ')).toEqual(['anna', 'Annabel', 'joanna_k'])
  expect(await names('berg@mail')).toEqual(['anna'])
  expect(await names('77001234')).toEqual(['anna'])
  expect(await names(anna.uuid)).toEqual(['anna'])
  expect(await names(anna.shortUuid)).toEqual(['anna'])
  expect(await names(`https://sub.example.com/${anna.shortUuid}/json#anna`)).toEqual(['anna'])
  // A link that a customer sends holds the key and nothing else of them.
  expect(await names(`vless://${anna.vlessUuid}@pl.example.com:443?security=reality#Poland`)).toEqual(['anna'])
  expect((await search(anna.vlessUuid.toUpperCase())).users).toMatchObject([{ uuid: anna.uuid, match: 'key' }])
  expect((await search('in cash')).users).toEqual([
    { uuid: anna.uuid, username: 'anna', status: 'ACTIVE', match: 'description', value: 'pays in cash' },
  ])
})

test('signs of patterns are only signs, and nothing is found for nothing', async () => {
  await makeUser(server, { username: 'under_score' })
  expect(await names('under%')).toEqual([])
  expect(await names('r_s')).toEqual(['under_score'])
  expect(await names('   ')).toEqual([])
  expect(await refused(server, 'GET', `/api/x/search?text=${'a'.repeat(501)}`)).toEqual([400, 'text'])
  expect(await refused(server, 'GET', '/api/x/search')).toEqual([400, 'text'])
})

test('nodes, hosts, squads and profiles are found by name, address, country and tag', async () => {
  const profile = await server.call(api.createConfigProfile, {
    name: 'warsaw-profile',
    config: { inbounds: [{ tag: 'WAW_SS', port: 1234, protocol: 'shadowsocks', settings: { clients: [] } }] },
  })
  const inbound = profile.inbounds[0]!.uuid // as just made
  await server.call(api.createInternalSquad, { name: 'Warsaw-squad', inbounds: [inbound] })
  await server.call(api.createExternalSquad, { name: 'Warsaw gold' })
  await server.call(api.createHost, {
    inbound: { configProfileUuid: profile.uuid, configProfileInboundUuid: inbound },
    remark: 'Best of Warsaw',
    address: 'waw.example.com',
    port: 443,
  })
  const node = await server.call(api.createNode, {
    name: 'Warsaw 1',
    address: '192.0.2.7',
    port: 2222,
    countryCode: 'PL',
    configProfile: { activeConfigProfileUuid: profile.uuid, activeInbounds: [inbound] },
  })
  expect(await search('warsaw')).toMatchObject({
    users: [],
    nodes: [{ uuid: node.uuid, name: 'Warsaw 1', address: '192.0.2.7', countryCode: 'PL', isDisabled: false }],
    hosts: [{ remark: 'Best of Warsaw' }],
    internalSquads: [{ name: 'Warsaw-squad' }],
    externalSquads: [{ name: 'Warsaw gold' }],
    configProfiles: [{ name: 'warsaw-profile' }],
  })
  expect((await search('192.0.2')).nodes).toHaveLength(1)
  expect((await search('pl')).nodes).toHaveLength(1)
  expect((await search('waw_ss')).configProfiles).toHaveLength(1)
  expect((await search('waw.example')).hosts).toHaveLength(1)
})

test('a text without a letter or digit finds names that begin with it, and is compared with no other user', async () => {
  await makeUser(server, { username: '___edge', description: 'was 100%% sure' })
  await makeUser(server, { username: 'mid___dle' })
  expect(await names('___')).toEqual(['___edge'])
  expect(await names('100%%')).toEqual(['___edge'])
  expect(await names('%%%')).toEqual([])
  const listed = await server.call(api.listUsers, { filters: [{ id: 'search', value: '___' }] })
  expect(listed.users.map(({ username }) => username)).toEqual(['___edge'])
})

test('searches of one caller wait for each other, so that they leave the database to others', async () => {
  const many = Array.from({ length: 9 }, () => search('anna'))
  expect((await Promise.all(many)).map(({ users }) => users.length)).toEqual(Array.from({ length: 9 }, () => 3))
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async () => (await server.send('GET', '/api/x/search?text=anna')).status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(11)
  expect(statuses.filter((status) => status === 429)).toHaveLength(19)
})
