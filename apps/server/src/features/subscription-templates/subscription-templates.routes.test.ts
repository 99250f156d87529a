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

test('absent and empty content, and content of the other kind, change nothing', async () => {
  const before = await server.call(api.getSubscriptionTemplate, { templateType: 'STASH' })
  expect(await server.call(api.updateSubscriptionTemplate, { templateType: 'STASH' })).toEqual(before)
  expect(await server.call(api.updateSubscriptionTemplate, { templateType: 'STASH', encodedTemplateYaml: '' })).toEqual(before)
  expect(await server.call(api.updateSubscriptionTemplate, { templateType: 'STASH', templateJson: { a: 1 } })).toEqual(before)
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
