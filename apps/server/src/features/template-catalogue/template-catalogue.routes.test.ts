import * as api from '@causeway/contract'
import { afterEach, expect, test } from 'vitest'
import { startOutside, type Outside } from '../../../test/outside.ts'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer | undefined
let outside: Outside | undefined
afterEach(async () => {
  await server?.close()
  outside?.close()
  outside = undefined
})

async function startService(answers: Record<string, string>): Promise<Outside> {
  return (outside = await startOutside(answers))
}

test('without a catalogue outside, at least three templates of each type come with the server, and can be saved', async () => {
  server = await testServer()
  const { entries, outside } = await server.call(api.listTemplateCatalogue, { kind: 'SUBSCRIPTION' })
  expect(outside).toBe('off')
  for (const templateType of api.templateType.options) {
    const own = entries.filter(({ type }) => type === templateType)
    expect(own.length).toBeGreaterThanOrEqual(3)
    for (const { url } of own) {
      const { text } = await server.call(api.readTemplateCatalogue, { kind: 'SUBSCRIPTION', url })
      const content = text.startsWith('{')
        ? { templateJson: JSON.parse(text) as Record<string, unknown> } // shipped ones are objects
        : { encodedTemplateYaml: Buffer.from(text).toString('base64') }
      await server.call(api.updateSubscriptionTemplate, { templateType, ...content })
    }
  }
})

test('profiles have secrets of their own each time they are read, and pass the check of profiles', async () => {
  server = await testServer()
  const { entries } = await server.call(api.listTemplateCatalogue, { kind: 'XRAY_CORE' })
  expect(entries.length).toBeGreaterThanOrEqual(3)
  for (const [index, { url, type }] of entries.entries()) {
    expect(type).toBe('XRAY_CORE')
    const one = await server.call(api.readTemplateCatalogue, { kind: 'XRAY_CORE', url })
    const other = await server.call(api.readTemplateCatalogue, { kind: 'XRAY_CORE', url })
    expect(one.text).not.toBe(other.text)
    await server.call(api.createConfigProfile, {
      name: `shipped-${index}`,
      config: JSON.parse(one.text) as Record<string, unknown>, // shipped ones are objects
    })
  }
})

test('TMPL-046: both catalogues are read through the server, once an hour; what is broken or of another editor is left out', async () => {
  const mine = { name: 'Mine', author: 'somebody', type: 'CLASH', url: 'files/mine.yaml' }
  const { url, asked } = await startService({
    '/list.json': JSON.stringify([
      mine,
      { ...mine, type: 'XRAY_CORE' },
      { ...mine, url: 'file:///etc/passwd' },
      { name: 'broken' },
      7,
    ]),
    '/core.json': JSON.stringify({ templates: [{ ...mine, type: 'XRAY_CORE', url: '/core/mine.json' }, mine] }),
    '/files/mine.yaml': 'mode: rule\n',
  })
  server = await testServer({ env: { TEMPLATE_CATALOGUE_URL: `${url}/list.json`, PROFILE_CATALOGUE_URL: `${url}/core.json` } })
  const list = (kind: api.CatalogueKind) => server!.call(api.listTemplateCatalogue, { kind }) // made above
  const { entries, outside } = await list('SUBSCRIPTION')
  expect(outside).toBe('loaded')
  expect(entries.filter(({ isOfficial }) => !isOfficial)).toEqual([{ ...mine, url: `${url}/files/mine.yaml`, isOfficial: false }])
  expect((await list('XRAY_CORE')).entries.filter(({ isOfficial }) => !isOfficial)).toMatchObject([
    { url: `${url}/core/mine.json` },
  ])
  await list('SUBSCRIPTION')
  expect(asked.toSorted()).toEqual(['/core.json', '/list.json'])
  const input = { kind: 'SUBSCRIPTION', url: `${url}/files/mine.yaml` } as const
  expect(await server.call(api.readTemplateCatalogue, input)).toEqual({ text: 'mode: rule\n' })
})

test('a catalogue that fails is said to, and leaves what comes with the server', async () => {
  const { url } = await startService({ '/text.json': 'no list' })
  for (const address of [`${url}/text.json`, `${url}/nowhere.json`, 'http://127.0.0.1:1/closed.json']) {
    server = await testServer({ env: { TEMPLATE_CATALOGUE_URL: address } })
    const { entries, outside } = await server.call(api.listTemplateCatalogue, { kind: 'SUBSCRIPTION' })
    expect(outside).toBe('failed')
    expect(entries.every(({ isOfficial }) => isOfficial)).toBe(true)
    await server.close()
  }
})

test('only what a catalogue names is fetched, never from this machine unless the operator allows it, and a loss is told', async () => {
  const inside = await startService({})
  const entry = { name: 'a', author: 'b', type: 'CLASH' }
  const hidden = inside.url.replace('127.0.0.1', 'localhost')
  const list = JSON.stringify([
    { ...entry, url: '/gone.yaml' },
    { ...entry, url: `${hidden}/secret` },
  ])
  outside?.close()
  const { url, asked } = await startService({ '/list.json': list, '/unnamed.yaml': 'mode: rule' })
  server = await testServer({ env: { TEMPLATE_CATALOGUE_URL: `${url}/list.json` } })
  const read = (address: string, kind = 'SUBSCRIPTION') =>
    server!.send('GET', `/api/x/template-catalogue/${kind}/text?url=${encodeURIComponent(address)}`) // made above
  expect(await read(`${url}/unnamed.yaml`)).toMatchObject({ status: 404 })
  expect(await read('shipped:CLASH/plain', 'XRAY_CORE')).toMatchObject({ status: 404 })
  expect(await read(`${url}/gone.yaml`)).toMatchObject({ status: 400 })
  expect(await read(`${hidden}/secret`)).toMatchObject({ status: 400 })
  expect(asked.toSorted()).toEqual(['/gone.yaml', '/list.json'])
  expect(await server.send('GET', '/api/x/template-catalogue/SUBSCRIPTION', undefined, {})).toMatchObject({ status: 401 })
})
