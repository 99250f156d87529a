import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { isPrivateAddress, requestOutside } from './outgoing.ts'

let server: Server
let base: string
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/slow') return
    if (request.url === '/redirect') return void response.writeHead(302, { location: '/' }).end()
    if (request.url === '/circle') return void response.writeHead(302, { location: '/circle' }).end('circle')
    if (request.url === '/inwards')
      return void response.writeHead(302, { location: base.replace('localhost', '127.0.0.1') }).end()
    if (request.url === '/file') return void response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    response.end(request.url === '/large' ? 'x'.repeat(5000) : 'hello')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a TCP server has one
  base = `http://localhost:${port}`
})
afterAll(() => server.close())

const allowedPrivateHosts = ['localhost']

test('the network of the server is out of reach, by name and by address', async () => {
  await expect(requestOutside(base)).rejects.toThrow('private network')
  await expect(requestOutside(base.replace('localhost', '127.0.0.1'))).rejects.toThrow('private network')
  await expect(requestOutside(base.replace('localhost', '[::1]'))).rejects.toThrow('private network')
  await expect(requestOutside('file:///etc/passwd')).rejects.toThrow('Only http and https')
})
test('so is this machine by an address that it shows to the world', async () => {
  const shown = {
    address: '203.0.113.7',
    netmask: '255.255.255.0',
    family: 'IPv4',
    mac: '',
    internal: false,
    cidr: null,
  } as const
  vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: [shown] })
  await expect(requestOutside('http://203.0.113.7:5432')).rejects.toThrow('is this machine')
  await expect(requestOutside('http://[::ffff:203.0.113.7]:5432')).rejects.toThrow('is this machine')
  vi.restoreAllMocks()
})
test('a host that the operator named is reached', async () => {
  expect((await requestOutside(base, { allowedPrivateHosts })).body.toString()).toBe('hello')
})
test('redirects are not followed, as they could lead anywhere', async () => {
  expect((await requestOutside(`${base}/redirect`, { allowedPrivateHosts })).status).toBe(302)
})
test('redirects are followed where that is asked for, a few of them, and each through the same checks', async () => {
  const follow = { allowedPrivateHosts, maxRedirects: 3 }
  expect((await requestOutside(`${base}/redirect`, follow)).body.toString()).toBe('hello')
  expect(await requestOutside(`${base}/circle`, follow)).toMatchObject({ status: 302 })
  await expect(requestOutside(`${base}/inwards`, follow)).rejects.toThrow('private network')
  await expect(requestOutside(`${base}/file`, follow)).rejects.toThrow('Only http and https')
})
test('an answer may neither be endless nor take for ever', async () => {
  await expect(requestOutside(`${base}/large`, { allowedPrivateHosts, maxBytes: 1000 })).rejects.toThrow('max size')
  await expect(requestOutside(`${base}/slow`, { allowedPrivateHosts, timeoutMs: 100 })).rejects.toThrow(/timeout/i)
})

describe('private addresses', () => {
  test.each([
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
    '::1',
    'fd00::1',
    'fe80::1',
    '::ffff:10.0.0.1',
    '2002:a00:1::1',
    '64:ff9b:1::a00:1',
    'fec0::1',
  ])('%s is one', (address) => expect(isPrivateAddress(address)).toBe(true))
  test.each(['8.8.8.8', '172.32.0.1', '2606:4700::1111'])('%s is none', (address) =>
    expect(isPrivateAddress(address)).toBe(false),
  )
})
