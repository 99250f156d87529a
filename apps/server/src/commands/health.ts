import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { askServer } from '../features/doctor/doctor.actions.ts'

/** `causeway health`: whether the server answers on this machine, for health checks of containers. */
export function healthCommand(): Command {
  return new Command('health')
    .description('ask whether the server answers on this machine; ends with 1 when it does not')
    .action(async () => {
      const { address, reason } = await askServer(readConfig())
      if (reason !== undefined) throw new Error(`No server answers at ${address} (${reason}).`)
      console.log(`The server answers at ${address}.`)
    })
}
