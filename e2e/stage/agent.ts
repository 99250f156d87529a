import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, run, until, type Running } from './processes.ts'

/** The real agent with the real Xray. */
export interface Agent {
  port: number
  process: Running
  /** The process of its running core. */
  core(): Core | undefined
  restart(): Promise<void>
  close(): Promise<void>
}

export interface Core {
  pid: number
  /** Ticks since the machine started: with the number it names one run of one process. */
  startedAt: string
}

export async function startAgent(secretKey: string, xray: string): Promise<Agent> {
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-agent-'))
  const [port, apiPort] = [await freePort(), await freePort()]
  const env = { SECRET_KEY: secretKey, NODE_PORT: String(port), XTLS_PORT: String(apiPort), XRAY_BIN: xray, DATA_DIR: folder }
  const start = (): Running => run({ name: `agent-${port}`, args: ['apps/agent/src/main.ts'], env })
  const agent: Agent = {
    port,
    process: start(),
    core: () => findCore(folder),
    restart: async () => {
      await agent.process.stop()
      agent.process = start()
    },
    close: async () => {
      await agent.process.stop()
      // The core outlives its agent on purpose.
      for (let core = findCore(folder); core; core = findCore(folder)) {
        process.kill(core.pid, 'SIGKILL')
        await sleep(50)
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return agent
}

/** Waits for a core other than the given one. */
export function untilCore(agent: Agent, before?: Core): Promise<Core> {
  return until('a core runs', () => {
    const core = agent.core()
    return core && core.pid !== before?.pid ? core : undefined
  })
}

function findCore(folder: string): Core | undefined {
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const [program = '', , , config = ''] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (program.endsWith('xray') && config.startsWith(folder) && state !== 'Z')
        return { pid: Number(name), startedAt: fields[18] ?? '' }
    } catch {
      // it ended between the listing and the look
    }
  }
  return undefined
}
