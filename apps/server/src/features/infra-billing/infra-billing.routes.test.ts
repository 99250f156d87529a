import * as api from '@causeway/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { refused, UNKNOWN } from '../../../test/users.ts'

let server: TestServer
let nodes: api.Node[]
beforeAll(async () => {
  server = await testServer()
  const config = { inbounds: [{ tag: 'SS', port: 1, protocol: 'shadowsocks', settings: { clients: [] } }] }
  const profile = await server.call(api.createConfigProfile, { name: 'billing', config })
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds: profile.inbounds.map(({ uuid }) => uuid) }
  nodes = []
  for (const name of ['node 1', 'node 2', 'node 3'])
    nodes.push(
      await server.call(api.createNode, { name, address: `${name.replace(' ', '-')}.example`, configProfile, countryCode: 'FI' }),
    )
})
afterAll(() => server.close())
beforeEach(async () => {
  server.clock.now = undefined
  await server.ctx.db.deleteFrom('infraProviders').execute()
})

const nodeUuid = (index: number) => nodes[index]?.uuid ?? ''
const makeProvider = (name = 'Hoster') => server.call(api.createInfraProvider, { name })
const day = (text: string) => `${text}T00:00:00.000Z`
const errorCode = (status: number, code: string) => [status, code]

describe('providers', () => {
  test('BILL-013, BILL-039 one is created, read, listed, changed field by field and deleted', async () => {
    const links = { faviconLink: 'https://hoster.example/favicon.ico', loginUrl: 'https://hoster.example/login' }
    const created = await server.send('POST', '/api/infra-billing/providers', { name: 'Hoster', ...links })
    expect(created).toMatchObject({ status: 201, body: { response: { name: 'Hoster', ...links } } })
    const bystander = await server.call(api.createInfraProvider, { name: 'Bystander', ...links })
    const { providers, total } = await server.call(api.listInfraProviders, {})
    expect([total, providers.map(({ name }) => name).toSorted()]).toEqual([2, ['Bystander', 'Hoster']])
    const provider = providers.find(({ name }) => name === 'Hoster')
    expect(provider).toEqual({
      uuid: expect.any(String),
      name: 'Hoster',
      ...links,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      billingHistory: { totalAmount: 0, totalBills: 0 },
      billingNodes: [],
    })
    const uuid = provider?.uuid ?? ''
    expect(await server.call(api.getInfraProvider, { uuid })).toEqual(provider)
    const kept = await server.call(api.updateInfraProvider, { uuid, name: 'Renamed' })
    expect(kept).toMatchObject({ name: 'Renamed', ...links })
    const cleared = await server.call(api.updateInfraProvider, { uuid, faviconLink: null })
    expect(cleared).toMatchObject({ name: 'Renamed', faviconLink: null, loginUrl: links.loginUrl })
    const loginUrl = 'https://hoster.example/another'
    expect(await server.call(api.updateInfraProvider, { uuid, loginUrl })).toMatchObject({
      name: 'Renamed',
      faviconLink: null,
      loginUrl,
    })
    expect(await server.call(api.getInfraProvider, { uuid })).toMatchObject({ loginUrl })
    expect(await server.call(api.deleteInfraProvider, { uuid })).toEqual({ isDeleted: true })
    expect((await server.call(api.listInfraProviders, {})).providers).toEqual([bystander])
    await server.call(api.deleteInfraProvider, { uuid: bystander.uuid })
    const audit = await server.ctx.db.selectFrom('auditLog').select(['action', 'actorName']).where('target', '=', uuid).execute()
    expect(audit.map(({ action, actorName }) => [action, actorName])).toEqual([
      ['createInfraProvider', 'admin'],
      ['updateInfraProvider', 'admin'],
      ['updateInfraProvider', 'admin'],
      ['updateInfraProvider', 'admin'],
      ['deleteInfraProvider', 'admin'],
    ])
  })

  test('taken names and unknown providers are refused with the codes of the wire', async () => {
    const { uuid } = await makeProvider()
    const other = await makeProvider('Other')
    const url = '/api/infra-billing/providers'
    expect(await refused(server, 'POST', url, { name: 'Hoster' })).toEqual(errorCode(409, 'A130'))
    expect(await refused(server, 'PATCH', url, { uuid: other.uuid, name: 'Hoster' })).toEqual(errorCode(409, 'A131'))
    expect(await refused(server, 'PATCH', url, { uuid: UNKNOWN, name: 'Hoster' })).toEqual(errorCode(404, 'A131'))
    expect(await refused(server, 'GET', `${url}/${UNKNOWN}`)).toEqual(errorCode(404, 'A128'))
    expect(await refused(server, 'DELETE', `${url}/${UNKNOWN}`)).toEqual(errorCode(404, 'A129'))
    expect(await server.call(api.updateInfraProvider, { uuid, name: 'Hoster' })).toMatchObject({ name: 'Hoster' })
    expect(await server.send('GET', url, undefined, {})).toMatchObject({ status: 401 })
  })

  test('names of a length and links that could be run are refused by field, and nothing is stored', async () => {
    const url = '/api/infra-billing/providers'
    for (const [body, path] of [
      [{ name: 'x'.repeat(10_000) }, 'name'],
      [{ name: 'x' }, 'name'],
      [{ name: '     ' }, 'name'],
      [{ name: 'two\nlines' }, 'name'],
      [{ name: 'Evil', loginUrl: 'javascript:alert(1)' }, 'loginUrl'],
      [{ name: 'Evil', faviconLink: 'data:text/html,<script>alert(1)</script>' }, 'faviconLink'],
      [{ name: 'Evil', faviconLink: 'not a link' }, 'faviconLink'],
      [{ name: 'Evil', loginUrl: `https://example.com/${'x'.repeat(10_000)}` }, 'loginUrl'],
    ] as const) {
      expect(await refused(server, 'POST', url, body)).toEqual([400, path])
    }
    expect((await server.send('POST', url, { name: 'a\u0000b' })).status).toBe(400)
    expect((await server.call(api.listInfraProviders, {})).total).toBe(0)
  })

  test('two administrators who take the same name at once get one provider and one refusal', async () => {
    const replies = await Promise.all([1, 2].map(() => server.send('POST', '/api/infra-billing/providers', { name: 'Twice' })))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]))
  })

  test('a deleted provider takes its bills and records along, leaves its nodes, and the audit row keeps all of it', async () => {
    const { uuid } = await makeProvider()
    await server.call(api.updateNode, { uuid: nodeUuid(0), providerUuid: uuid })
    await server.call(api.createInfraBillingNode, { providerUuid: uuid, nodeUuid: nodeUuid(1), nextBillingAt: day('2026-12-01') })
    await server.call(api.createInfraBillingRecord, { providerUuid: uuid, amount: 9.99, billedAt: day('2026-11-01') })
    await server.call(api.deleteInfraProvider, { uuid })
    expect(await server.call(api.listInfraBillingHistory, {})).toEqual({ records: [], total: 0 })
    expect(await server.call(api.listInfraBillingNodes, {})).toMatchObject({
      totalBillingNodes: 0,
      totalAvailableBillingNodes: 3,
    })
    expect(await server.call(api.getNode, { uuid: nodeUuid(0) })).toMatchObject({ provider: null, providerUuid: null })
    const row = await server.ctx.db
      .selectFrom('auditLog')
      .select('before')
      .where('target', '=', uuid)
      .where('action', '=', 'deleteInfraProvider')
      .executeTakeFirst()
    expect(row?.before).toMatchObject({
      infraProviders: [{ name: 'Hoster' }],
      nodes: [{ providerId: expect.any(Number) }],
      infraBillingNodes: [{ nextBillingAt: expect.any(String) }],
      infraBillingRecords: [{ amount: '9.99' }],
    })
  })
})

describe('billing nodes', () => {
  test('BILL-015, BILL-016, BILL-044, BILL-046 each change answers with the whole list, the next bill first', async () => {
    const provider = await server.call(api.createInfraProvider, { name: 'Hoster', loginUrl: 'https://hoster.example' })
    const make = (node: number, nextBillingAt: string) =>
      server.call(api.createInfraBillingNode, { providerUuid: provider.uuid, nodeUuid: nodeUuid(node), nextBillingAt })
    await make(1, day('2027-02-01'))
    const view = await make(0, day('2027-01-01'))
    expect(view).toMatchObject({ totalBillingNodes: 2, totalAvailableBillingNodes: 1 })
    expect(view.availableBillingNodes).toEqual([{ uuid: nodeUuid(2), name: 'node 3', countryCode: 'FI' }])
    expect(view.billingNodes.map(({ node }) => node.name)).toEqual(['node 1', 'node 2'])
    expect(view.billingNodes[0]).toEqual({
      uuid: expect.any(String),
      name: null,
      nodeUuid: nodeUuid(0),
      providerUuid: provider.uuid,
      provider: { uuid: provider.uuid, name: 'Hoster', loginUrl: 'https://hoster.example', faviconLink: null },
      node: { uuid: nodeUuid(0), name: 'node 1', countryCode: 'FI' },
      nextBillingAt: day('2027-01-01'),
      billingDay: 1,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await server.call(api.listInfraBillingNodes, {})).toEqual(view)
    const { billingNodes } = await server.call(api.getInfraProvider, { uuid: provider.uuid })
    const billed = (node: number) => ({ nodeUuid: nodeUuid(node), countryCode: 'FI' })
    expect(billingNodes).toEqual([
      { ...billed(0), name: 'node 1', details: billed(0) },
      { ...billed(1), name: 'node 2', details: billed(1) },
    ])
    const left = await server.call(api.deleteInfraBillingNode, { uuid: view.billingNodes[0]?.uuid ?? '' })
    expect(left.billingNodes.map(({ node }) => node.name)).toEqual(['node 2'])
  })

  test('BILL-045 a date is moved by one call that answers with the list', async () => {
    const { uuid: providerUuid } = await makeProvider()
    const bill = { providerUuid, nodeUuid: nodeUuid(0), nextBillingAt: day('2026-12-01') }
    const [created] = (await server.call(api.createInfraBillingNode, bill)).billingNodes
    const edit = { uuid: created?.uuid ?? '', nextBillingAt: day('2027-01-01') }
    expect((await server.call(api.updateInfraBillingNode, edit)).billingNodes).toMatchObject([edit])
    expect(await refused(server, 'PATCH', '/api/infra-billing/nodes', { ...edit, uuid: UNKNOWN })).toEqual(errorCode(404, 'A136'))
  })

  test('dates of several bills are moved by the form of 2.1.19, all or none, and others stay', async () => {
    const { uuid: providerUuid } = await makeProvider()
    const bill = (index: number) => ({ providerUuid, nodeUuid: nodeUuid(index), nextBillingAt: day('2026-12-01') })
    await server.call(api.createInfraBillingNode, bill(0))
    const other = await makeProvider('Bystander')
    await server.call(api.createInfraBillingNode, { ...bill(0), providerUuid: other.uuid })
    const { billingNodes } = await server.call(api.createInfraBillingNode, bill(1))
    const uuids = billingNodes.filter(({ provider }) => provider.uuid === providerUuid).map(({ uuid }) => uuid)
    expect(uuids).toHaveLength(2)
    const url = '/api/infra-billing/nodes'
    const nextBillingAt = day('2027-03-01')
    expect(await refused(server, 'PATCH', url, { uuids: [uuids[0], UNKNOWN], nextBillingAt })).toEqual(errorCode(404, 'A136'))
    expect(await refused(server, 'PATCH', url, { nextBillingAt })).toEqual([400, 'uuid'])
    const moved = (await server.call(api.updateInfraBillingNode, { uuids, nextBillingAt })).billingNodes
    const dates = new Map(moved.map((one) => [one.uuid, one.nextBillingAt]))
    expect(moved.map(({ uuid }) => [uuids.includes(uuid), dates.get(uuid)])).toEqual(
      moved.map(({ uuid }) => (uuids.includes(uuid) ? [true, nextBillingAt] : [false, day('2026-12-01')])),
    )
  })

  test('no date, unknown things and a second bill of the same provider are refused; another provider may bill the node too', async () => {
    const { uuid: providerUuid } = await makeProvider()
    const url = '/api/infra-billing/nodes'
    const bill = { providerUuid, nodeUuid: nodeUuid(0), nextBillingAt: day('2026-12-01') }
    expect(await refused(server, 'POST', url, { ...bill, nextBillingAt: undefined })).toEqual(errorCode(400, 'A137'))
    expect(await refused(server, 'POST', url, { ...bill, providerUuid: UNKNOWN })).toEqual(errorCode(404, 'A137'))
    expect(await refused(server, 'POST', url, { ...bill, nodeUuid: UNKNOWN })).toEqual(errorCode(404, 'A137'))
    expect(await refused(server, 'POST', url, { ...bill, nextBillingAt: 'soon' })).toEqual([400, 'nextBillingAt'])
    const replies = await Promise.all([1, 2].map(() => server.send('POST', url, bill)))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]))
    const other = await makeProvider('Other')
    const view = await server.call(api.createInfraBillingNode, { ...bill, providerUuid: other.uuid })
    expect(view).toMatchObject({ totalBillingNodes: 2, totalAvailableBillingNodes: 2 })
    expect(await refused(server, 'DELETE', `${url}/${UNKNOWN}`)).toEqual(errorCode(404, 'A138'))
  })

  test('dates of 1970 and 9999 are stored as they are, and count as neither due nor upcoming', async () => {
    server.clock.now = new Date(2026, 10, 15, 12)
    const { uuid: providerUuid } = await makeProvider()
    for (const [index, nextBillingAt] of ['1970-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z'].entries())
      await server.call(api.createInfraBillingNode, { providerUuid, nodeUuid: nodeUuid(index), nextBillingAt })
    const { billingNodes, stats } = await server.call(api.listInfraBillingNodes, {})
    expect(billingNodes.map(({ nextBillingAt }) => nextBillingAt.slice(0, 4))).toEqual(['1970', '9999'])
    expect(stats.upcomingNodesCount).toBe(0)
  })

  test('upcoming are those from today to the end of the month', async () => {
    server.clock.now = new Date(2026, 10, 15, 18)
    const { uuid: providerUuid } = await makeProvider()
    const dates = [new Date(2026, 10, 14, 23, 59), new Date(2026, 10, 15), new Date(2026, 10, 30, 23)]
    for (const [index, date] of dates.entries())
      await server.call(api.createInfraBillingNode, {
        providerUuid,
        nodeUuid: nodeUuid(index),
        nextBillingAt: date.toISOString(),
      })
    expect((await server.call(api.listInfraBillingNodes, {})).stats.upcomingNodesCount).toBe(2)
    server.clock.now = new Date(2026, 9, 31)
    expect((await server.call(api.listInfraBillingNodes, {})).stats.upcomingNodesCount).toBe(0)
  })
})

describe('billing records', () => {
  test('BILL-014, BILL-041, BILL-043 they are listed by page, the latest first, and changes answer with the first fifty', async () => {
    const provider = await makeProvider()
    const make = (billedAt: string) =>
      server.call(api.createInfraBillingRecord, { providerUuid: provider.uuid, amount: 12.5, billedAt })
    await make(day('2026-01-01'))
    const view = await make(day('2026-03-01'))
    await make(day('2026-02-01'))
    expect(view.total).toBe(2)
    const first = await server.call(api.listInfraBillingHistory, { start: 0, size: 2 })
    expect(first.total).toBe(3)
    expect(first.records.map(({ billedAt }) => billedAt)).toEqual([day('2026-03-01'), day('2026-02-01')])
    expect(first.records[0]).toEqual({
      uuid: expect.any(String),
      providerUuid: provider.uuid,
      amount: 12.5,
      billedAt: day('2026-03-01'),
      provider: { uuid: provider.uuid, name: 'Hoster', faviconLink: null },
    })
    const second = await server.call(api.listInfraBillingHistory, { start: 2, size: 2 })
    expect(second.records.map(({ billedAt }) => billedAt)).toEqual([day('2026-01-01')])
    expect((await server.call(api.listInfraBillingHistory, { start: 5000 })).records).toEqual([])
    const left = await server.call(api.deleteInfraBillingRecord, { uuid: first.records[0]?.uuid ?? '' })
    expect(left).toMatchObject({ total: 2, records: [{ billedAt: day('2026-02-01') }, { billedAt: day('2026-01-01') }] })
    expect(await refused(server, 'DELETE', `/api/infra-billing/history/${UNKNOWN}`)).toEqual(errorCode(404, 'A134'))
    for (const query of ['start=-1', 'start=0.5', 'start=x', 'size=0', 'size=501', 'size=1.5', 'start=1e99'])
      expect((await server.send('GET', `/api/infra-billing/history?${query}`)).status).toBe(400)
  })

  test('a thousand records of one cent are ten dollars exactly', async () => {
    const { uuid } = await makeProvider()
    server.clock.now = new Date(2026, 10, 15)
    const { id } = await server.ctx.db
      .selectFrom('infraProviders')
      .select('id')
      .where('uuid', '=', uuid)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 999 }, () => ({ providerId: id, amount: 0.01, billedAt: new Date(2026, 10, 1) }))
    await server.ctx.db.insertInto('infraBillingRecords').values(rows).execute()
    // What a caller gets who has added up in floats himself.
    const billedAt = new Date(2026, 9, 31).toISOString()
    await server.call(api.createInfraBillingRecord, { providerUuid: uuid, amount: 0.1 + 0.2 - 0.29, billedAt })
    expect((await server.call(api.listInfraBillingNodes, {})).stats).toMatchObject({ currentMonthPayments: 9.99, totalSpent: 10 })
    expect((await server.call(api.getInfraProvider, { uuid })).billingHistory).toEqual({ totalAmount: 10, totalBills: 1000 })
    const { spending } = await server.call(api.getInfraSpending, { tz: 'UTC' })
    expect(spending.reduce((cents, { amount }) => cents + Math.round(amount * 100), 0)).toBe(1000)
  })

  test('amounts that no column holds or that would become nothing are refused by name, nothing is stored', async () => {
    const { uuid: providerUuid } = await makeProvider()
    const url = '/api/infra-billing/history'
    const body = { providerUuid, billedAt: day('2026-11-01') }
    for (const amount of [0.001, 1e12, -1, '5', null])
      expect(await refused(server, 'POST', url, { ...body, amount })).toEqual([400, 'amount'])
    expect(await refused(server, 'POST', url, { ...body, amount: 1, providerUuid: UNKNOWN })).toEqual(errorCode(404, 'A132'))
    expect(await server.call(api.listInfraBillingHistory, {})).toEqual({ records: [], total: 0 })
    const { records } = await server.call(api.createInfraBillingRecord, { ...body, amount: 999_999_999_999.99 })
    expect(records[0]?.amount).toBe(999_999_999_999.99)
  })

  test('what was spent is told by provider and month of the billed day, for a year', async () => {
    server.clock.now = new Date('2026-11-15T12:00:00Z')
    const [one, two] = [await makeProvider('One'), await makeProvider('Two')]
    const pay = (providerUuid: string, amount: number, billedAt: string) =>
      server.call(api.createInfraBillingRecord, { providerUuid, amount, billedAt })
    await server.call(api.updateInstallation, { timeZone: 'Europe/Berlin' })
    await pay(one.uuid, 10, '2026-10-31T23:30:00Z') // in Berlin already November
    await pay(one.uuid, 5.55, '2026-11-02T00:00:00Z')
    await pay(two.uuid, 1, '2025-12-05T00:00:00Z')
    await pay(two.uuid, 7, '2025-11-05T00:00:00Z') // too long ago
    // A payment stays in the month of its day, in every zone of the reader and of the installation.
    for (const [zone, tz] of [['Europe/Berlin'], ['UTC'], ['UTC', 'Asia/Tokyo'], ['America/Los_Angeles']] as const) {
      await server.call(api.updateInstallation, { timeZone: zone })
      const { months, spending } = await server.call(api.getInfraSpending, tz === undefined ? {} : { tz })
      expect([months.length, months[0], months.at(-1)]).toEqual([12, '2025-12', '2026-11'])
      expect(spending).toEqual([
        { month: '2025-12', providerUuid: two.uuid, providerName: 'Two', amount: 1 },
        { month: '2026-11', providerUuid: one.uuid, providerName: 'One', amount: 15.55 },
      ])
    }
    await server.call(api.updateInstallation, { timeZone: 'UTC' })
    expect(await refused(server, 'GET', '/api/x/infra-billing/spending?tz=Mars')).toEqual([400, 'tz'])
  })
})

describe('a billed day', () => {
  const inZone = (timeZone: string) => server.call(api.updateInstallation, { timeZone })
  afterEach(() => inZone('UTC'))

  test('is that of the installation, and stays it when the zone changes: listed, summed and counted as one', async () => {
    await inZone('Europe/Moscow')
    server.clock.now = new Date('2026-10-31T22:00:00Z') // 1 November there
    const { uuid: providerUuid } = await makeProvider()
    const midnight = { october: '2026-09-30T21:00:00.000Z', november: '2026-10-31T21:00:00.000Z' }
    await server.call(api.createInfraBillingRecord, { providerUuid, amount: 30, billedAt: midnight.october })
    await server.call(api.createInfraBillingRecord, { providerUuid, amount: 7, billedAt: midnight.november })
    await server.call(api.createInfraBillingNode, { providerUuid, nodeUuid: nodeUuid(0), nextBillingAt: midnight.november })
    const seen = async () => {
      const { records } = await server.call(api.listInfraBillingHistory, {})
      const { billingNodes, stats } = await server.call(api.listInfraBillingNodes, {})
      const { spending } = await server.call(api.getInfraSpending, {})
      return {
        paid: records.map(({ billedAt }) => billedAt),
        due: billingNodes.map(({ nextBillingAt }) => nextBillingAt),
        month: [stats.currentMonthPayments, stats.upcomingNodesCount],
        spending: spending.map(({ month, amount }) => [month, amount]),
      }
    }
    const spending = [
      ['2026-10', 30],
      ['2026-11', 7],
    ]
    expect(await seen()).toEqual({
      paid: [midnight.november, midnight.october],
      due: [midnight.november],
      month: [7, 1],
      spending,
    })
    await inZone('UTC') // where it is 31 October
    expect(await seen()).toEqual({
      paid: [day('2026-11-01'), day('2026-10-01')],
      due: [day('2026-11-01')],
      month: [30, 0],
      spending: spending.slice(0, 1),
    })
    await inZone('Europe/Moscow')
    expect(await seen()).toMatchObject({ paid: [midnight.november, midnight.october], due: [midnight.november] })
  })

  test('of a monthly bill of the 31st is the 31st again after shorter months; beside it another bill keeps its own', async () => {
    const { uuid: providerUuid } = await makeProvider()
    const make = (index: number, date: string) =>
      server.call(api.createInfraBillingNode, { providerUuid, nodeUuid: nodeUuid(index), nextBillingAt: day(date) })
    await make(0, '2027-01-31')
    const { billingNodes } = await make(1, '2027-02-28')
    const uuid = billingNodes.find(({ nextBillingAt }) => nextBillingAt === day('2027-01-31'))?.uuid ?? ''
    const move = async (date: string) => {
      const view = await server.call(api.updateInfraBillingNode, { uuid, nextBillingAt: day(date) })
      return view.billingNodes.find((bill) => bill.uuid === uuid)?.billingDay
    }
    const days = []
    for (const date of ['2027-02-28', '2027-03-31', '2027-04-30', '2028-02-29']) days.push(await move(date))
    expect(days).toEqual([31, 31, 31, 31])
    expect(await move('2028-03-28')).toBe(28) // another day is meant
    expect(await move('2028-04-30')).toBe(30)
    expect(await move('2028-05-31')).toBe(31)
    const { billingNodes: left } = await server.call(api.listInfraBillingNodes, {})
    expect(left.map((bill) => [bill.nextBillingAt, bill.billingDay])).toEqual([
      [day('2027-02-28'), 28],
      [day('2028-05-31'), 31],
    ])
  })
})
