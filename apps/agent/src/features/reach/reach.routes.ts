import { connect } from 'node:net'
import { agentApi } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../serve.ts'

const PATIENCE_MS = 5000

/** Tries ports of the server from this node: what a firewall in front of the server closes cannot be seen there. */
export function reachRoutes(app: FastifyInstance): void {
  serve(app, agentApi.reachPorts, async ({ targets }) => ({
    results: await Promise.all(targets.map(async (target) => ({ ...target, error: await whyClosed(target) }))),
  }))
}

/** Why no TCP connection is made; null where one is. */
function whyClosed(target: { host: string; port: number }): Promise<string | null> {
  return new Promise((done) => {
    const socket = connect({ ...target, timeout: PATIENCE_MS })
    const end = (error: string | null) => {
      socket.destroy()
      done(error)
    }
    socket.on('connect', () => end(null))
    socket.on('timeout', () => end(`no answer within ${PATIENCE_MS / 1000} s`))
    socket.on('error', (error) => end(error.message))
  })
}
