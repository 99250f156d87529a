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
    .select('target')
    .where('action', '=', 'updateSubscriptionTemplate')
    .execute()
  expect(audit.map((row) => row.target)).toEqual(['MIHOMO', 'SINGBOX'])
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
