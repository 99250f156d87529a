import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import * as api from '@causeway/contract'
import type { Line, LineOf } from '@causeway/import'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { externalSquad, migrateTo28, migrateTo34, plugin, rules, xrayTemplate } from '../../../test/later-source.ts'
import { BOTH, load, NONE, read } from '../../../test/move-in.ts'
import { testDatabase } from '../../../test/postgres.ts'
import { filledSource, host, node, squad, user, type SourceDatabase } from '../../../test/remnawave-source.ts'
import { testServer } from '../../../test/server.ts'

// The same contents as a database of 2.1, of 2.8 and of 3.4.

const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-later-'))
type Reading = Awaited<ReturnType<typeof read>>
let source: SourceDatabase
const readings: Partial<Record<'2.1' | '2.8' | '3.4' | 'dump', Reading>> = {}
beforeAll(async () => {
  source = await filledSource()
  readings['2.1'] = await read(source.url, NONE)
  await migrateTo28(source)
  readings['2.8'] = await read(source.url, BOTH)
  await migrateTo34(source)
  readings['3.4'] = await read(source.url, NONE)
  await source.dumpTo(path.join(folder, 'dump.sql'))
  readings.dump = await read(path.join(folder, 'dump.sql'), NONE)
}, 60_000)
afterAll(async () => {
  await source.drop()
  rmSync(folder, { recursive: true })
})

function linesOf<K extends Line['kind']>(version: keyof typeof readings, kind: K): LineOf<K>[] {
  return (readings[version]?.lines ?? []).flatMap((line) => (line.kind === kind ? [line as unknown as LineOf<K>] : []))
}
const uuidIn34 = (number: number) => `00000000-0000-4000-8000-${(number * 10).toString(16).padStart(12, '0')}`
const byName = (one: { username: string }, other: { username: string }) => (one.username < other.username ? -1 : 1)
const examples = (version: keyof typeof readings, rule: string) =>
  readings[version]?.findings.find((finding) => finding.rule === rule)?.examples

test('MOVE-001 users of a database of 2.8 are those of 2.1, with what they have used', () => {
  expect(readings['2.8']?.version).toBe('2.7 and 2.8')
  const opened = { subLastOpenedAt: null, subLastUserAgent: null } // kept nowhere since
  const expected = linesOf('2.1', 'user').map((line) => ({
    ...line,
    ...opened,
    externalSquad: line.uuid === user(2) ? externalSquad : null,
  }))
  expect(linesOf('2.8', 'user').toSorted(byName)).toEqual(expected.toSorted(byName))
  expect(linesOf('2.8', 'member').length).toBe(5)
  for (const kind of ['member', 'device', 'squad', 'profile', 'inbound', 'billingNode', 'nodeUsage'] as const)
    expect(linesOf('2.8', kind)).toEqual(linesOf('2.1', kind))
  // Since 2.3 usage by day has no direction.
  const summed = linesOf('2.1', 'userUsage').map(({ uploadBytes, downloadBytes, ...line }) => ({
    ...line,
    uploadBytes: 0,
    downloadBytes: uploadBytes + downloadBytes,
  }))
  expect(linesOf('2.8', 'userUsage')).toEqual(summed)
  expect(linesOf('2.8', 'apiToken').map(({ textHash }) => textHash === null)).toEqual([false, false, true])
})

test('MOVE-001 users of a database of 3.4 have a uuid made of their number, the same at each import', () => {
  expect(readings['3.4']?.version).toBe('3.4')
  const expected = linesOf('2.8', 'user').map((line) => ({ ...line, uuid: uuidIn34((line.id ?? 0) / 10) }))
  expect(linesOf('3.4', 'user').toSorted(byName)).toEqual(expected.toSorted(byName))
  expect(linesOf('3.4', 'member')).toHaveLength(5)
  expect(linesOf('3.4', 'member')).toContainEqual({ kind: 'member', squad: squad(2), user: uuidIn34(2) })
  expect(linesOf('3.4', 'userUsage')).toHaveLength(4)
  expect(linesOf('3.4', 'apiToken').find(({ tokenName }) => tokenName === 'shop')).toMatchObject({
    expiresAt: '2030-01-01T00:00:00Z',
    scopes: ['users:read'],
    permissions: expect.not.arrayContaining(['nodes.read', 'users.write']) as unknown,
  })
})

test('a dump of a database of 3.4 gives the same lines as the database', () => {
  const sorted = (reading: Reading | undefined) => reading?.lines.map((line) => JSON.stringify(line)).toSorted()
  expect(sorted(readings.dump)).toEqual(sorted(readings['3.4']))
  expect(readings.dump?.findings).toHaveLength(readings['3.4']?.findings.length ?? -1)
})

test('MOVE-009 MOVE-019 contents of later versions without a place here are named, none are left out silently', () => {
  expect(examples('2.8', 'notCarried')).toEqual([
    'the table remnawave_settings with 1 rows',
    'custom remarks ofTomorrow',
    expect.stringMatching(/^response rule Of tomorrow: responseType Invalid option/),
    expect.stringMatching(/^external squad Gold, hwid_settings: enabled /),
  ])
  expect(examples('3.4', 'hostSquads')).toEqual(['host Oslo {{USERNAME}}'])
  expect(examples('3.4', 'notCarried')).toEqual(
    expect.arrayContaining([
      'list networks, which has numbers of autonomous systems',
      'the proxy of the node Oslo',
      'the billing of Domain, which is no node',
    ]),
  )
})

test('MOVE-001 what later versions have beside comes over, and is served', async () => {
  const database = await testDatabase()
  await load(database.url, source.url, NONE)
  const server = await testServer({ database, env: { DATABASE_URL: database.url } })
  try {
    const settings = await server.call(api.getSubscriptionSettings, {})
    expect(settings).toMatchObject({
      profileTitle: 'Old service',
      supportLink: 'https://old.example',
      profileUpdateInterval: 6,
      isProfileWebpageUrlEnabled: false,
      happAnnounce: 'Hello',
      customResponseHeaders: { 'x-old': '1' },
      expiredUsersRemarks: ['Over', 'Renew'],
      emptyHostsRemarks: ['No hosts'],
      hwidExceededRemarks: [],
      hwidSettings: { enabled: true, fallbackDeviceLimit: 3, maxDevicesAnnounce: null },
    })
    expect(settings.responseRules?.rules.map(({ name }) => name)).toEqual([rules.rules[0]?.name, 'All others'])
    const { externalSquads } = await server.call(api.listExternalSquads, {})
    expect(externalSquads).toMatchObject([
      {
        uuid: externalSquad,
        name: 'Gold',
        info: { membersCount: 1 },
        templates: [{ templateUuid: xrayTemplate, templateType: 'XRAY_JSON' }],
        subscriptionSettings: { profileTitle: 'Gold service' },
        responseHeadersAdd: { 'X-Squad': 'gold' },
        responseHeadersRemove: ['announce'],
        hwidSettings: null,
      },
    ])
    expect(await server.call(api.listSnippets, {})).toMatchObject({ snippets: [{ name: 'Warp', snippet: [{ tag: 'warp' }] }] })
    const hosts = await server.call(api.listHosts, {})
    expect(hosts.find(({ uuid }) => uuid === host(1))).toMatchObject({
      tags: ['MAIN'],
      xrayJsonTemplateUuid: xrayTemplate,
      excludedInternalSquads: [squad(1)],
      excludeFromSubscriptionTypes: ['MIHOMO'],
      mapper: { base64: [{ op: 'set', value: 'x', to: 'fp' }] },
    })
    expect(hosts.find(({ uuid }) => uuid === host(2))).toMatchObject({ tags: [], excludedInternalSquads: [], mapper: {} })
    const nodes = await server.call(api.listNodes, {})
    expect(nodes.find(({ uuid }) => uuid === node(1))).toMatchObject({
      tags: ['EU', 'FAST:1'],
      note: 'In the cellar',
      ips: [{ ip: '192.0.2.7', status: 'INBOUND' }],
      activePluginUuid: plugin,
    })
    expect(nodes.find(({ uuid }) => uuid === node(2))).toMatchObject({ tags: [], note: null, ips: [], activePluginUuid: null })
    expect(await server.call(api.listNodePlugins, {})).toMatchObject({
      nodePlugins: [{ name: 'Filter', pluginConfig: { ingressFilter: { blockedIps: ['192.0.2.0/24'] } } }],
    })
    expect(await server.call(api.listSharedLists, {})).toMatchObject({ sharedLists: [{ name: 'bots' }] })
    expect(await server.call(api.getUserMetadata, { uuid: uuidIn34(1) })).toEqual({ metadata: { order: 7 } })
    expect(await server.call(api.getNodeMetadata, { uuid: node(2) })).toEqual({ metadata: { rack: 'B' } })
    const { users } = await server.call(api.listUsers, { size: 100 })
    expect(users.find(({ username }) => username === 'full')).toMatchObject({
      id: 20,
      uuid: uuidIn34(2),
      shortUuid: 'short-2-abcdefgh',
      usedTrafficBytes: 300,
      lifetimeUsedTrafficBytes: 900,
      onlineAt: '2024-05-02T12:00:00.000Z',
      externalSquadUuid: externalSquad,
    })
    // Lines that were read are answered by the rules that came over.
    const answer = await server.send('GET', '/api/sub/short-2-abcdefgh', undefined, {
      'user-agent': 'Happ/3.1',
      'x-hwid': 'device-of-full',
    })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-squad']).toBe('gold')
  } finally {
    await server.close()
  }
})
