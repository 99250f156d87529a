import { existsSync } from 'node:fs'
import { Command } from 'commander'
import pino from 'pino'
import { readConfig, type Config } from '../config.ts'
import type { Ctx } from '../ctx.ts'
import { rootOf } from '../postgres/embedded-folder.ts'

type Opened = Pick<Ctx, 'db' | 'now' | 'secrets' | 'log'>

/** `causeway admin`: restores access to accounts, with the server running or stopped. */
export function adminCommand(): Command {
  const subcommand = (name: string, description: string) => new Command(name).description(description).exitOverride()
  return new Command('admin')
    .description('help administrators who cannot sign in; works with the server running or stopped')
    .addCommand(
      subcommand('list', 'list administrators with their role and second factor')
        .option('--json', 'print the accounts as JSON')
        .action(list),
    )
    .addCommand(
      subcommand('reset-password', 'set a new random password, which is printed, and end all sessions')
        .argument('<username>', 'name of the administrator')
        .action(resetPassword),
    )
    .addCommand(
      subcommand('reset-second-factor', 'remove authenticator, passkeys and recovery codes, and end all sessions')
        .argument('<username>', 'name of the administrator')
        .action(resetSecondFactor),
    )
    .addCommand(subcommand('unlock', 'forget refused attempts to sign in, and admit all networks again').action(unlock))
}

async function list({ json: isJson = false }: { json?: boolean }): Promise<void> {
  const { listAccounts } = await actions()
  const admins = await inInstallation(listAccounts)
  if (isJson) return console.log(JSON.stringify(admins))
  const rows = admins.map(({ username, role, hasAuthenticator, passkeys, sessions }) => [
    username,
    role.name ?? role.ref,
    hasAuthenticator || passkeys > 0 ? 'second factor' : 'password only',
    `${sessions} open ${sessions === 1 ? 'session' : 'sessions'}`,
  ])
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => (row[column] ?? '').length)))
  console.log(
    rows.length === 0
      ? 'No administrator has registered yet.'
      : rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n'),
  )
}

async function resetPassword(username: string): Promise<void> {
  const { resetPassword: reset } = await actions()
  const password = await inInstallation((ctx) => reset(ctx, username))
  console.log(`The new password of ${username}: ${password}\nAll sessions of this account have ended.`)
}

async function resetSecondFactor(username: string): Promise<void> {
  const { resetSecondFactor: reset } = await actions()
  await inInstallation((ctx) => reset(ctx, username))
  console.log(`${username} signs in by the password alone. All sessions of this account have ended.`)
}

async function unlock(): Promise<void> {
  const { unlockSignIn } = await actions()
  await inInstallation(unlockSignIn)
  console.log('Refused attempts to sign in are forgotten, and all networks may sign in.')
}

// Read only now, as other subcommands need none of it.
const actions = () => import('../features/auth/locked-out.actions.ts')

/** Help with an account makes no installation. @throws Error with a sentence where there is none */
function refuseMissing({ DATABASE_URL, dataDir }: Pick<Config, 'DATABASE_URL' | 'dataDir'>): void {
  if (DATABASE_URL === null && !existsSync(rootOf(dataDir)))
    throw new Error(`There is no installation in ${dataDir}. DATA_DIR names the data folder of the server.`)
}

/** Works on the installation's database, which is started for this where it is an embedded one that does not run. */
async function inInstallation<Result>(act: (ctx: Opened) => Promise<Result>): Promise<Result> {
  const config = readConfig()
  const { connect } = await import('../db/driver/connect.ts')
  const { migrate } = await import('../db/migrate.ts')
  const { openSecretStore } = await import('../ground/secret-store.ts')
  const { readMasterKey } = await import('../lib/keys/master-key.ts')
  const { findDatabase } = await import('../postgres/find-database.ts')
  refuseMissing(config)
  const database = await findDatabase(config)
  try {
    await migrate(database.url)
    const connected = connect(database.url, { max: 2 })
    try {
      const secrets = await openSecretStore(connected.db, readMasterKey(config.MASTER_KEY, config.dataDir))
      return await act({ db: connected.db, secrets, now: () => new Date(), log: pino({ level: 'silent' }) })
    } finally {
      await connected.close()
    }
  } finally {
    await database.stop()
  }
}
