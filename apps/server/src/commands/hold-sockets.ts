import { Command } from 'commander'
import { readConfig } from '../config.ts'
import { holdSockets } from '../upgrade/sockets.ts'

/** `causeway hold-sockets <unit>`: what the unit of the package runs as root before each start. */
export function holdSocketsCommand(): Command {
  return new Command('hold-sockets')
    .description('let systemd hold the ports of a unit, so that connections wait while it restarts')
    .argument('<unit>', 'systemd unit of the server')
    .action((unit: string) => holdSockets(unit, readConfig()))
}
