import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Access } from '@causeway/contract'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Callers that a route admits. `page`: a browser signed in by cookie, or Basic credentials. */
    access?: Access | 'page'
  }
}

/** Default deny: a route without a guard keeps the server from starting. */
export function refuseUnguardedRoutes(app: FastifyInstance): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const unguarded = routes.filter((route) => route.config?.access === undefined)
    if (unguarded.length === 0) return
    const names = unguarded.map((route) => `${String(route.method)} ${route.url}`)
    throw new Error(`These routes do not say who may call them (config.access):\n  ${names.join('\n  ')}`)
  })
}

/** Registers routes of a plugin that anyone may call: files, pages, documents. */
export async function registerPublic(app: FastifyInstance, plugin: (scope: FastifyInstance) => Promise<unknown>): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' }
    })
    await plugin(scope)
  })
}
