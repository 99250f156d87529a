import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const encode = (text: string): string => Buffer.from(text).toString('base64')

test('TMPL-029 TMPL-030: a new panel has one template of each type, with YAML or JSON', async () => {
  const kinds = {
    STASH: 'yaml',
    MIHOMO: 'yaml',
    CLASH: 'yaml',
    SINGBOX: 'json',
    SINGBOX_LEGACY: 'json',
    XRAY_JSON: 'json',
  } as const
  for (const templateType of api.templateType.options) {
    const template = await server.call(api.getSubscriptionTemplate, { templateType })
    expect(template.templateType).toBe(templateType)
    expect(template.templateJson === null).toBe(kinds[templateType] === 'yaml')
    expect(template.encodedTemplateYaml === null).toBe(kinds[templateType] === 'json')
  }
})

test('content is stored and given back as stored, comments and all', async () => {
  const yaml = '# mine\nmode: rule # ü\n'
  const updated = await server.call(api.updateSubscriptionTemplate, { templateType: 'MIHOMO', encodedTemplateYaml: encode(yaml) })
  expect(updated).toMatchObject({ templateType: 'MIHOMO', templateJson: null, encodedTemplateYaml: encode(yaml) })
  expect(await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })).toEqual(updated)
  const json = await server.call(api.updateSubscriptionTemplate, { templateType: 'SINGBOX', templateJson: { b: 1, a: [null] } })
  expect(JSON.stringify(json.templateJson)).toBe('{"b":1,"a":[null]}')
  const audit = await server.ctx.db
    .selectFrom('auditLog')
    .select(['target', 'name'])
    .where('action', '=', 'updateSubscriptionTemplate')
    .execute()
  expect(audit).toEqual([
    { target: updated.uuid, name: 'MIHOMO' },
    { target: json.uuid, name: 'SINGBOX' },
  ])
})

test('absent and empty content change nothing', async () => {
  const before = await server.call(api.getSubscriptionTemplate, { templateType: 'STASH' })
  expect(await server.call(api.updateSubscriptionTemplate, { templateType: 'STASH' })).toEqual(before)
  expect(await server.call(api.updateSubscriptionTemplate, { templateType: 'STASH', encodedTemplateYaml: '' })).toEqual(before)
})

test.each([
  ['STASH', 'templateJson', { a: 1 }, 'encodedTemplateYaml'],
  ['MIHOMO', 'templateJson', {}, 'encodedTemplateYaml'],
  ['CLASH', 'templateJson', { mode: 'rule' }, 'encodedTemplateYaml'],
  ['SINGBOX', 'encodedTemplateYaml', encode('mode: rule'), 'templateJson'],
  ['XRAY_JSON', 'encodedTemplateYaml', encode('{}'), 'templateJson'],
] as const)('a %s template refuses %s by its name, and no template changes', async (templateType, field, content, other) => {
  const all = () => server.ctx.db.selectFrom('subscriptionTemplates').selectAll().orderBy('templateType').execute()
  const before = await all()
  const body = { templateType, [field]: content }
  const issue = {
    path: [field],
    message: `is not the content of a ${templateType} template, which is in ${other}`,
  }
  expect(await server.send('PUT', '/api/subscription-templates', body)).toMatchObject({
    status: 400,
    body: { errors: [issue] },
  })
  const preview = { userAgent: 'curl', templates: [body] }
  expect(await server.send('POST', '/api/x/subscriptions/preview', preview)).toMatchObject({
    status: 400,
    body: { errors: [{ ...issue, path: ['templates', '0', field] }] },
  })
  expect(await all()).toEqual(before)
})

test('unknown types, lists and YAML that cannot be kept are refused; a token is needed', async () => {
  const put = (body: unknown) => server.send('PUT', '/api/subscription-templates', body)
  expect(await server.send('GET', '/api/subscription-templates/mihomo')).toMatchObject({ status: 400 })
  expect(await put({ templateType: 'SINGBOX', templateJson: [] })).toMatchObject({ status: 400 })
  expect(await put({ templateType: 'CLASH', encodedTemplateYaml: encode('a\0b') })).toMatchObject({ status: 400 })
  expect(await put({ templateType: 'CLASH', encodedTemplateYaml: encode('a'.repeat(250_001)) })).toMatchObject({ status: 400 })
  expect(await put({ templateType: 'SINGBOX', templateJson: { a: 'a'.repeat(250_000) } })).toMatchObject({ status: 400 })
  expect(await put({ templateType: 'SINGBOX', templateJson: { log: { a: '\ud800' } } })).toMatchObject({
    status: 400,
    body: {
      errors: [{ path: ['templateJson'], message: expect.stringMatching(/^cannot be used: log\.a has half a character/) }],
    },
  })
  expect(await put({ templateType: 'CLASH', encodedTemplateYaml: encode('mode: rule\nmode: global') })).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['encodedTemplateYaml'], message: 'cannot be used: The key mode stands twice at line 2' }] },
  })
  expect(await server.send('GET', '/api/subscription-templates/CLASH', undefined, {})).toMatchObject({ status: 401 })
})

test('a template that would make subscriptions too large is refused at the save and in a preview, and the one before stays', async () => {
  const encodedTemplateYaml = encode(`proxies: []\nproxy-groups:\n${'  - name: group\n    type: select\n'.repeat(7000)}`)
  const before = await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })
  const draft = { templateType: 'MIHOMO', encodedTemplateYaml }
  const message = expect.stringMatching(
    /^cannot be used: With 50 servers a subscription would have \d{7,8} characters, and 1000000 are the most\./,
  )
  expect(await server.send('PUT', '/api/subscription-templates', draft)).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['encodedTemplateYaml'], message }] },
  })
  const preview = { userAgent: 'clash-verge', templates: [draft] }
  expect(await server.send('POST', '/api/x/subscriptions/preview', preview)).toMatchObject({
    status: 400,
    body: { errors: [{ path: ['templates', '0'], message }] },
  })
  expect(await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })).toEqual(before)
})

test('the hosts that a subscription shows count, and those that it does not show do not', async () => {
  const { inbounds, uuid } = await server.call(api.createConfigProfile, {
    name: 'trial',
    config: { inbounds: [{ tag: 'TRIAL', port: 443, protocol: 'trojan', settings: { clients: [] } }] },
  })
  const inbound = { configProfileUuid: uuid, configProfileInboundUuid: inbounds[0]?.uuid ?? '' }
  const hosts = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      server.call(api.createHost, { remark: `${index}`.padStart(30, 'h'), address: 'a.example', port: 443, inbound }),
    ),
  )
  const put = () => {
    const encodedTemplateYaml = encode(`proxy-groups:\n${'  - name: g\n'.repeat(400)}`)
    return server.send('PUT', '/api/subscription-templates', { templateType: 'STASH', encodedTemplateYaml })
  }
  expect((await put()).status).toBe(200)
  const { db } = server.ctx
  const remark = 'h'.repeat(100)
  await db.updateTable('hosts').set({ remark }).execute()
  expect(await put()).toMatchObject({ body: { errors: [{ message: expect.stringContaining('With 60 servers') }] } })
  await server.call(api.bulkDisableHosts, { uuids: hosts.slice(0, 30).map((host) => host.uuid) })
  await db.updateTable('hosts').set({ isHidden: true }).where('isDisabled', '=', false).execute()
  expect((await put()).status).toBe(200)
  await db.deleteFrom('hosts').execute()
})

const make = (name: string, templateType: 'MIHOMO' | 'CLASH' | 'XRAY_JSON' = 'CLASH', copyOf?: string) =>
  server.call(api.createSubscriptionTemplate, { name, templateType, ...(copyOf === undefined ? {} : { copyOf }) })
const byUuid = (uuid: string) => server.call(api.getSubscriptionTemplate, { templateType: uuid })

test('XSQ-004 templates of a type have names; the routes by type read and set the default, whichever it is', async () => {
  const first = await server.call(api.getSubscriptionTemplate, { templateType: 'CLASH' })
  expect(first).toMatchObject({ name: 'Default', isDefault: true })
  const made = await make('Games')
  expect(made).toMatchObject({ name: 'Games', isDefault: false, encodedTemplateYaml: first.encodedTemplateYaml })
  const yaml = encode('mode: global')
  await server.call(api.patchSubscriptionTemplate, {
    uuid: made.uuid,
    encodedTemplateYaml: yaml,
    name: 'Play',
    reason: 'new apps',
  })
  expect(await server.call(api.getSubscriptionTemplate, { templateType: 'CLASH' })).toEqual(first)
  expect(await server.call(api.makeTemplateDefault, { uuid: made.uuid })).toMatchObject({ name: 'Play', isDefault: true })
  const next = encode('mode: direct')
  await server.call(api.updateSubscriptionTemplate, { templateType: 'CLASH', encodedTemplateYaml: next })
  expect(await byUuid(made.uuid)).toMatchObject({ name: 'Play', encodedTemplateYaml: next })
  expect(await byUuid(first.uuid)).toEqual({ ...first, isDefault: false })
  const { revisions } = await server.call(api.listTemplateRevisions, { uuid: made.uuid })
  expect(revisions.map(({ number, reason }) => [number, reason])).toEqual([
    [3, null],
    [2, 'new apps'],
    [1, null],
  ])
  await server.call(api.makeTemplateDefault, { uuid: first.uuid })
  const copy = await make('Copy', 'CLASH', made.uuid)
  expect(copy.encodedTemplateYaml).toBe(next)
  expect(await server.call(api.deleteSubscriptionTemplate, { uuid: made.uuid })).toEqual({ isDeleted: true })
  expect((await server.send('GET', `/api/subscription-templates/${made.uuid}`)).status).toBe(404)
  expect(await byUuid(copy.uuid)).toEqual(copy)
})

test('XSQ-004 a name is taken once for each type, Default is not given or lost, and the default of a type is not deleted', async () => {
  const { uuid, ...fields } = await server.call(api.getSubscriptionTemplate, { templateType: 'MIHOMO' })
  const made = await make('Taken')
  await make('Taken', 'MIHOMO')
  const create = (body: object) => server.send('POST', '/api/subscription-templates', { templateType: 'CLASH', ...body })
  const rename = (of: string, name: string) => server.send('PATCH', '/api/subscription-templates', { uuid: of, name })
  const codeOf = ({ status, body }: { status: number; body: unknown }) => [status, (body as { errorCode?: string }).errorCode] // as errors are
  expect(codeOf(await create({ name: 'Taken' }))).toEqual([400, 'A176'])
  expect(codeOf(await create({ name: 'Default' }))).toEqual([400, 'A172'])
  expect(codeOf(await create({ name: 'Plain', templateType: 'XRAY_BASE64' }))).toEqual([400, 'A180'])
  expect(await create({ name: 'Copy', copyOf: uuid })).toMatchObject({ status: 400, body: { errors: [{ path: ['copyOf'] }] } })
  expect(await create({ name: 'üü' })).toMatchObject({ status: 400, body: { errors: [{ path: ['name'] }] } })
  expect(codeOf(await rename(uuid, 'Other'))).toEqual([400, 'A172'])
  expect(codeOf(await rename(made.uuid, 'Default'))).toEqual([400, 'A172'])
  expect(codeOf(await server.send('DELETE', `/api/subscription-templates/${uuid}`))).toEqual([400, 'A178'])
  expect(await byUuid(uuid)).toEqual({ uuid, ...fields })
  expect(await byUuid(made.uuid)).toEqual(made)
})
