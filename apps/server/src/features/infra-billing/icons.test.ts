import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as api from '@causeway/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { refused, UNKNOWN } from '../../../test/users.ts'

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const asked: string[] = []
let website: Server
let origin: string
let trusting: TestServer
beforeAll(async () => {
  website = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (request.url === '/moved.png') return void response.writeHead(301, { location: '/icon.png' }).end()
    if (request.url === '/inwards.png')
      return void response.writeHead(302, { location: origin.replace('localhost', '127.0.0.1') }).end()
    if (request.url === '/large.png') return void response.end(Buffer.concat([PNG, Buffer.alloc(100_000)]))
    if (request.url === '/page')
      return void response.writeHead(200, { 'content-type': 'image/png' }).end('<script>alert(1)</script>')
    response.writeHead(request.url?.endsWith('.png') ? 200 : 404).end(PNG)
  })
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve))
  const { port } = website.address() as AddressInfo // a TCP server has one
  origin = `http://localhost:${port}`
  trusting = await testServer({ env: { OUTGOING_PRIVATE_HOSTS: 'localhost' } })
})
afterAll(async () => {
  await trusting.close()
  website.close()
})
afterEach(() => asked.splice(0))

let count = 0
async function iconOf(server: TestServer, faviconLink?: string): Promise<string | null> {
  const { uuid } = await server.call(api.createInfraProvider, {
    name: `Provider ${count++}`,
    ...(faviconLink ? { faviconLink } : {}),
  })
  return (await server.call(api.getInfraProviderIcon, { uuid })).icon
}

describe('icons of providers', () => {
  test('are fetched by the server, over redirects, once for all that look', async () => {
    const icon = `data:image/png;base64,${PNG.toString('base64')}`
    expect(await iconOf(trusting, `${origin}/moved.png`)).toBe(icon)
    const together = await Promise.all([1, 2, 3].map(() => iconOf(trusting, `${origin}/icon.png`)))
    expect(together).toEqual([icon, icon, icon])
    expect(asked).toEqual(['/moved.png', '/icon.png', '/icon.png'])
  })

  test('are none where there is no link, no picture, too large a one or an inner address behind a redirect', async () => {
    expect(await iconOf(trusting)).toBeNull()
    for (const path of ['/missing', '/page', '/large.png', '/inwards.png'])
      expect(await iconOf(trusting, origin + path)).toBeNull()
    expect(asked).toEqual(['/missing', '/page', '/large.png', '/inwards.png'])
    expect(await refused(trusting, 'GET', `/api/x/infra-billing/providers/${UNKNOWN}/icon`)).toEqual([404, 'A128'])
  })

  test('are not fetched from the network of the server', async () => {
    const strict = await testServer()
    for (const link of [`${origin}/icon.png`, `${origin}/icon.png`.replace('localhost', '127.0.0.1'), 'http://[::1]/icon.png'])
      expect(await iconOf(strict, link)).toBeNull()
    expect(asked).toEqual([])
    await strict.close()
  })
})
