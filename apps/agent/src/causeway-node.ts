import { Command, CommanderError } from 'commander'
import { doctorCommand } from './commands/doctor.ts'
import { acceptCommand, fingerprintCommand, requestCommand } from './commands/identity.ts'
import { logsCommand } from './commands/logs.ts'
import { statusCommand } from './commands/status.ts'
import { uninstallCommand } from './commands/uninstall.ts'
import { AGENT_VERSION } from './version.ts'

/** Subcommands of a node. Ends with 0, with 1 where the work failed or a check found something, and with 2 for a line that cannot be understood. */
export async function runCausewayNode(line: string[]): Promise<void> {
  const program = new Command('causeway-node')
    .description('Agent of Causeway with its Xray. Without a subcommand it runs the agent; settings come from the environment.')
    .version(AGENT_VERSION, '-V, --version')
    .showHelpAfterError('Add --help for what is possible.')
  for (const command of [statusCommand(), logsCommand(), doctorCommand(), uninstallCommand()]) program.addCommand(command)
  // Called by the script that lets a machine join.
  for (const command of [requestCommand(), acceptCommand(), fingerprintCommand()]) program.addCommand(command, { hidden: true })
  for (const command of [program, ...program.commands]) command.exitOverride()
  try {
    await program.parseAsync(line, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 1
    }
  }
}
