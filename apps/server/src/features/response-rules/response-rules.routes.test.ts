import type { AddressInfo } from 'node:net'
import { armor, Decrypter, generateHybridIdentity, generateX25519Identity, identityToRecipient } from 'age-encryption'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import type { ResponseRule, ResponseRules } from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'

let server: TestServer
let uuid: string
let user: api.User
let limited: api.User
beforeAll(async () => {
  server = await testServer({
    env: { HWID_DEVICE_LIMIT_ENABLED: 'true', HWID_FALLBACK_DEVICE_LIMIT: '1', HWID_MAX_DEVICES_ANNOUNCE: 'Too many' },
  })
  const config = { inbounds: [{ tag: 'VLESS', port: 1234, protocol: 'vless', settings: { clients: [] } }] }
  const profile = await server.call(api.createConfigProfile, { name: 'main', config })
  const configProfileInboundUuid = profile.inbounds[0]?.uuid ?? ''
  const inbound = { configProfileUuid: profile.uuid, configProfileInboundUuid }
  const squad = await server.call(api.createInternalSquad, { name: 'main', inbounds: [configProfileInboundUuid] })
  const host = { inbound, port: 443 }
  await server.call(api.createHost, { ...host, remark: 'one', address: 'one.example', serverDescription: 'Fast' })
  await server.call(api.createHost, { ...host, remark: 'two', address: 'two.example', tags: ['GAMES', 'EU'] })
  const member = { activeInternalSquads: [squad.uuid] }
  user = await makeUser(server, { ...member, hwidDeviceLimit: 0 })
  limited = await makeUser(server, member)
  uuid = (await server.call(api.getSubscriptionSettings, {})).uuid
  await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => server.close())

const everything: Pick<ResponseRule, 'enabled' | 'operator' | 'conditions'> = { enabled: true, operator: 'AND', conditions: [] }
const forApp = (value: string) => ({
  ...everything,
  conditions: [{ headerName: 'User-Agent', operator: 'STARTS_WITH' as const, value, caseSensitive: false }],
})
const rest: ResponseRule = { ...everything, name: 'Rest', responseType: 'XRAY_BASE64' }

let mark = 0
/** Stores rules behind one of the test's own, by which it notices that they are served. */
async function store(rules: ResponseRule[] | null, settings?: ResponseRules['settings']): Promise<void> {
  const last = `mark-${mark++}/`
  const marked: ResponseRule = { ...forApp(`mark-${mark}/`), name: `mark ${mark}`, responseType: 'STATUS_CODE_451' }
  const responseRules = rules && { version: '1' as const, ...(settings && { settings }), rules: [marked, ...rules] }
  const saved = await server.call(api.updateSubscriptionSettings, { uuid, responseRules })
  expect(saved.responseRules).toEqual(responseRules)
  const [agent, status] = rules ? [`mark-${mark}/`, 451] : [last, 200]
  await expect.poll(async () => (await get(agent)).status).toBe(status)
}

interface Asked {
  of?: api.User
  path?: string
  headers?: Record<string, string>
}
async function get(agent: string, { of = user, path = '', headers = {} }: Asked = {}) {
  const url = `/api/sub/${of.shortUuid}${path}`
  const reply = await server.app.inject({ url, headers: { 'user-agent': agent, ...headers } })
  return { status: reply.statusCode, type: String(reply.headers['content-type']), text: reply.body, headers: reply.headers }
}
const links = (text: string) => Buffer.from(text, 'base64').toString().split('\n')

const agents = ['Happ/3.5.0', 'FlClash/0.8', 'Stash/3', 'SFA/1.12.8 (sing-box 1.12.8)', 'Clash/1', 'Outline/1', 'curl/8', '']
test('RULE-003: without stored rules every app gets what it got before, also after rules were stored and taken away', async () => {
  await store(null)
  const before = await Promise.all(agents.map((agent) => get(agent)))
  await store([{ ...everything, name: 'Nothing', responseType: 'BLOCK' }])
  expect(await Promise.all(agents.map(async (agent) => (await get(agent)).status))).toEqual(agents.map(() => 403))
  await store(null)
  const after = await Promise.all(agents.map((agent) => get(agent)))
  expect(after.map(({ type, text }) => ({ type, text }))).toEqual(before.map(({ type, text }) => ({ type, text })))
  expect(before.map(({ type }) => type.split(';')[0])).toEqual([
    'text/plain',
    'text/yaml',
    'text/yaml',
    'application/json',
    'text/yaml',
    'application/json',
    'text/plain',
    'text/plain',
  ])
})

test('RULE-001: the rule that matches says what is answered; without one, or without a name, the answer is 403', async () => {
  const types = ['XRAY_JSON', 'XRAY_BASE64', 'MIHOMO', 'STASH', 'CLASH', 'SINGBOX', 'BROWSER', 'BLOCK'] as const
  const codes = ['STATUS_CODE_404', 'STATUS_CODE_451', 'SOCKET_DROP'] as const
  await store([...types, ...codes].map((type) => ({ ...forApp(`${type}/`), name: type, responseType: type })))
  const answers = await Promise.all(
    [...types, 'STATUS_CODE_404', 'STATUS_CODE_451', 'other', ''].map((type) => get(type && `${type}/1`)),
  )
  expect(answers.map(({ status, type }) => [status, type.split(';')[0]])).toEqual([
    [200, 'application/json'],
    [200, 'text/plain'],
    [200, 'text/yaml'],
    [200, 'text/yaml'],
    [200, 'text/yaml'],
    [200, 'application/json'],
    [200, 'text/html'],
    [403, 'application/json'],
    [404, 'application/json'],
    [451, 'application/json'],
    [403, 'application/json'],
    [403, 'application/json'],
  ])
  const { port } = server.app.server.address() as AddressInfo // a TCP server has one
  const dropped = fetch(`http://127.0.0.1:${port}/api/sub/${user.shortUuid}`, { headers: { 'user-agent': 'SOCKET_DROP/1' } })
  await expect(dropped).rejects.toThrow('fetch failed')
  const preview = await server.call(api.previewSubscription, { userUuid: user.uuid, userAgent: 'BLOCK/1' })
  expect(preview).toMatchObject({ format: 'nothing', body: '', rule: { name: 'BLOCK', type: 'BLOCK' } })
  // A browser is an app like others once rules are stored.
  expect((await get('XRAY_JSON/1', { headers: { accept: 'text/html' } })).type).toContain('application/json')
})

test('RULE-001: headers of a rule stand first, or at the end where they win over all others', async () => {
  const headers = [
    { key: 'Profile-Update-Interval', value: '1' },
    { key: 'X-Who', value: '{{USERNAME}} ü' },
  ]
  await store([
    { ...forApp('first'), name: 'first', responseType: 'XRAY_BASE64', responseModifications: { headers } },
    { ...forApp('last'), name: 'last', responseType: 'XRAY_BASE64', responseModifications: { headers, applyHeadersToEnd: true } },
    { ...forApp('page'), name: 'page', responseType: 'BROWSER', responseModifications: { headers } },
    rest,
  ])
  expect((await get('first/1')).headers).toMatchObject({ 'profile-update-interval': '12', 'x-who': `${user.username} ü` })
  expect((await get('last/1')).headers).toMatchObject({ 'profile-update-interval': '1', 'cache-control': 'private, no-store' })
  expect((await get('page/1')).headers).toMatchObject({ 'x-who': `${user.username} ü` })
  expect((await get('other/1')).headers).not.toHaveProperty('x-who')
})

test('RULE-001: hosts by tag, texts, descriptions, a template that is missing, and JSON in place of Base64', async () => {
  const type = 'XRAY_BASE64'
  await server.call(api.updateSubscriptionSettings, { uuid, serveJsonAtBaseSubscription: true })
  await store([
    { ...forApp('tags'), name: 'tags', responseType: type, responseModifications: { excludeHostsByTags: ['OTHER', 'EU'] } },
    { ...forApp('texts'), name: 'texts', responseType: type, responseModifications: { respondWithRemarks: ['Hi {{USERNAME}}'] } },
    {
      ...forApp('nory'),
      name: 'nory',
      responseType: type,
      responseModifications: { additionalExtendedClientsRegex: ['^NORY/'] },
    },
    { ...forApp('FlClash'), name: 'mihomo', responseType: 'MIHOMO', responseModifications: { subscriptionTemplate: 'Missing' } },
    { ...forApp('Happ/1'), name: 'base', responseType: type, responseModifications: { ignoreServeJsonAtBaseSubscription: true } },
    rest,
  ])
  expect(links((await get('tags/1')).text).map((link) => link.split('#')[1])).toEqual(['one'])
  const [text, ...more] = links((await get('texts/1')).text)
  expect([decodeURIComponent(text?.split('#')[1] ?? ''), more]).toEqual([`Hi ${user.username}`, []])
  expect(links((await get('nory/1')).text)[0]).toMatch(/#one\?serverDescription=RmFzdA==$/)
  expect(links((await get('other/1')).text)[0]).toMatch(/#one$/)
  expect((await get('FlClash/1')).text).toContain('one.example')
  expect((await get('Happ/1')).type).toContain('text/plain')
  expect((await get('Happ/2')).type).toContain('application/json')
  await server.call(api.updateSubscriptionSettings, { uuid, serveJsonAtBaseSubscription: false })
})

test('RULE-001: a rule wins over the external squad, and that over the settings: templates by name, headers and JSON', async () => {
  const make = async (name: string) => {
    const { uuid: made } = await server.call(api.createSubscriptionTemplate, { name, templateType: 'MIHOMO' })
    const yaml = `mode: rule\nproxies:\nproxy-groups: []\nrules:\n  - MATCH,${name}\n`
    await server.call(api.patchSubscriptionTemplate, { uuid: made, encodedTemplateYaml: Buffer.from(yaml).toString('base64') })
    return made
  }
  const [, ofSquad] = [await make('OfRule'), await make('OfSquad')]
  const squad = await server.call(api.createExternalSquad, { name: 'Gold' })
  await server.call(api.updateExternalSquad, {
    uuid: squad.uuid,
    templates: [{ templateUuid: ofSquad, templateType: 'MIHOMO' }],
    subscriptionSettings: { serveJsonAtBaseSubscription: true },
    responseHeadersAdd: { 'x-from': 'squad' },
  })
  const member = await makeUser(server, { hwidDeviceLimit: 0, externalSquadUuid: squad.uuid })
  const responseModifications = {
    subscriptionTemplate: 'OfRule',
    headers: [{ key: 'x-from', value: 'rule' }],
    applyHeadersToEnd: true,
  }
  await store([
    { ...forApp('mihomo/ruled'), name: 'ruled', responseType: 'MIHOMO', responseModifications },
    { ...forApp('mihomo'), name: 'plain', responseType: 'MIHOMO' },
    rest,
  ])
  const given = async (agent: string, of: api.User) => {
    const { text, headers } = await get(agent, { of })
    return [/MATCH,(\w+)/.exec(text)?.[1], headers['x-from']]
  }
  expect(await given('mihomo/ruled', member)).toEqual(['OfRule', 'rule'])
  expect(await given('mihomo/1', member)).toEqual(['OfSquad', 'squad'])
  expect(await given('mihomo/ruled', user)).toEqual(['OfRule', 'rule'])
  expect((await given('mihomo/1', user))[1]).toBeUndefined()
  expect((await get('Happ/1', { of: member })).type).toContain('application/json')
  expect((await get('Happ/1')).type).toContain('text/plain')
})

test('RULE-001: a rule can pass by the device limit and choose by the short id, which no header can pretend', async () => {
  const own = { headerName: api.SHORT_UUID_HEADER, operator: 'EQUALS' as const, value: user.shortUuid, caseSensitive: true }
  await store([
    { ...everything, conditions: [own], name: 'one user', responseType: 'XRAY_JSON' },
    { ...forApp('free'), name: 'free', responseType: 'XRAY_BASE64', responseModifications: { disableHwidCheck: true } },
    rest,
  ])
  expect((await get('app/1')).type).toContain('application/json')
  expect((await get('app/1', { of: limited, headers: { [api.SHORT_UUID_HEADER]: user.shortUuid } })).text).toBe('')
  expect(links((await get('free/1', { of: limited })).text)).toHaveLength(2)
})

test.each([
  ['age1', generateX25519Identity],
  ['age1pq1', generateHybridIdentity],
] as const)('RULE-001: an answer encrypted by %s opens with the key of its recipient', async (method, generate) => {
  const identity = await generate()
  const key = await identityToRecipient(identity)
  await store([
    { ...forApp('sealed'), name: 'sealed', responseType: 'XRAY_JSON', responseModifications: { encryption: { method, key } } },
    { ...rest, responseType: 'XRAY_JSON' },
  ])
  const [sealed, plain] = [await get('sealed/1'), await get('plain/1')]
  const decrypter = new Decrypter()
  decrypter.addIdentity(identity)
  expect(sealed.type).toContain('text/plain')
  expect(await decrypter.decrypt(armor.decode(sealed.text), 'text')).toBe(plain.text)
})

test('RULE-001: an address that names a format passes by the rules, unless the settings block it', async () => {
  const block: ResponseRule = { ...everything, name: 'Nothing', responseType: 'BLOCK' }
  const paths = ['/json', '/mihomo']
  await store([block])
  expect(await Promise.all(paths.map(async (path) => (await get('x', { path })).status))).toEqual([200, 200])
  await store([rest], { disableSubscriptionAccessByPath: true })
  expect(await Promise.all(['', ...paths].map(async (path) => (await get('x', { path })).status))).toEqual([200, 403, 403])
  const outline = await server.app.inject({ url: `/api/sub/outline/${user.shortUuid}/ss/b25l` })
  expect(outline.statusCode).toBe(403)
})

test('RULE-004: the history keeps which rule answered with what, and is filtered by it', async () => {
  const [fresh, bystander] = [await makeUser(server, { hwidDeviceLimit: 0 }), await makeUser(server, { hwidDeviceLimit: 0 })]
  await store([
    { ...forApp('Clash'), name: 'Old apps', responseType: 'STATUS_CODE_451' },
    { ...forApp('Happ'), name: 'Happ', responseType: 'XRAY_JSON' },
  ])
  for (const agent of ['Happ/1', 'Clash/1', 'curl/1']) await get(agent, { of: fresh })
  await get('Clash/1', { of: bystander })
  await get('Happ/1', { of: fresh, path: '/mihomo' })
  const kept = () => server.call(api.listUserSubscriptionRequests, { uuid: fresh.uuid })
  await expect.poll(async () => (await kept()).total, { timeout: 5000 }).toBe(4)
  const { records } = await kept()
  expect(records.map(({ userAgent, srrRuleName, srrResponseType }) => [userAgent, srrRuleName, srrResponseType])).toEqual([
    ['Happ/1', null, 'MIHOMO'],
    ['curl/1', null, 'BLOCK'],
    ['Clash/1', 'Old apps', 'STATUS_CODE_451'],
    ['Happ/1', 'Happ', 'XRAY_JSON'],
  ])
  const found = await server.call(api.listSubscriptionRequests, {
    filters: [{ id: 'srrRuleName', value: 'Old apps' }],
    filterModes: { srrRuleName: 'equals' },
  })
  expect(found.records.map(({ userUuid }) => userUuid).toSorted()).toEqual([fresh.uuid, bystander.uuid].toSorted())
  // What got no subscription has not opened it.
  expect((await server.call(api.getUser, { uuid: bystander.uuid })).subLastOpenedAt).toBeNull()
  expect((await server.call(api.getUser, { uuid: fresh.uuid })).subLastUserAgent).toBe('Happ/1')
})

test('rules that cannot be used are refused at their place, and what was stored stays', async () => {
  await store([rest])
  const send = (rules: object) =>
    server.send('PATCH', '/api/subscription-settings', { uuid, responseRules: { version: '1', rules } })
  const condition = { headerName: 'user-agent', operator: 'REGEX', value: 'a(?=b)', caseSensitive: false }
  const key = { encryption: { method: 'age1', key: 'age1abc' } }
  const header = { headers: ['a', 'b', 'c', 'd', 'e'].map((name) => ({ key: `x-${name}`, value: 'y'.repeat(1000) })) }
  for (const [rules, path, message] of [
    [
      [{ ...rest, conditions: [condition] }],
      ['rules', '0', 'conditions', '0', 'value'],
      'Rule “Rest”, condition 1: the pattern cannot be used: looking ahead or behind is not supported',
    ],
    [
      [{ ...rest, responseModifications: key }],
      ['rules', '0', 'responseModifications', 'encryption', 'key'],
      'public key of age',
    ],
    [[{ ...rest, responseModifications: header }], ['rules', '0', 'responseModifications', 'headers'], 'headers of rule “Rest”'],
    [[rest, rest], ['rules', 1, 'name'], 'is the name of rule 1 as well'],
    [Array.from({ length: 1000 }, () => rest), ['rules'], 'must have at most 300 entries'],
  ] as const) {
    const { status, body } = await send(rules)
    const said = expect.stringContaining(message)
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ errors: [expect.objectContaining({ path: ['responseRules', ...path], message: said })] }),
    ])
  }
  expect(await send(Array.from({ length: 10_000 }, () => rest))).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/has more than \d+ values/) },
  })
  expect((await server.call(api.getSubscriptionSettings, {})).responseRules?.rules.slice(1)).toEqual([rest])
})

test('RULE-006: each save of the rules is a revision with its reason, and other settings make none', async () => {
  const before = (await server.call(api.listResponseRulesRevisions, { uuid })).revisions.length
  const responseRules: ResponseRules = { version: '1', rules: [{ ...rest, name: 'Second' }] }
  await server.call(api.updateSubscriptionSettings, { uuid, responseRules, reason: 'for the new app' })
  await server.call(api.updateSubscriptionSettings, { uuid, randomizeHosts: false })
  const { revisions } = await server.call(api.listResponseRulesRevisions, { uuid })
  expect(revisions).toHaveLength(before + 1)
  expect(revisions[0]).toMatchObject({ actorName: 'admin', reason: 'for the new app' })
  const number = revisions[0]?.number ?? 0
  const { content } = await server.call(api.getResponseRulesRevision, { uuid, number })
  expect(JSON.parse(content)).toEqual(responseRules)
})

test('RULE-002: a preview tells what each known app, kept request and typed request would get, and stores nothing', async () => {
  await store(null)
  const fan = await makeUser(server, { hwidDeviceLimit: 0 })
  await get('Fan/1', { of: fan })
  const kept = () => server.call(api.listUserSubscriptionRequests, { uuid: fan.uuid })
  await expect.poll(async () => (await kept()).total, { timeout: 5000 }).toBe(1)
  const responseRules: ResponseRules = {
    version: '1',
    rules: [
      { ...forApp('fan'), name: 'Fans', responseType: 'XRAY_JSON', responseModifications: { subscriptionTemplate: 'Gone' } },
      ...api.defaultResponseRules.rules,
    ],
  }
  const headers = { 'User-Agent': 'Fan/2', 'x-other': '1' }
  const preview = await server.call(api.previewResponseRules, { responseRules, headers })
  expect(preview.apps.length).toBeGreaterThanOrEqual(60)
  const of = (name: string) => preview.apps.find((app) => app.name === name)
  expect(of('Stash')).toMatchObject({
    before: { type: 'STASH', ruleName: null },
    after: { type: 'STASH', ruleName: 'Stash' },
    isChanged: false,
  })
  expect(of('Outline')).toMatchObject({ before: { type: 'OUTLINE' }, after: { type: 'XRAY_BASE64' }, isChanged: true })
  expect(of('Chrome')).toMatchObject({ before: { type: 'BROWSER' }, after: { type: 'BROWSER' }, isChanged: false })
  expect(preview.requests.changed.find(({ userAgent }) => userAgent === 'Fan/1')).toMatchObject({
    users: 1,
    after: { ruleName: 'Fans' },
  })
  expect(preview.missingTemplates).toEqual([{ rule: 0, name: 'Gone' }])
  expect(preview.trial).toMatchObject({ before: { type: 'XRAY_BASE64' }, after: { ruleName: 'Fans', type: 'XRAY_JSON' } })
  expect(preview.trial?.conditions.slice(0, 2)).toEqual([[true], [null]])
  expect((await server.call(api.getSubscriptionSettings, {})).responseRules).toBeNull()
  // Told before, true after.
  await store(responseRules.rules)
  const saved = await Promise.all(
    preview.apps.slice(0, 12).map(async ({ userAgent }) => (await get(userAgent)).type.split(';')[0]),
  )
  const types = {
    XRAY_BASE64: 'text/plain',
    XRAY_JSON: 'application/json',
    SINGBOX: 'application/json',
    BROWSER: 'text/html',
  } as Record<string, string>
  expect(saved).toEqual(preview.apps.slice(0, 12).map(({ after }) => types[after.type] ?? 'text/yaml'))
})

test('RULE-001: the tester of the wire evaluates rules on its own request, without telling secrets', async () => {
  const modifications = { headers: [{ key: 'X-Mine', value: '1' }] }
  const responseRules = {
    version: '1',
    rules: [{ ...forApp('probe'), name: 'Probe', responseType: 'CLASH', responseModifications: modifications }],
  }
  const ask = (agent: string) =>
    server.send('POST', '/api/system/testers/srr-matcher', { responseRules }, { 'user-agent': agent, ...server.admin })
  const { status, body } = await ask('Probe/1')
  expect([status, body]).toEqual([
    200,
    {
      response: {
        matched: true,
        responseType: 'CLASH',
        matchedRule: responseRules.rules[0],
        inputHeaders: expect.objectContaining({ 'user-agent': 'Probe/1' }),
        outputHeaders: { 'x-mine': '1' },
      },
    },
  ])
  expect(JSON.stringify(body)).not.toContain('Bearer')
  expect((await ask('other')).body).toMatchObject({ response: { matched: false, responseType: 'BLOCK', matchedRule: null } })
})

test('RULE-001: a separate page asks whether the rules show a browser the page', async () => {
  const allowed = async (requestHeaders: Record<string, string>) => {
    const url = `/api/subscriptions/subpage-config/${user.shortUuid}`
    const { body } = await server.send('GET', url, { requestHeaders })
    return (body as { response: { webpageAllowed: boolean } }).response.webpageAllowed // the contract's reply
  }
  await store(api.defaultResponseRules.rules)
  expect(await allowed({ 'User-Agent': 'Mozilla/5.0', Accept: 'text/html' })).toBe(true)
  expect(await allowed({ 'User-Agent': 'Happ/1', Accept: '*/*' })).toBe(false)
  await store(null)
  expect(await allowed({ 'User-Agent': 'Happ/1', Accept: '*/*' })).toBe(true)
})
