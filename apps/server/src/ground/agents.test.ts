import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TLSSocket } from 'node:tls'
import { expect, it, onTestFinished, vi } from 'vitest'
import { agentApi, HASH_PAYLOAD_HEADER } from '@causeway/contract'
import type { XrayObject } from '@causeway/xray'
import { liveFleet, nodeAt, nodeConfig } from '../../test/live-fleet.ts'

const live = liveFleet()

it('a long configuration leaves in small pieces, as a connection keeps room for its longest', async () => {
  const agent = await live.startAgent()
  const received: XrayObject[] = []
  agent.refusal = (config) => {
    received.push(config)
    return null
  }
  const pieces = writtenPieces()
  const config = { ...nodeConfig(['VLESS_A']), remarks: 'ü'.repeat(2 ** 20) }
  const headers = { [HASH_PAYLOAD_HEADER]: Buffer.from('{"emptyConfig":"","inbounds":[]}').toString('base64') }
  const reply = await live.server.ctx.agents.call(nodeAt(agent.port), agentApi.start, config, { headers })
  expect(reply.isStarted).toBe(true)
  expect(received).toEqual([config])
  expect(pieces.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(2 ** 21)
  expect(Math.max(...pieces)).toBeLessThanOrEqual(2 ** 14)
})

it('an answer that is too long is not read to its end', async () => {
  const agent = await live.startAgent()
  const ask = (options = {}) => live.server.ctx.agents.call(nodeAt(agent.port), agentApi.healthcheck, undefined, options)
  agent.forged.set(agentApi.healthcheck.path, JSON.stringify({ response: { isAlive: true, filler: 'x'.repeat(2 ** 21) } }))
  await expect(ask()).rejects.toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/was larger than an agent's can be/),
  })
  const health = { isAlive: true, xrayInternalStatusCached: true, xrayVersion: null, filler: 'x'.repeat(2 ** 21) }
  agent.forged.set(agentApi.healthcheck.path, JSON.stringify({ response: health }))
  expect(await ask({ maxReplyBytes: 2 ** 22 })).toMatchObject({ isAlive: true })
})

it('a list of users with an entry that cannot be is refused at that entry', async () => {
  const agent = await live.startAgent()
  const ask = () => live.server.ctx.agents.call(nodeAt(agent.port), agentApi.getUsersStats, { reset: false })
  const answer = (...users: unknown[]) => agent.forged.set(agentApi.getUsersStats.path, JSON.stringify({ response: { users } }))
  const good = { username: 'ann', uplink: 1, downlink: Number.MAX_SAFE_INTEGER }
  answer(good)
  expect(await ask()).toEqual({ users: [good] })
  for (const wrong of [-1, 0.5, 2 ** 53, '1', null]) {
    answer(good, { ...good, uplink: wrong })
    await expect(ask()).rejects.toThrow(/is not what this server understands/)
  }
  answer(...Array.from({ length: 100_000 }, () => 0))
  const { cause } = (await ask().catch((error: unknown) => error)) as { cause: { issues: unknown[] } } // what the schema says
  expect(cause.issues).toHaveLength(1)
})

/** How long every piece is that a request hands over to its connection from now on, in bytes. */
function writtenPieces(): number[] {
  const pieces: number[] = []
  const listen = (message: unknown) => {
    const { socket } = message as { socket: TLSSocket } // as its documentation says
    const write = socket.write.bind(socket)
    vi.spyOn(socket, 'write').mockImplementation((...args: Parameters<TLSSocket['write']>) => {
      pieces.push(Buffer.byteLength(args[0]))
      return write(...args)
    })
  }
  subscribe('undici:client:sendHeaders', listen)
  onTestFinished(() => void unsubscribe('undici:client:sendHeaders', listen))
  return pieces
}
