// npm run dev: the server and the dashboard, each following every change, on an invented service with nodes that answer.
import { spawn, type ChildProcess } from 'node:child_process'
import path from 'node:path'
import { prepareDemo } from './seed/demo.ts'
import { root } from './steps.ts'

const DASHBOARD_PORT = 5173

try {
  await prepareDemo('data-dev')
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
const port = process.env['PORT'] ?? '3000'
const children = [
  start(process.execPath, ['--watch-preserve-output', '--watch', 'apps/server/src/main.ts'], root),
  start('vite', ['--port', String(DASHBOARD_PORT), '--strictPort', '--clearScreen', 'false'], path.join(root, 'apps/dashboard'), {
    API_ORIGIN: `http://127.0.0.1:${port}`,
  }),
]
console.log(`The dashboard follows its sources at http://127.0.0.1:${DASHBOARD_PORT}, the server at http://127.0.0.1:${port}.`)

// A terminal's Ctrl-C already reaches the children; a supervisor's signals do not.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => children.forEach((child) => child.kill(signal)))
process.on('SIGINT', () => {})
await Promise.all(children.map((child) => new Promise((resolve) => child.once('exit', resolve))))
process.exit(0)

function start(command: string, args: string[], cwd: string, env: Record<string, string> = {}): ChildProcess {
  return spawn(command, args, { cwd, stdio: 'inherit', env: { ...process.env, PORT: port, ...env } })
}
