import type { ServerProcess } from '../src/ctx.ts'

/** Nothing works on its own here, and the app is built once: a test that needs more starts `main.ts`. */
export function injectedProcess(databaseUrl: string): ServerProcess {
  const server: ServerProcess = {
    databaseUrl,
    isPaused: false,
    isDraining: false,
    pause: async () => void (server.isPaused = true),
    restart: async () => void (server.isPaused = false),
  }
  return server
}
