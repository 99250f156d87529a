import { readFileSync } from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import type { Counts } from '@causeway/import'
import { Command } from 'commander'
import { readConfig } from '../config.ts'
import type { Report } from '../features/move-in/move-in.actions.ts'
import { inWords } from '../features/move-in/report.rules.ts'

interface Options {
  sessionSecretFile?: string
  tokenSecretFile?: string
  dryRun?: boolean
  json?: boolean
}

/** `causeway import remnawave <place>`: brings another installation into this empty one. */
export function importCommand(): Command {
  const remnawave = new Command('remnawave')
    .description('from a panel of the 2.x generation')
    .argument('<source>', 'address of its database (postgres://…), or a plain dump (.sql or .sql.gz)')
    .option('--session-secret-file <file>', 'file with its JWT_AUTH_SECRET: the old password and API tokens go on working')
    .option('--token-secret-file <file>', 'file with its JWT_API_TOKENS_SECRET: API tokens go on working')
    .option('--dry-run', 'read everything, write nothing, and report')
    .option('--json', 'print the report as JSON')
    .action(importFrom)
  remnawave.exitOverride()
  return new Command('import').description('bring another installation into this empty one').addCommand(remnawave)
}

async function importFrom(source: string, options: Options): Promise<void> {
  // Rows live for milliseconds: without room to grow, the heap stays small at little cost.
  for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=40']) setFlagsFromString(flag)
  const isShown = process.stdout.isTTY && !options.json
  // Read only now, as other subcommands need none of it.
  const { moveInFromRemnawave } = await import('../features/move-in/move-in.actions.ts')
  try {
    const report = await moveInFromRemnawave(readConfig(), {
      place: /^postgres(ql)?:/.test(source) ? source : fileAt(source),
      sessionSecret: readSecret(options.sessionSecretFile),
      tokenSecret: readSecret(options.tokenSecretFile),
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

/** Editors end a file with a line break, which is no part of a secret. */
function readSecret(file: string | undefined): string | null {
  if (file === undefined) return null
  const secret = readFileSync(fileAt(file), 'utf8').trim()
  if (secret === '') throw new Error(`The file ${file} with a secret is empty.`)
  return secret
}

const CLEAR_LINE = '\r\u001B[K'

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
