import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@causeway/contract'
import { defaultPage } from '@causeway/subscription'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { makeUser } from '../../../test/users.ts'
import { pageLanguage, pagePlatform } from './page.rules.ts'

const PAGE = '/api/x/subscription-page'
const BROWSER = { accept: 'text/html,application/xhtml+xml', 'user-agent': 'Mozilla/5.0 (Linux; Android 15) Chrome/140' }
let server: TestServer
let website: Server
let origin: string
beforeAll(async () => {
  website = createServer((request, response) => {
    if (request.url === '/page.json') return void response.end(JSON.stringify(defaultPage))
    if (request.url === '/large') return void response.end(`"${'x'.repeat(2_000_000)}"`)
    response.writeHead(request.url === '/html' ? 200 : 404).end('<html>')
  })
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  const { port } = website.address() as AddressInfo // a TCP server has one
  origin = `http://localhost:${port}`
  server = await testServer({ env: { SUB_PUBLIC_DOMAIN: 'sub.example.com', OUTGOING_PRIVATE_HOSTS: 'localhost' } })
})
afterAll(async () => {
  await server.close()
  website.close()
})
beforeEach(async () => {
  await server.ctx.db.deleteFrom('subscriptionPages').execute()
})

const renamed = (name: string): api.PageConfig => ({
  ...defaultPage,
  android: defaultPage.android.map((app) => ({ ...app, name })),
})
const open = async (query = '', headers: Record<string, string> = BROWSER) => {
  const user = await makeUser(server)
  return { user, ...(await server.send('GET', `/api/sub/${user.shortUuid}${query}`, undefined, headers)) }
}

describe('what subscribers see', () => {
  test('a browser gets a light page that may run and fetch nothing; client apps get what they always got', async () => {
    const { user, status, body, headers } = await open()
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(String(headers['content-security-policy'])).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/)
    expect(String(headers['content-security-policy'])).not.toContain('unsafe')
    expect(headers['cache-control']).toBe('private, no-store')
    expect(body).toContain(user.username)
    expect(body).toContain(`https://sub.example.com/${user.shortUuid}`)
    expect(body).toContain('v2rayNG')
    expect(Buffer.byteLength(String(body))).toBeLessThan(60_000)
    const app = await server.send('GET', `/api/sub/${user.shortUuid}`, undefined, { 'user-agent': 'v2rayNG/1.9', accept: '*/*' })
    expect(app.headers['content-type']).toContain('text/plain')
    expect(app.headers).toHaveProperty('subscription-userinfo')
  })

  test('the page has the accent of the installation, and its policy knows that style sheet alone', async () => {
    const seen = async () => {
      const { body, headers } = await open()
      const style = /<style>([^<]*)<\/style>/.exec(String(body))?.[1] ?? ''
      const hash = createHash('sha256').update(style).digest('base64')
      expect(String(headers['content-security-policy'])).toContain(`style-src 'sha256-${hash}';`)
      return style
    }
    const own = await seen()
    await server.call(api.updateInstallation, { accent: '#8b5cf6' })
    expect(await seen()).toBe(`${own}${api.accentStyleOfPage('#8b5cf6')}`)
    const preview = await server.call(api.previewSubscriptionPage, { config: defaultPage, language: 'en', platform: 'ios' })
    expect(preview.html).toContain(api.accentStyleOfPage('#8b5cf6'))
    await server.call(api.updateInstallation, { accent: null })
    expect(await seen()).toBe(own)
  })

  test('days left are those of the calendar of the installation: a month sold now is not 29 days', async () => {
    await server.call(api.updateInstallation, { timeZone: 'Asia/Tehran' })
    const user = await makeUser(server, { expireAt: '2027-12-23T15:00:00.000Z' })
    const at = async (now: string) => {
      server.clock.now = new Date(now)
      const { body } = await server.send('GET', `/api/sub/${user.shortUuid}`, undefined, BROWSER)
      return /<small>([^<]* left)<\/small>/.exec(String(body))?.[1]
    }
    expect(await at('2027-11-23T15:00:03.000Z')).toBe('30 days left')
    expect(await at('2027-12-22T20:29:00.000Z')).toBe('1 day left') // 23:59 of the 22nd there
    expect(await at('2027-12-22T20:30:00.000Z')).toBe('0 days left')
    expect(await at('2027-12-23T15:00:00.000Z')).toBeUndefined()
    server.clock.now = undefined
  })

  test('the language is the browser’s or that of the address, the apps are those of its device', async () => {
    expect((await open('', { ...BROWSER, 'accept-language': 'fa-IR,fa;q=0.9' })).body).toContain('<html lang="fa" dir="rtl">')
    const iphone = await open('?lang=ru&os=ios')
    expect(iphone.body).toContain('<html lang="ru" dir="ltr">')
    expect(iphone.body).toContain('Streisand')
    expect((await open('?lang=<script>&os=x')).body).not.toContain('<script>')
  })

  test.each([
    [undefined, 'de-DE,ru;q=0.8', 'ru'],
    ['fa', 'ru', 'fa'],
    ['de', undefined, 'en'],
    [['ru'], '', 'en'],
  ])('language %j, %j: %s', (asked, accepted, language) => expect(pageLanguage(asked, accepted)).toBe(language))
  test.each([
    [undefined, 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0)', 'ios'],
    [undefined, 'Mozilla/5.0 (Linux; Android 15)', 'android'],
    [undefined, 'Mozilla/5.0 (X11; Linux x86_64)', 'pc'],
    ['ios', 'Android', 'ios'],
  ])('device %j, %s: %s', (asked, agent, platform) => expect(pagePlatform(asked, agent)).toBe(platform))
})

describe('publishing', () => {
  test('a published page takes the place of the product’s own, and is noted', async () => {
    expect(await server.call(api.getSubscriptionPage, {})).toEqual({ config: defaultPage, isPublished: false, publishedAt: null })
    const published = await server.call(api.publishSubscriptionPage, { config: renamed('Renamed app'), basedOn: null })
    expect(published).toMatchObject({ isPublished: true, config: renamed('Renamed app') })
    expect(await server.call(api.getSubscriptionPage, {})).toEqual(published)
    expect((await open()).body).toContain('Renamed app')
    const row = await server.ctx.db
      .selectFrom('auditLog')
      .select('after')
      .where('action', '=', 'publishSubscriptionPage')
      .executeTakeFirst()
    expect(JSON.stringify(row?.after)).toContain('Renamed app')
  })

  test('of two administrators who began with the same page the second is told, and overwrites nothing', async () => {
    const both = ['one', 'two'].map((name) => server.send('PUT', PAGE, { config: renamed(name), basedOn: null }))
    const replies = await Promise.all(both)
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]))
    const { publishedAt } = await server.call(api.getSubscriptionPage, {})
    await server.call(api.publishSubscriptionPage, { config: renamed('three'), basedOn: publishedAt })
  })

  test('what cannot be used is refused with its places, what is too heavy with its weight; nothing is stored', async () => {
    const bad = await server.send('PUT', PAGE, { config: { ios: [{}], android: [] }, basedOn: null })
    expect(bad).toMatchObject({ status: 400, body: { message: expect.stringContaining('config.ios[0].id: must be a string') } })
    const [app] = defaultPage.ios
    const long = { en: 'x'.repeat(1900), fa: 'ش'.repeat(1900), ru: 'ж'.repeat(1900) }
    const heavy = Array.from({ length: 20 }, (_, index) => ({
      ...app,
      id: `app-${index}`,
      connectAndUseStep: { description: long },
    }))
    const refused = await server.send('PUT', PAGE, { config: { ...defaultPage, ios: heavy }, basedOn: null })
    expect(refused).toMatchObject({ status: 400, body: { message: expect.stringMatching(/must stay under 60 kB/) } })
    const huge = await server.send('PUT', PAGE, { config: 'x'.repeat(5_000_000), basedOn: null })
    expect(huge.status).toBe(413)
    expect(await server.call(api.getSubscriptionPage, {})).toMatchObject({ isPublished: false })
  })
})

test('a preview is the page itself, of somebody who does not exist', async () => {
  const { html, bytes } = await server.call(api.previewSubscriptionPage, {
    config: renamed('Seen'),
    language: 'fa',
    platform: 'android',
  })
  expect(html).toContain('<html lang="fa" dir="rtl">')
  expect(html).toContain('Seen')
  expect(bytes).toBe(Buffer.byteLength(html))
  const bad = await server.send('POST', `${PAGE}/preview`, { config: {}, language: 'en', platform: 'pc' })
  expect(bad).toMatchObject({ status: 400, body: { message: expect.stringContaining('config.ios: must be an array') } })
})

describe('loading', () => {
  test('SPB-044 gives the product’s own page, or what an address holds', async () => {
    expect(await server.call(api.fetchSubscriptionPage, { url: null })).toEqual({ config: defaultPage })
    expect(await server.call(api.fetchSubscriptionPage, { url: `${origin}/page.json` })).toEqual({ config: defaultPage })
  })

  test('says so where there is no JSON, too much of it, nothing, or the network of the server', async () => {
    const refusal = { status: 400, body: { message: 'No configuration could be loaded from this address.' } }
    for (const url of [
      `${origin}/missing`,
      `${origin}/html`,
      `${origin}/large`,
      origin.replace('localhost', '127.0.0.1'),
      'file:///etc/passwd',
    ])
      expect(await server.send('POST', `${PAGE}/fetch`, { url })).toMatchObject(refusal)
  })
})
