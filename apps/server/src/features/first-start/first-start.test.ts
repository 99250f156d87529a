import { afterAll, beforeAll, expect, test } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'
import { seedFirstStart } from './first-start.actions.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer({ register: false })
})
afterAll(() => server.close())

test('a new panel has VLESS with REALITY first, Shadowsocks, and one squad with both, however many servers start at once', async () => {
  await Promise.all([seedFirstStart(server.ctx), seedFirstStart(server.ctx), seedFirstStart(server.ctx)])
  const profiles = await server.ctx.db
    .selectFrom('configProfiles')
    .select(['name', 'id', 'config'])
    .orderBy('viewPosition')
    .execute()
  expect(profiles.map((profile) => profile.name)).toEqual(['VLESS-REALITY', 'Default-Profile'])
  for (const { config } of profiles) expect(JSON.stringify(config)).toContain('"outboundTag":"BLOCK"')
  const links = await server.ctx.db
    .selectFrom('internalSquadInbounds')
    .innerJoin('internalSquads', 'internalSquads.id', 'squadId')
    .innerJoin('configProfileInbounds', 'configProfileInbounds.id', 'inboundId')
    .orderBy('tag')
    .select(['internalSquads.name', 'tag', 'port', 'type'])
    .execute()
  expect(links).toEqual([
    { name: 'Default-Squad', tag: 'Shadowsocks', port: 1234, type: 'shadowsocks' },
    { name: 'Default-Squad', tag: expect.stringMatching(/^VLESS_REALITY_\d+$/), port: 443, type: 'vless' },
  ])
})

test('what the administrator deleted does not come back', async () => {
  const reply = await server.send('POST', '/api/auth/register', { username: 'admin', password: 'Correct4horse' })
  const { response } = reply.body as { response: { accessToken: string } } // the contract's reply of register
  server.admin['authorization'] = `Bearer ${response.accessToken}`
  const { configProfiles } = await server.call(api.listConfigProfiles, {})
  for (const { uuid } of configProfiles) await server.call(api.deleteConfigProfile, { uuid })
  await seedFirstStart(server.ctx)
  expect((await server.call(api.listConfigProfiles, {})).total).toBe(0)
})
