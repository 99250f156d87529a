import { Command, CommanderError } from 'commander'
import { adminCommand } from './commands/admin.ts'
import { backupCommand } from './commands/backup.ts'
import { doctorCommand } from './commands/doctor.ts'
import { exportCommand } from './commands/export.ts'
import { importCommand } from './commands/import.ts'
import { healthCommand } from './commands/health.ts'
import { holdSocketsCommand } from './commands/hold-sockets.ts'
import { restoreCommand } from './commands/restore.ts'
import { startCommand } from './commands/start.ts'
import { continueUpgradeCommand, upgradeCommand } from './commands/upgrade.ts'
import { verifyCommand } from './commands/verify.ts'
import { readPackageSettings } from './lib/systemd/package-settings.ts'
import { listParts, readRelease } from './lib/product.ts'

/** Subcommands that look at the server of this machine from a terminal, where its unit has given them nothing. */
const WITH_SETTINGS = new Set(['admin', 'backup', 'doctor', 'export', 'health', 'import', 'restore'])

/**
 * The one program of an installation (docs/decisions/060). `start` is given by a checkout, whose own builds its
 * dashboard first. Ends with 0, with 1 where the work failed, and with 2 for a line that cannot be understood.
 */
export async function runCauseway(line: string[], start: Command = startCommand()): Promise<void> {
  const program = new Command('causeway')
    .description('Control panel for proxy and VPN services on Xray. Settings come from the environment; README.md lists them.')
    .version(describeVersion(), '-V, --version', 'print version, commit and licences')
    .showHelpAfterError('Add --help for what is possible.')
    .configureHelp({ showGlobalOptions: false })
    // An option belongs to the subcommand that it stands behind.
    .enablePositionalOptions()
  const others = [
    adminCommand(),
    backupCommand(),
    doctorCommand(),
    exportCommand(),
    healthCommand(),
    importCommand(),
    restoreCommand(),
    upgradeCommand(),
    verifyCommand(),
  ]
  for (const command of [start, ...others]) program.addCommand(command)
  // For the units of the package.
  program.addCommand(holdSocketsCommand(), { hidden: true })
  program.addCommand(continueUpgradeCommand(), { hidden: true })
  for (const command of [program, ...program.commands]) command.exitOverride()
  program.hook('preAction', (_, command) => {
    if (WITH_SETTINGS.has(subcommandOf(program, command))) readPackageSettings(process.env)
  })
  try {
    await program.parseAsync(line, { from: 'user' })
  } catch (error) {
    // Help and version arrive here too, with 0; the library has printed its own refusals.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
    else {
      // Sentences for the person at the terminal, or in the mail of cron; a stack trace would hide them.
      const sentence = error instanceof Error ? error.message : String(error)
      // Programs read the outcome from standard output, unless that is where an archive went.
      if (line.includes('--json') && !line.includes('-')) process.stdout.write(`${JSON.stringify({ error: sentence })}\n`)
      process.stderr.write(`${sentence}\n`)
      process.exit(1)
    }
  }
}

/** `admin` of `causeway admin list`. */
function subcommandOf(program: Command, command: Command): string {
  return command.parent === null || command.parent === program ? command.name() : subcommandOf(program, command.parent)
}

/** Version and commit, then every part with its version and licence, a line each. */
function describeVersion(): string {
  const [product, ...parts] = listParts()
  const commit = readRelease()?.commit ?? process.env['BUILD_COMMIT']
  const first = `${product?.name} ${product?.version}${commit ? ` (${commit.slice(0, 7)})` : ''}, ${product?.licence}`
  return [first, ...parts.map(({ name, version, licence }) => `${name} ${version}, ${licence}`)].join('\n')
}

if (import.meta.main) await runCauseway(process.argv.slice(2))
