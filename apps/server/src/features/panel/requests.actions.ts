import type { FastifyInstance } from 'fastify'

export interface CountedRoutes {
  counted(): { routes: { method: string; route: string; count: number }[]; total: number }
}

/** Counts the answers of each route since the start, for programs that show them. */
export function countRequests(app: FastifyInstance): CountedRoutes {
  const counts = new Map<string, { method: string; route: string; count: number }>()
  app.addHook('onResponse', (request, _reply, done) => {
    const route = request.routeOptions.url
    if (route !== undefined) {
      const key = `${request.method} ${route}`
      const known = counts.get(key)
      if (known) known.count++
      else counts.set(key, { method: request.method, route, count: 1 })
    }
    done()
  })
  return {
    counted() {
      const routes = [...counts.values()].toSorted((one, other) => other.count - one.count)
      return { routes, total: routes.reduce((sum, { count }) => sum + count, 0) }
    },
  }
}
