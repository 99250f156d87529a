import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { TestServer } from './server.ts'

/** Starts a server process that is there to be killed (job-process.ts), on the database of the test's own server. */
export async function startJobProcess(server: TestServer, env: Record<string, string>): Promise<ChildProcess> {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'job-process.ts')], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATABASE_URL: server.ctx.config.DATABASE_URL ?? '',
      ROLLOUT_WATCH_SECONDS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout ?? child, 'data')
  return child
}

/** As a crash would: it notices nothing. */
export async function killProcess(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}
