import { Command } from 'commander'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { hasSystemd, readSettings, SERVICE } from './settings.ts'

/** `causeway-node logs`: the last lines of agent or core. */
export function logsCommand(): Command {
  return new Command('logs')
    .description('print what the agent wrote last, or the core')
    .option('-n, --lines <count>', 'how many lines', '100')
    .option('-f, --follow', 'go on with what comes')
    .option('--core', 'of Xray instead of the agent')
    .action(async ({ lines, follow: isFollowed, core: isCore }: { lines: string; follow?: boolean; core?: boolean }) => {
      if (!/^\d+$/.test(lines)) throw new Error(`--lines must be a number, not "${lines}".`)
      const more = isFollowed ? ['-f'] : []
      const file = path.join(readSettings()['DATA_DIR'] ?? '', 'xray.log')
      if (isCore) {
        if (!existsSync(file)) throw new Error(`There is no ${file}. Run this with sudo, or the core has not run yet.`)
        return show('tail', ['-n', lines, ...more, file])
      }
      if (!hasSystemd())
        throw new Error(
          'Without systemd the agent writes to where it was started. The log of the core: causeway-node logs --core',
        )
      return show('journalctl', ['-u', SERVICE, '--no-pager', '-n', lines, ...more])
    })
}

async function show(program: string, args: string[]): Promise<void> {
  const child = spawn(program, args, { stdio: 'inherit' })
  const [code]: (number | null)[] = await once(child, 'exit')
  process.exitCode = code ?? 1
}
