// npm run agent: an agent on this machine, for trying out. `SECRET_KEY=... npm run agent`
import { spawn } from 'node:child_process'
import path from 'node:path'
import { buildEngine } from './engine.ts'
import { findEngine } from './find-engine.ts'

const root = path.resolve(import.meta.dirname, '..')

if (!process.env['SECRET_KEY'] && !process.env['SSL_CERT']) {
  console.error('SECRET_KEY is not set. Copy it from the Nodes page of the dashboard and run: SECRET_KEY=... npm run agent')
  process.exit(1)
}

const child = spawn(process.execPath, [path.join(root, 'apps/agent/src/main.ts')], {
  stdio: 'inherit',
  env: {
    // Ends its core with itself: whoever only tries it out expects Ctrl-C to leave nothing behind. Settings given win.
    STOP_CORE_ON_EXIT: 'true',
    DATA_DIR: path.join(root, 'data/agent'),
    ...process.env,
    XRAY_BIN: await xray(),
  },
})
// A terminal's Ctrl-C already reaches the child; a supervisor's signals do not.
for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
process.on('SIGINT', () => {})
child.on('exit', (code) => process.exit(code ?? 1))

async function xray(): Promise<string> {
  let engine = findEngine()
  if ('reason' in engine && !process.env['XRAY_BIN']) {
    await buildEngine()
    engine = findEngine()
  }
  if ('xray' in engine) return engine.xray
  console.error(engine.reason)
  return process.exit(1)
}
