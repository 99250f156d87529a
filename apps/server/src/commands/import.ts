import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Counts } from '@causeway/import'
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Opened, Report } from '../features/move-in/move-in.actions.ts'
import { inWords } from '../features/move-in/report.rules.ts'
import { CLEAR_LINE, keepHeapSmall, rowsLine, stoppedBySignals } from './long-work.ts'

interface Options {
  dryRun?: boolean
  json?: boolean
}
interface RemnawaveOptions extends Options {
  sessionSecretFile?: string
  tokenSecretFile?: string
}
interface XuiOptions extends Options {
  address?: string
}
interface MarzbanOptions extends XuiOptions {
  xrayConfig?: string
  subPath: string
}

/** `causeway import <file>`: an archive of `causeway export`; `causeway import <panel> <place>`: another panel. */
export function importCommand(): Command {
  const remnawave = panelCommand('remnawave', 'from a panel of 2.1 to 2.8 or 3.0 to 3.4')
    .argument('<source>', 'address of its database (postgres://…), or a plain dump (.sql or .sql.gz)')
    .option('--session-secret-file <file>', 'file with its JWT_AUTH_SECRET: the old password and API tokens go on working')
    .option('--token-secret-file <file>', 'file with its JWT_API_TOKENS_SECRET: API tokens go on working')
    .action(importFromRemnawave)
  const xui = panelCommand('3x-ui', 'from 3x-ui, versions 2 and 3')
    .argument('<source>', 'its SQLite file, such as /etc/x-ui/x-ui.db, or the address of its database (postgres://…)')
    .option('--address <address>', 'name or address by which clients reach its server, where its settings do not say it')
    .action(importFromXui)
  const marzban = panelCommand('marzban', 'from Marzban or PasarGuard')
    .argument(
      '<source>',
      'its SQLite file, such as /var/lib/marzban/db.sqlite3, or the address of its database (mysql://…, postgres://…)',
    )
    .alias('pasarguard')
    .option('--xray-config <file>', "Marzban's configuration of the core (XRAY_JSON)")
    .option('--sub-path <path>', 'its XRAY_SUBSCRIPTION_PATH', 'sub')
    .option('--address <address>', 'name or address of its server, where hosts stand at it')
    .action(importFromMarzban)
  return new Command('import')
    .description('bring another installation into this empty one: an archive of causeway export, or another panel')
    .argument('[file]', 'an archive of causeway export')
    .option('--json', 'print the outcome as JSON')
    .enablePositionalOptions()
    .action(importFromArchive)
    .hook('preAction', keepHeapSmall)
    .addCommand(remnawave)
    .addCommand(xui)
    .addCommand(marzban)
}

async function importFromArchive(
  file: string | undefined,
  { json: isJson = false }: { json?: boolean },
  command: Command,
): Promise<void> {
  if (file === undefined) return command.help({ error: true })
  const isShown = process.stdout.isTTY && !isJson
  const begun = performance.now()
  const { importInstallation } = await import('../features/archives/archives.actions.ts')
  try {
    const { madeAt, madeBy, counts } = await importInstallation(readConfig(), {
      file: fileAt(file),
      signal: stoppedBySignals('Stopped. Nothing was changed.'),
      ...(isShown ? { onProgress: rowsLine(process.stdout) } : {}),
    })
    const seconds = (performance.now() - begun) / 1000
    if (isShown) process.stdout.write(CLEAR_LINE)
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const users = counts['users'] ?? 0
    console.log(
      isJson
        ? JSON.stringify({ madeAt, madeBy, rows, users, seconds })
        : `Imported what ${madeBy} exported at ${madeAt.slice(0, 19).replace('T', ' ')} UTC: ${users.toLocaleString('en')} users in ${rows.toLocaleString('en')} rows, in ${seconds.toFixed(1)} s. Stop the server it came from before you start this one: two would tell the nodes different things.`,
    )
  } catch (error) {
    if (isShown) process.stdout.write(CLEAR_LINE)
    throw error
  }
}

function panelCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .option('--dry-run', 'read everything, write nothing, and report')
    .option('--json', 'print the report as JSON')
    .exitOverride()
}

async function importFromRemnawave(source: string, options: RemnawaveOptions): Promise<void> {
  // Read only now, as other subcommands need none of it.
  const { openRemnawaveAt } = await import('../features/move-in/move-in.actions.ts')
  const secrets = { sessionSecret: readSecret(options.sessionSecretFile), tokenSecret: readSecret(options.tokenSecretFile) }
  if (source.includes('://') && !/^postgres(ql)?:/.test(source))
    throw new Error('The address of the database must begin with postgres://. Nothing was changed.')
  await importFrom(() => openRemnawaveAt(/^postgres(ql)?:/.test(source) ? source : fileAt(source), secrets), options)
}

async function importFromXui(file: string, options: XuiOptions): Promise<void> {
  const { openXui } = await import('../features/move-in/xui.actions.ts')
  await importFrom(() => openXui({ place: placeOf(file), address: options.address ?? null }, new Date()), options)
}

async function importFromMarzban(file: string, options: MarzbanOptions): Promise<void> {
  const { openMarzban } = await import('../features/move-in/marzban.actions.ts')
  const { xrayConfig, subPath: path, address = null } = options
  const config = xrayConfig === undefined ? null : readConfiguration(xrayConfig)
  await importFrom(() => openMarzban({ place: placeOf(file), config, address, path }, new Date()), options)
}

/** Addresses of databases stay as they are. */
function placeOf(file: string): string {
  return file.includes('://') ? file : fileAt(file)
}

async function importFrom(open: () => Promise<Opened>, options: Options): Promise<void> {
  const isShown = process.stdout.isTTY && !options.json
  const { moveIn } = await import('../features/move-in/move-in.actions.ts')
  try {
    const report = await moveIn(readConfig(), {
      open,
      isDryRun: options.dryRun ?? false,
      ...(isShown ? { onProgress: progressLine() } : {}),
    })
    if (isShown) process.stdout.write(CLEAR_LINE)
    console.log(textOf(report, options.json ?? false))
  } catch (error) {
    if (isShown) process.stdout.write(CLEAR_LINE)
    throw error
  }
}

function textOf(report: Report, isJson: boolean): string {
  return isJson ? JSON.stringify(report) : inWords(report)
}

function fileAt(name: string): string {
  return path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', name)
}

function readConfiguration(name: string): string {
  const file = fileAt(name)
  if (!existsSync(file)) throw new Error(`There is no file ${file} with the configuration of the core. Nothing was changed.`)
  return readFileSync(file, 'utf8')
}

/** Editors end a file with a line break, which is no part of a secret. */
function readSecret(file: string | undefined): string | null {
  if (file === undefined) return null
  if (!existsSync(fileAt(file))) throw new Error(`There is no file ${fileAt(file)} with a secret. Nothing was changed.`)
  const secret = readFileSync(fileAt(file), 'utf8').trim()
  if (secret === '') throw new Error(`The file ${file} with a secret is empty.`)
  return secret
}

function progressLine(): (counts: Counts) => void {
  let shownAt = 0
  return (counts) => {
    const now = performance.now()
    if (now - shownAt < 200) return
    shownAt = now
    const { user = 0, userUsage = 0 } = counts
    const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const format = (count: number) => count.toLocaleString('en')
    process.stdout.write(`${CLEAR_LINE}${format(all)} rows: ${format(user)} users, ${format(userUsage)} days of usage ...`)
  }
}
