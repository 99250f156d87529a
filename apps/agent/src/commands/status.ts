import { Command } from 'commander'
import { AGENT_VERSION } from '../version.ts'
import { readNodeState } from './node-state.ts'

/** `causeway-node status`: whether agent and core run. Ends with 1 where one does not. */
export function statusCommand(): Command {
  return new Command('status')
    .description('say whether agent and core run; ends with 1 where one does not')
    .option('--json', 'print it as JSON')
    .action(async ({ json: isJson }: { json?: boolean }) => {
      const state = await readNodeState()
      const { agentPid, core, port, isListening, node, certificateEndsAt } = state
      if (isJson) console.log(JSON.stringify({ version: AGENT_VERSION, ...state }))
      else {
        const listening = isListening ? `port ${port} is open` : `port ${port} takes no connections`
        console.log(`agent:        ${agentPid === null ? 'does not run' : `runs (process ${agentPid})`}, ${listening}`)
        console.log(`core:         ${core ? `Xray ${core.version} runs since ${core.startedAt.toISOString()}` : 'does not run'}`)
        console.log(`identity:     ${node ? `own key, node ${node}` : 'secret key'}`)
        if (certificateEndsAt) console.log(`certificate:  until ${certificateEndsAt.toISOString()}`)
        console.log(`version:      ${AGENT_VERSION}`)
      }
      if (agentPid === null || !isListening || !core) process.exitCode = 1
    })
}
