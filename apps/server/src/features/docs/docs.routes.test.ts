import * as contract from '@causeway/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { openApiDocument } from './openapi.rules.ts'

interface Operation {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; required: boolean; schema?: object; content?: object }[]
  requestBody?: { required: boolean; content: Record<string, { schema: { required?: string[] } }> }
  responses: Record<string, object>
}
// The shape that OpenAPI gives a document; the test below holds the rest against the contract.
const document = openApiDocument('1.0.0') as {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: object }
}
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))
const find = (id: string) => operations.find(({ operationId }) => operationId === id)

describe('the OpenAPI document', () => {
  test('WIRE-018 describes every endpoint of the contract, each once, and since which version', () => {
    const exported: unknown[] = Object.values(contract)
    const pending = contract.pending.map(({ endpoint }) => endpoint.name)
    const names = exported.flatMap((value) =>
      typeof value === 'object' && value && 'access' in value && 'name' in value ? [String(value.name)] : [],
    )
    expect(document.openapi).toBe('3.1.0')
    expect(operations.map(({ operationId }) => operationId).toSorted()).toEqual([...names, ...pending].toSorted())
    expect(find('streamUsers')).toMatchObject({ 'x-since': '2.8' })
    expect(find('createView')).toMatchObject({ 'x-since': 'own' })
    expect(JSON.stringify(document.components.schemas)).toContain('"x-since":"2.3"')
  })
  test('refers only to schemas that it has', () => {
    const wanted = [...JSON.stringify(document).matchAll(/"#\/([^"]+)"/g)].map(([, ref = '']) => ref)
    expect(wanted.length).toBeGreaterThan(100)
    const missing = wanted.filter((ref) => !(ref.replace('components/schemas/', '') in document.components.schemas))
    expect(missing).toEqual([])
  })
  test('describes every property that it says is required', () => {
    const gaps: string[] = []
    const look = (node: unknown, place: string): void => {
      if (typeof node !== 'object' || node === null) return
      const { required, properties } = node as { required?: unknown; properties?: object }
      if (Array.isArray(required) && properties)
        for (const name of required) if (!Object.hasOwn(properties, String(name))) gaps.push(`${place}.${String(name)}`)
      for (const [key, value] of Object.entries(node)) look(value, `${place}.${key}`)
    }
    look(document, '')
    expect(gaps).toEqual([])
  })
  test('says what is required, what is JSON text in the query, and who may call', () => {
    expect(find('createUser')?.requestBody?.content['application/json']?.schema.required).toEqual(['username', 'expireAt'])
    expect(find('revokeUserSubscription')?.requestBody?.required).toBe(false)
    const keys = (name: string) =>
      find(name)
        ?.parameters.filter((one) => one.in === 'header')
        .map((one) => one.name)
    expect([keys('createUser'), keys('updateUser')]).toEqual([['Idempotency-Key'], []])
    const query = find('listUsers')?.parameters ?? []
    expect(query.find(({ name }) => name === 'filters')).toMatchObject({ in: 'query', required: false, content: {} })
    expect(query.find(({ name }) => name === 'size')).toMatchObject({ schema: { minimum: 1, maximum: 1000 } })
    expect(find('getUserUsage')?.parameters.map(({ name, required }) => [name, required])).toEqual([
      ['uuid', true],
      ['start', true],
      ['end', true],
    ])
    expect(find('login')?.security).toEqual([])
    expect(find('listApiTokens')?.security).toEqual([{ session: [], client: [] }])
    expect(Object.keys(find('createUser')?.responses ?? {})).toContain('201')
  })
})

describe('the documentation pages', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await testServer({
      env: { IS_DOCS_ENABLED: 'true', SWAGGER_PATH: '/handbook', SCALAR_PATH: '/reference' },
      register: false,
    })
  })
  afterAll(() => server.close())

  test.each(['/handbook', '/reference'])('%s is a page that runs only files of this server', async (url) => {
    let reply = await server.send('GET', url)
    if (reply.status === 302)
      reply = await server.send('GET', new URL(String(reply.headers['location']), `http://x${url}`).pathname)
    expect(reply).toMatchObject({ status: 200, headers: { 'content-type': expect.stringContaining('text/html') } })
    const page = String(reply.body)
    expect(page).not.toMatch(/<script(?![^>]*src)[^>]*>|https?:\/\//)
    for (const [, src = ''] of page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)) {
      const file = await server.send('GET', new URL(src, `http://x${url}/`).pathname)
      expect(`${src} ${file.status}`).toBe(`${src} 200`)
    }
  })
  test('the document is served as JSON and YAML', async () => {
    expect(await server.send('GET', '/handbook-json')).toMatchObject({ status: 200, body: { openapi: '3.1.0' } })
    const yaml = await server.send('GET', '/handbook-yaml')
    expect(yaml).toMatchObject({ status: 200, headers: { 'content-type': 'application/yaml; charset=utf-8' } })
    expect(String(yaml.body)).toMatch(/^openapi: 3\.1\.0/)
  })
})

test('without IS_DOCS_ENABLED there are none', async () => {
  const server = await testServer({ register: false })
  for (const url of ['/docs', '/docs-json', '/scalar']) expect((await server.send('GET', url)).status).toBe(404)
  await server.close()
})
