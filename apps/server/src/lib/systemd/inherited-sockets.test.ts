import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import path from 'node:path'
import { expect, test } from 'vitest'
import { inheritedSockets, parseSocketTable, streamAddress } from './inherited-sockets.ts'

test('addresses of sockets are read of the tables of the kernel, by inode', () => {
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
  const four = '   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000   990        0 71 1 0 100 0 0 10 0'
  const six =
    '   1: 00000000000000000000000000000000:01BB 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 72 1 0 100 0 0 10 0'
  const other =
    '  12: B80D0120000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 00:0 0   0        0 73 1'
  expect(parseSocketTable([head, four].join('\n'))).toEqual([['71', '127.0.0.1:3000']])
  expect(parseSocketTable([head, six, other].join('\n'))).toEqual([
    ['72', '[::]:443'],
    ['73', '[2001:db8::1]:80'],
  ])
})

test('a name has no one address, and port 0 none at all', () => {
  const hosts = ['127.0.0.1', '::', '2001:DB8:0::1', 'localhost']
  expect(hosts.map((host) => streamAddress(host, 80))).toEqual(['127.0.0.1:80', '[::]:80', '[2001:db8::1]:80', undefined])
  expect(streamAddress('127.0.0.1', 0)).toBeUndefined()
})

test('SHIP-010 a server takes the socket that is held for its address, and leaves one for another address', async () => {
  const holder = createServer().listen(0, '127.0.0.1')
  await once(holder, 'listening')
  const { port } = holder.address() as AddressInfo // it listens on TCP
  const program = path.join(import.meta.dirname, 'inherited-sockets.ts')
  const script = `
    process.env.LISTEN_PID = String(process.pid)
    process.env.LISTEN_FDS = '1'
    const { listenOptions } = await import(${JSON.stringify(program)})
    console.log(JSON.stringify([listenOptions('127.0.0.1', ${port}), listenOptions('127.0.0.2', ${port})]))`
  const { _handle: handle } = holder as unknown as { _handle: { fd: number } }
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit', handle.fd],
  })
  let said = ''
  child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await once(child, 'close')
  holder.close()
  expect(JSON.parse(said)).toEqual([
    { host: '127.0.0.1', port, fd: 3 },
    { host: '127.0.0.2', port },
  ])
  expect(inheritedSockets({ LISTEN_PID: '1', LISTEN_FDS: '1' })).toEqual(new Map())
})
