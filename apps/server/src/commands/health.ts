import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { readStarting } from '../lib/systemd/start-progress.ts'
import { askServer } from '../features/doctor/doctor.actions.ts'

/** `causeway health`: whether the server answers on this machine, for health checks of containers. */
export function healthCommand(): Command {
  return new Command('health')
    .description('ask whether the server answers on this machine; ends with 1 when it does not')
    .option('--json', 'print the answer as JSON')
    .action(async ({ json: isJson = false }: { json?: boolean }) => {
      const config = readConfig()
      const { address, reason } = await askServer(config)
      const starting = reason === undefined ? undefined : readStarting(config.dataDir)
      if (starting !== undefined) throw new Error(`The server is starting. ${starting}`)
      if (reason !== undefined) throw new Error(`No server answers at ${address} (${reason}).`)
      console.log(isJson ? JSON.stringify({ address }) : `The server answers at ${address}.`)
    })
}
