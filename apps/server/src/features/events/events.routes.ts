import * as api from '@causeway/contract'
import { authorize, type Authenticate } from '../../http/guards.ts'
import { onRaw, type Route } from '../../http/mount.ts'
import type { EventHub } from './events.actions.ts'

const MAX_ID_LENGTH = 100

export function eventsRoutes(hub: EventHub, authenticate: Authenticate): Route[] {
  return [
    onRaw(api.followEvents, async (_, { request, reply }) => {
      const check = () => authorize({ name: api.followEvents.name, access: api.followPermission }, request, authenticate)
      const holder = await check()
      // A client that left during the look-up has closed already: its stream would never hear of it.
      if (reply.raw.destroyed || request.raw.socket.destroyed) return reply.hijack()
      hub.makeRoom(holder)
      const given = request.headers['last-event-id']
      const lastId = typeof given === 'string' ? given.slice(0, MAX_ID_LENGTH) : undefined
      reply.header('content-type', 'text/event-stream')
      reply.header('cache-control', 'no-store, no-transform')
      reply.header('x-accel-buffering', 'no') // a proxy that collects would keep the events to itself
      reply.hijack()
      reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>) // none of ours is set twice
      reply.raw.flushHeaders()
      const leave = hub.follow(reply.raw, { holder, check, lastId })
      reply.raw.on('close', leave)
      return reply
    }),
  ]
}
