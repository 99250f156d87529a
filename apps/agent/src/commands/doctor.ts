import { Command } from 'commander'
import { statfs } from 'node:fs/promises'
import { problemsOf, type NodeFacts, type NodeState } from './doctor.rules.ts'
import { readNodeState } from './node-state.ts'

const ASK_MS = 10_000

/** `causeway-node doctor`: checks this node. Ends with 1 where it finds a problem. */
export function doctorCommand(): Command {
  return new Command('doctor')
    .description('look for what is wrong on this node; ends with 1 where something is')
    .option('--json', 'print it as JSON')
    .action(async ({ json: isJson }: { json?: boolean }) => {
      const state = await readNodeState()
      const problems = problemsOf({ ...state, ...(await look(state)) }, new Date())
      if (isJson) console.log(JSON.stringify({ problems }))
      else console.log(problems.length === 0 ? 'Nothing is wrong on this node.' : problems.join('\n'))
      if (problems.length > 0) process.exitCode = 1
    })
}

async function look({ folder, panel }: NodeState): Promise<Omit<NodeFacts, keyof NodeState>> {
  const disk = await statfs(folder).catch(() => undefined)
  const asked = panel === null ? undefined : await askTime(panel)
  return {
    freeBytes: disk ? disk.bavail * disk.bsize : null,
    clockAheadMs: typeof asked === 'number' ? asked : null,
    panelReason: typeof asked === 'string' ? asked : null,
  }
}

/** How far the clock of this machine is ahead of that of the panel, or why the panel does not answer. */
async function askTime(panel: string): Promise<number | string | undefined> {
  try {
    const { headers } = await fetch(`${panel}/health`, { signal: AbortSignal.timeout(ASK_MS) })
    const at = Date.parse(headers.get('date') ?? '')
    return Number.isNaN(at) ? undefined : Date.now() - at
  } catch (error) {
    const { cause } = error as Error // fetch throws nothing else
    return cause instanceof Error ? cause.message : String(error)
  }
}
