import * as api from '@causeway/contract'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterEach, describe, expect, test } from 'vitest'
import { databaseUrl } from '../../../test/postgres.ts'
import { testServer, type TestServer } from '../../../test/server.ts'
import { countryFlag } from '../../lib/country-flag.ts'
import { ATTEMPTS_PER_ADDRESS } from '../auth/auth.rules.ts'

let server: TestServer
afterEach(() => server.close())

const credentials = { METRICS_USER: 'scraper', METRICS_PASS: 'pass:word' }
const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const scraper = basic('scraper', 'pass:word')

async function signIn(): Promise<string> {
  const reply = await server.send('POST', '/api/auth/login', { username: 'admin', password: 'Correct4horse' }, {})
  const cookies = [reply.headers['set-cookie']].flat().map(String)
  return cookies.find((cookie) => cookie.includes('Path=/metrics')) ?? ''
}

describe('/health', () => {
  test('SHIP-013 is open and tells that the database answers, and the version', async () => {
    server = await testServer({ register: false })
    const up = { database: { status: 'up' } }
    expect(await server.send('GET', '/health', undefined, {})).toMatchObject({
      status: 200,
      body: { status: 'ok', version: server.ctx.config.version, info: up, error: {}, details: up },
    })
  })
  test('answers 503 when it does not', async () => {
    server = await testServer({ register: false })
    const { DATABASE_URL } = server.ctx.config
    const elsewhere = new pg.Client({ connectionString: databaseUrl(DATABASE_URL ?? '', 'postgres') })
    await elsewhere.connect()
    const name = new URL(DATABASE_URL ?? '').pathname.slice(1)
    await elsewhere.query(`alter database ${name} with allow_connections false`)
    await elsewhere.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await elsewhere.end()
    const down = { database: { status: 'down' } }
    const reply = await server.send('GET', '/health', undefined, {})
    expect(reply).toMatchObject({ status: 503, body: { status: 'error', error: down, details: down } })
  })
})

describe('/metrics', () => {
  test('opens with the Basic credentials and shows fleet, users and process', async () => {
    server = await testServer({ env: credentials })
    await server.call(api.createUser, { username: 'ann', expireAt: '2099-01-01T00:00:00Z' })
    const provider = await server.ctx.db
      .insertInto('infraProviders')
      .values({ name: 'Hoster' })
      .returning('id')
      .executeTakeFirstOrThrow()
    const config = {
      inbounds: [
        { tag: 'VLESS', port: 443, protocol: 'vless', settings: {} },
        { tag: 'IDLE', port: 444, protocol: 'trojan', settings: {} },
        { tag: 'ELSEWHERE', port: 445, protocol: 'trojan', settings: {} },
      ],
      outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }, { protocol: 'blackhole' }],
    }
    const profile = await server.call(api.createConfigProfile, { name: 'idle', config })
    const stored = await server.ctx.db
      .selectFrom('configProfileInbounds')
      .select(['id', 'profileId', 'tag'])
      .where('tag', 'in', ['VLESS', 'IDLE'])
      .execute()
    expect(profile.inbounds).toHaveLength(3)
    const node = {
      name: 'nl-1',
      address: 'nl1',
      port: 1,
      activeConfigProfileId: stored[0]?.profileId ?? null,
      countryCode: 'NL',
      providerId: provider.id,
    }
    const { id } = await server.ctx.db.insertInto('nodes').values(node).returning('id').executeTakeFirstOrThrow()
    await server.ctx.db
      .insertInto('nodeStates')
      .values({ nodeId: id, isConnected: true, certificateExpiresAt: new Date('2027-01-01T00:00:00Z') })
      .onConflict((conflict) => conflict.column('nodeId').doUpdateSet({ isConnected: true }))
      .execute()
    await server.ctx.db
      .insertInto('nodeTagUsage')
      .values({ nodeId: id, direction: 'inbound', tag: 'VLESS', uploadBytes: 5, downloadBytes: 6 })
      .execute()
    await server.ctx.db
      .insertInto('nodeInbounds')
      .values(stored.map((inbound) => ({ nodeId: id, inboundId: inbound.id })))
      .execute()
    const reply = await server.send('GET', '/metrics', undefined, scraper)
    expect(reply).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/plain') } })
    const text = String(reply.body)
    expect(text).toMatch(
      /^causeway_node_online_users\{node_uuid="[^"]+",node_name="nl-1",node_country_emoji="🇳🇱",provider_name="Hoster",app="causeway"\} 0$/m,
    )
    expect(text).toMatch(/^causeway_node_inbound_download_bytes\{.*tag="VLESS".*\} 6$/m)
    // What has not been used yet is there, too: an alert on a missing series would never fire.
    expect(text).toMatch(/^causeway_node_inbound_download_bytes\{.*tag="IDLE".*\} 0$/m)
    expect(text).toMatch(/^causeway_node_outbound_upload_bytes\{.*tag="DIRECT".*\} 0$/m)
    expect(text).not.toContain('tag="ELSEWHERE"')
    expect(text).toContain('causeway_users_status{status="ACTIVE",app="causeway"} 1')
    expect(text).toContain('causeway_users_online_stats{metricType="neverOnline",app="causeway"} 1')
    expect(text).toContain('causeway_users_total{type="all",app="causeway"} 1')
    expect(text).toMatch(/^causeway_http_request_seconds_count\{.*method="POST",status="201".*\} \d+$/m)
    expect(text).toMatch(
      /^causeway_node_certificate_expires_seconds\{node_uuid="[^"]+",node_name="nl-1",app="causeway"\} 1798761600$/m,
    )
    expect(text).toMatch(/^causeway_authority_expires_seconds\{app="causeway"\} \d{10}$/m)
    expect(text).toContain('causeway_process_resident_memory_bytes')
    expect(text).not.toContain('remnawave_')
  })
  test('METRICS_COMPAT adds the names that existing boards read', async () => {
    server = await testServer({ env: { ...credentials, METRICS_COMPAT: 'true' }, register: false })
    const text = String((await server.send('GET', '/metrics', undefined, scraper)).body)
    expect(text).toContain('remnawave_users_total{type="all",app="remnawave"} 0')
    expect(text).toContain('causeway_users_total')
  })
  test('WIRE-020 METRICS_COMPAT has all 21 series of 2.1 and the 18 of 3.3, and counts the answers of the last minute', async () => {
    server = await testServer({ env: { ...credentials, METRICS_COMPAT: 'true' }, register: false })
    for (let index = 0; index < 5; index++) await server.send('GET', '/health', undefined, {})
    await new Promise((resolve) => setTimeout(resolve, 1100)) // over a shorter time the processor is not measured
    const text = String((await server.send('GET', '/metrics', undefined, scraper)).body)
    const names = [...text.matchAll(/^# TYPE remnawave_(\S+) /gm)].map(([, name = '']) => name)
    expect(names.toSorted()).toEqual([
      'node_basic_info',
      'node_cpu_count',
      'node_inbound_download_bytes',
      'node_inbound_upload_bytes',
      'node_memory_free_bytes',
      'node_memory_total_bytes',
      'node_network_rx_bytes_per_sec',
      'node_network_rx_bytes_total',
      'node_network_tx_bytes_per_sec',
      'node_network_tx_bytes_total',
      'node_online_users',
      'node_outbound_download_bytes',
      'node_outbound_upload_bytes',
      'node_status',
      'node_system_info',
      'node_uptime_seconds',
      'nodejs_active_handlers',
      'nodejs_active_requests',
      'nodejs_cpu_usage_percent',
      'nodejs_event_loop_latency_p50',
      'nodejs_event_loop_latency_p95',
      'nodejs_heap_total_bytes',
      'nodejs_heap_usage_percent',
      'nodejs_heap_used_bytes',
      'nodejs_http_req_latency_p50',
      'nodejs_http_req_latency_p95',
      'nodejs_http_req_rate',
      'nodejs_memory_usage_bytes',
      'process_active_handles',
      'process_array_buffers_bytes',
      'process_event_loop_delay_ms',
      'process_external_bytes',
      'process_heap_total_bytes',
      'process_heap_used_bytes',
      'process_rss_bytes',
      'process_uptime_seconds',
      'users_online_stats',
      'users_status',
      'users_total',
    ])
    const figure = (name: string) =>
      Number(
        new RegExp(`^remnawave_nodejs_${name}\\{instance_id="0",instance_name="Server",app="remnawave"\\} (\\S+)$`, 'm').exec(
          text,
        )?.[1],
      )
    expect(figure('http_req_rate')).toBe(5)
    expect(figure('cpu_usage_percent')).toBeGreaterThan(0)
    expect(figure('active_requests')).toBeGreaterThanOrEqual(0)
    expect(figure('http_req_latency_p50')).toBeGreaterThan(0)
    expect(figure('http_req_latency_p95')).toBeGreaterThanOrEqual(figure('http_req_latency_p50'))
  })
  test('WIRE-020 METRICS_COMPAT tells the machines of nodes as far as their agents have', async () => {
    server = await testServer({ env: { ...credentials, METRICS_COMPAT: 'true' } })
    const told = { xrayVersion: '26.3.27', nodeVersion: '0.2.0', cpuCount: 4, cpuModel: 'Fast', totalRam: '2.00 GB' }
    for (const [name, state] of [
      ['told', told],
      ['silent', {}],
    ] as const) {
      const { id } = await server.ctx.db
        .insertInto('nodes')
        .values({ name, address: name, port: 1, countryCode: 'NL' })
        .returning('id')
        .executeTakeFirstOrThrow()
      await server.ctx.db
        .insertInto('nodeStates')
        .values({ nodeId: id, ...state })
        .execute()
    }
    const [first] = await server.ctx.db.selectFrom('nodes').select('id').where('name', '=', 'told').execute()
    const usage = (direction: 'inbound' | 'outbound', uploadBytes: number, downloadBytes: number) => ({
      nodeId: first?.id ?? 0,
      direction,
      tag: direction,
      uploadBytes,
      downloadBytes,
    })
    await server.ctx.db
      .insertInto('nodeTagUsage')
      .values([usage('inbound', 3, 40), usage('outbound', 5, 60)])
      .execute()
    const text = String((await server.send('GET', '/metrics', undefined, scraper)).body)
    const series = (name: string) => text.split('\n').filter((line) => line.startsWith(`remnawave_node_${name}{`))
    expect(series('cpu_count')).toEqual([expect.stringMatching(/node_name="told".* 4$/)])
    expect(series('memory_total_bytes')).toEqual([expect.stringMatching(/node_name="told".* 2147483648$/)])
    expect(series('basic_info')).toEqual([
      expect.stringMatching(/node_name="told".*xray_version="26.3.27",node_version="0.2.0"/),
      expect.stringMatching(/node_name="silent".*xray_version="unknown"/),
    ])
    expect(text).toMatch(/^remnawave_process_uptime_seconds\{app="remnawave"\} \d/m)
    expect(series('network_rx_bytes_total')).toEqual([expect.stringMatching(/node_name="told".* 63$/)])
    expect(series('network_tx_bytes_total')).toEqual([expect.stringMatching(/node_name="told".* 45$/)])
    expect(series('network_rx_bytes_per_sec')).toEqual([])
    expect(series('uptime_seconds')).toEqual([])
  })
  test.each([
    ['nobody', {}],
    ['a wrong password', basic('scraper', 'wrong')],
    ['a wrong name', basic('other', 'pass:word')],
    ['an API-like token', { authorization: 'Bearer x' }],
  ])('is closed to %s', async (_, headers) => {
    server = await testServer({ env: credentials, register: false })
    const reply = await server.send('GET', '/metrics', undefined, headers)
    expect(reply).toMatchObject({
      status: 401,
      headers: { 'www-authenticate': 'Basic realm="Causeway"' },
      body: { statusCode: 401 },
    })
  })
  test('guessing the credentials is held up', async () => {
    server = await testServer({ env: credentials, register: false })
    const guess = () => server.send('GET', '/metrics', undefined, basic('scraper', 'wrong'))
    for (let attempt = 0; attempt < ATTEMPTS_PER_ADDRESS; attempt++) expect((await guess()).status).toBe(401)
    expect((await server.send('GET', '/metrics', undefined, scraper)).status).toBe(429)
    // And it holds up nobody who signs in from the same address.
    const credentialsOfAdmin = { username: 'admin', password: 'Correct4horse' }
    expect((await server.send('POST', '/api/auth/register', credentialsOfAdmin, {})).status).toBe(201)
  })
  test('opens in the browser of a signed-in administrator, until they sign out', async () => {
    server = await testServer()
    const cookie = await signIn()
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect((await server.send('GET', '/metrics', undefined, headers)).status).toBe(200)
    // The cookie opens these pages and nothing else.
    expect((await server.send('GET', '/api/hosts', undefined, headers)).status).toBe(401)
    const token = headers.cookie.split('=')[1] ?? ''
    const browser = { authorization: `Bearer ${token}`, 'x-remnawave-client-type': 'browser' }
    expect((await server.send('GET', '/api/hosts', undefined, browser)).status).toBe(403)
    await server.ctx.db.updateTable('sessions').set({ revokedAt: new Date() }).execute()
    expect((await server.send('GET', '/metrics', undefined, headers)).status).toBe(401)
  })
  test('METRICS_PORT moves them to a port of their own', async () => {
    server = await testServer({ env: { ...credentials, METRICS_PORT: '4601' }, register: false })
    expect((await server.send('GET', '/metrics', undefined, scraper)).status).toBe(404)
    const reply = await fetch('http://127.0.0.1:4601/metrics', { headers: scraper })
    expect(await reply.text()).toContain('causeway_users_total')
    expect((await fetch('http://127.0.0.1:4601/metrics')).status).toBe(401)
    expect((await fetch('http://127.0.0.1:4601/health')).status).toBe(200)
    expect((await fetch('http://127.0.0.1:4601/api/users')).status).toBe(404)
  })
  test('METRICS_PORT answers with the security headers of the main port, whatever it answers', async () => {
    server = await testServer({ env: { ...credentials, METRICS_PORT: '4602' }, register: false })
    const headersOf = (reply: Headers | Record<string, unknown>) => {
      const all = reply instanceof Headers ? Object.fromEntries(reply) : reply
      const { 'content-security-policy': policy, 'x-frame-options': frames, 'x-content-type-options': sniffing } = all
      return { policy, frames, sniffing, robots: all['x-robots-tag'], referrer: all['referrer-policy'] }
    }
    const expected = headersOf((await server.send('GET', '/health', undefined, {})).headers)
    expect(expected).toMatchObject({ policy: expect.stringContaining("default-src 'none'"), frames: 'DENY', sniffing: 'nosniff' })
    for (const [path, headers, status] of [
      ['/metrics', scraper, 200],
      ['/metrics', {}, 401],
      ['/health', {}, 200],
      ['/nothing', {}, 404],
      ['/%ff', {}, 400],
    ] as const) {
      const reply = await fetch(`http://127.0.0.1:4602${path}`, { headers })
      expect([reply.status, headersOf(reply.headers)]).toEqual([status, expected])
    }
    const socket = connect(4602, '127.0.0.1')
    socket.end('no HTTP\r\n\r\n')
    expect(await text(socket)).toContain("content-security-policy: default-src 'none'")
  })
})

describe('flags', () => {
  test.each([
    ['NL', '🇳🇱'],
    ['XX', '🏴‍☠️'],
    ['', '🏴‍☠️'],
    ['nl', '🏴‍☠️'],
  ])('%s is %s', (code, flag) => expect(countryFlag(code)).toBe(flag))
})
