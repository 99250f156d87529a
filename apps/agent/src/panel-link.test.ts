import type { AgentPayload } from '@causeway/contract/agent'
import { LINK_RUN_HEADER } from '@causeway/contract/agent'
import { once } from 'node:events'
import http from 'node:http'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { makeAuthority } from '../test/authority.ts'
import { makeRequest } from './key-request.ts'
import { PanelLink } from './panel-link.ts'

const NODE = '00000000-0000-4000-8000-00000000000a'
const WAIT = { timeout: 15_000, interval: 20 }

let payload: AgentPayload
let panel: http.Server
let agent: Server
let link: PanelLink | undefined
let held: Socket[]
let runs: Set<unknown>
let paths: Set<string | undefined>
/** What the panel answers in place of taking the connection. */
let refusal: string | undefined
let said: string[]

beforeEach(async () => {
  const authority = await makeAuthority()
  const { keyPem: nodeKeyPem, requestPem } = await makeRequest()
  payload = { ...(await authority.signed(requestPem, NODE, new Date(Date.now() + 3_600_000))), nodeKeyPem }
  ;[held, runs, paths, refusal, said] = [[], new Set(), new Set(), undefined, []]
  panel = http.createServer((_, response) => response.writeHead(426).end('{"message":"Without its Upgrade header."}'))
  panel.on('upgrade', ({ headers, url }, socket: Socket) => {
    socket.on('error', () => {})
    if (refusal !== undefined) return socket.end(`HTTP/1.1 ${refusal}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    socket.once('end', () => socket.destroy()).resume()
    runs.add(headers[LINK_RUN_HEADER])
    paths.add(url)
    held.push(socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: causeway-node\r\n\r\n')
  })
  // Says everything twice.
  agent = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (text) => socket.write(Buffer.concat([text, text])))
  })
  await Promise.all([once(panel.listen(0, '127.0.0.1'), 'listening'), once(agent.listen(0, '127.0.0.1'), 'listening')])
})
afterEach(() => {
  link?.close()
  for (const socket of held) socket.destroy()
  panel.close()
  agent.close()
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
function call(): PanelLink {
  const log = pino(
    { level: 'warn' },
    { write: (line: string) => void said.push((JSON.parse(line) as { reason: string }).reason) },
  )
  const options = { uuid: NODE, port: portOf(agent), identity: () => payload, log }
  link = new PanelLink({ ...options, panel: `http://127.0.0.1:${portOf(panel)}/` })
  return link
}
const open = () => held.filter(({ destroyed }) => !destroyed)

it('two connections wait, one that is used leads to the agent and is made up for, and all end with it', async () => {
  const calling = call()
  await vi.waitFor(() => expect(held).toHaveLength(2), WAIT)
  const [first] = held
  first?.write('ab')
  const [answer] = (await once(first as Socket, 'data')) as [Buffer] // one of the two
  expect(String(answer)).toBe('abab')
  await vi.waitFor(() => expect(held).toHaveLength(3), WAIT)
  expect([...paths]).toEqual([`/node-link/${NODE}`])
  expect(runs.size).toBe(1)
  // One that the panel or something on the way has ended is replaced, the others stay.
  held[1]?.destroy()
  await vi.waitFor(() => expect(held).toHaveLength(4), WAIT)
  expect(open()).toHaveLength(3)
  calling.close()
  await vi.waitFor(() => expect(open()).toHaveLength(0), WAIT)
  await new Promise((done) => setTimeout(done, 100))
  expect(held).toHaveLength(4)
})

it('a panel that does not take it, or a proxy that drops the header, is told once, and it is tried until it does', async () => {
  refusal = '404 Not Found'
  call()
  await vi.waitFor(() => expect(said).toEqual([expect.stringContaining('let this machine join anew')]), WAIT)
  panel.removeAllListeners('upgrade')
  await vi.waitFor(() => expect(said.at(-1)).toBe('Without its Upgrade header.'), WAIT)
  expect(said).toHaveLength(2)
})
