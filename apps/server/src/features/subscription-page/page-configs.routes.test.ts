import * as api from '@causeway/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
let member: api.User
let bystander: api.User
beforeAll(async () => {
  server = await testServer()
  const expireAt = '2099-01-01T00:00:00.000Z'
  const { uuid: externalSquadUuid } = await server.call(api.createExternalSquad, { name: 'Gold' })
  member = await server.call(api.createUser, { username: 'member', expireAt, externalSquadUuid })
  bystander = await server.call(api.createUser, { username: 'bystander', expireAt })
})
afterAll(() => server.close())

const say = (en: string, de: string) => ({ en, de })
/** In the form of later page programs, with members that this product does not know. */
const config = {
  zeta: { kept: [1, 2.5, null] },
  version: '1',
  locales: ['en', 'de'],
  brandingSettings: { title: 'Gold service', logoUrl: 'https://a.example/logo.svg', supportUrl: 'https://t.me/gold' },
  uiConfig: { subscriptionInfoBlockType: 'expanded', installationGuidesBlockType: 'timeline', more: true },
  baseSettings: { hideGetLinkButton: false },
  baseTranslations: { getLink: say('Get link', 'Link holen') },
  svgLibrary: { dot: '<svg onload="alert(1)"/>' },
  platforms: {
    appleTV: {
      displayName: say('TV', 'Fernseher'),
      svgIconKey: 'dot',
      apps: [
        {
          name: 'Flow <b>',
          featured: true,
          blocks: [1, 2, 3, 4].map((number) => ({
            svgIconKey: 'dot',
            svgIconColor: 'cyan',
            title: say(`Step ${number}`, `Schritt ${number}`),
            description: say('For {{USERNAME}}', 'Für {{USERNAME}}'),
            buttons: [
              { link: 'flow://add/{{SUBSCRIPTION_LINK}}', type: 'subscriptionLink', text: say('Add', 'Dazu'), svgIconKey: 'dot' },
              { link: 'https://store.example', type: 'external', text: say('Store', 'Laden'), svgIconKey: 'dot' },
            ],
          })),
        },
      ],
    },
  },
}

const pageOf = async (user: api.User, more: Record<string, string> = {}) => {
  const headers = { accept: 'text/html', 'user-agent': 'Mozilla/5.0 (AppleTV)', ...more }
  const reply = await server.app.inject({ url: `/api/sub/${user.shortUuid}`, headers })
  return { policy: String(reply.headers['content-security-policy']), html: reply.body }
}
const edit = (uuid: string, change: unknown) =>
  server.send('PATCH', '/api/subscription-page-configs', { uuid, ...(change as object) }) // any body

test('XSQ-005 a configuration is kept without loss, shown to members of its squad, and to no one else', async () => {
  const before = await pageOf(bystander)
  const { uuid } = await server.call(api.createPageConfig, { name: 'Gold page' })
  await edit(uuid, { config })
  const kept = await server.call(api.getPageConfig, { uuid })
  expect(JSON.stringify(kept.config)).toBe(JSON.stringify(config))
  await server.call(api.updateExternalSquad, { uuid: member.externalSquadUuid ?? '', subpageConfigUuid: uuid })
  await expect.poll(async () => (await pageOf(member)).html).toContain('Gold service')
  const { html, policy } = await pageOf(member)
  for (const part of ['Step 4', 'For member', 'Flow &lt;b&gt;', 'href="https://t.me/gold"', `flow://add/http`])
    expect(html).toContain(part)
  expect(html).not.toMatch(/<script|onload|logo\.svg/)
  expect(policy).toContain("default-src 'none'")
  expect((await pageOf(member, { 'accept-language': 'de-AT,en;q=0.5' })).html).toContain('Schritt 1')
  expect((await pageOf(bystander)).html).toBe(before.html)
  const asked = async (user: api.User) =>
    (
      await server.send('GET', `/api/subscriptions/subpage-config/${user.shortUuid}`, {
        requestHeaders: { accept: 'text/html' },
      })
    ).body
  expect(await asked(member)).toEqual({ response: { subpageConfigUuid: uuid, webpageAllowed: true } })
  expect(await asked(bystander)).toEqual({ response: { subpageConfigUuid: null, webpageAllowed: true } })
})

test('XSQ-005 the default is that of the builder until it is changed, cannot be deleted, and goes back to the builder', async () => {
  const { config: own } = await server.call(api.getPageConfig, { uuid: api.DEFAULT_PAGE_CONFIG })
  const before = (await pageOf(bystander)).html
  expect(await server.send('DELETE', `/api/subscription-page-configs/${api.DEFAULT_PAGE_CONFIG}`)).toMatchObject({
    status: 400,
    body: { errorCode: 'A212' },
  })
  expect((await edit(api.DEFAULT_PAGE_CONFIG, { name: 'Other' })).status).toBe(400)
  await edit(api.DEFAULT_PAGE_CONFIG, { config })
  expect((await pageOf(bystander)).html).toContain('Step 4')
  const clone = await server.call(api.clonePageConfig, { cloneFromUuid: api.DEFAULT_PAGE_CONFIG })
  expect([clone.name, clone.config]).toEqual(['Default 2', config])
  await edit(api.DEFAULT_PAGE_CONFIG, { config: null })
  expect((await pageOf(bystander)).html).toBe(before)
  expect(await server.call(api.getPageConfig, { uuid: api.DEFAULT_PAGE_CONFIG })).toMatchObject({ config: own })
  expect(await server.call(api.getPageConfig, { uuid: clone.uuid })).toEqual(clone)
})

test('XSQ-005 what is wrong is named by its place, and nothing is stored', async () => {
  const { uuid, config: before } = await server.call(api.createPageConfig, { name: 'Wrong' })
  const harmful = structuredClone(config)
  const button = harmful.platforms.appleTV.apps[0]?.blocks[1]?.buttons[0]
  if (button) button.link = 'javascript:alert(1)'
  for (const [change, sentence] of [
    [{ ...config, version: '2' }, 'config.version: must be "1"'],
    [harmful, 'config.platforms.appleTV.apps[0].blocks[1].buttons[0].link: must not be a link that a browser runs'],
    [null, 'config'],
    [{ ...config, locales: [] }, 'config.locales: must name a language'],
  ] as const)
    expect(await edit(uuid, { config: change })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining(sentence) },
    })
  expect((await server.call(api.getPageConfig, { uuid })).config).toEqual(before)
  expect(await server.send('POST', '/api/subscription-page-configs', { name: 'Wrong' })).toMatchObject({
    status: 400,
    body: { errorCode: 'A210' },
  })
})
