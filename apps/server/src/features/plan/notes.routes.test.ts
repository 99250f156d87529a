import { afterAll, beforeAll, expect, it } from 'vitest'
import * as api from '@causeway/contract'
import { testServer, type TestServer } from '../../../test/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await testServer()
})
afterAll(() => server.close())

const vmess = (tag: string, port: number) => ({ tag, port, protocol: 'vmess', settings: { clients: [] } })

it('a plan says what to know of the inbounds that a save adds or changes, and nothing of the others', async () => {
  const old = vmess('OLDER', 7002)
  const { uuid } = await server.call(api.createConfigProfile, { name: 'noted', config: { inbounds: [old] } })
  const { notes } = await server.call(api.planChange, {
    saveProfile: { uuid, config: { inbounds: [old, vmess('NEWER', 7003)] } },
  })
  expect(notes).toEqual([expect.stringMatching(/"NEWER".*agent of the 2\.1 generation/)])
})
