import * as api from '@causeway/contract'
import { bearerOf, type Authenticate } from '../../http/guards.ts'
import { onRaw, type Route } from '../../http/mount.ts'
import type { EventHub } from './events.actions.ts'

const MAX_ID_LENGTH = 100

export function eventsRoutes(hub: EventHub, authenticate: Authenticate): Route[] {
  return [
    onRaw(api.followEvents, async (_, { request, reply }) => {
      const token = bearerOf(request) ?? ''
      const holder = await authenticate(token, request)
      hub.makeRoom(holder.uuid)
      const given = request.headers['last-event-id']
      const lastId = typeof given === 'string' ? given.slice(0, MAX_ID_LENGTH) : undefined
      reply.header('content-type', 'text/event-stream')
      reply.header('cache-control', 'no-store, no-transform')
      reply.header('x-accel-buffering', 'no') // a proxy that collects would keep the events to itself
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>) // none of ours is set twice
      reply.raw.flushHeaders()
      const leave = hub.follow(reply.raw, { holder, token, request, lastId })
      reply.raw.on('close', leave)
      return reply
    }),
  ]
}
