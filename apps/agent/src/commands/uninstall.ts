import { Command } from 'commander'
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import { CoreFiles } from '../xray/core-files.ts'
import { endProcess } from '../xray/process.ts'
import { ACCOUNT, hasSystemd, PLACES, readSettings, SERVICE } from './settings.ts'

const END_PATIENCE_MS = 5000

/** `causeway-node uninstall`: ends agent and core, and removes all that joining has put on the machine. */
export function uninstallCommand(): Command {
  return new Command('uninstall')
    .description('end agent and core, and remove them from this machine; subscribers here are cut off')
    .option('--keep-data', 'keep the identity and the last counters')
    .action(async ({ keepData: isDataKept }: { keepData?: boolean }) => {
      if (process.getuid?.() !== 0) throw new Error('Run this as root: sudo causeway-node uninstall')
      const isPackage = existsSync(PLACES.packaged)
      const folder = readSettings()['DATA_DIR'] ?? PLACES.data
      if (hasSystemd()) run('systemctl', 'disable', '--now', SERVICE)
      // The service leaves it running.
      const core = existsSync(path.join(folder, 'state.json')) ? new CoreFiles(folder).readState()?.core : undefined
      if (core) await endProcess(core.process, END_PATIENCE_MS)
      for (const place of [
        PLACES.unit,
        PLACES.link,
        PLACES.program,
        PLACES.cache,
        PLACES.settings,
        ...(isDataKept ? [] : [folder]),
      ])
        rmSync(place, { recursive: true, force: true })
      if (hasSystemd()) run('systemctl', 'daemon-reload')
      if (!isDataKept && !isPackage && run('userdel', ACCOUNT) !== 0) run('deluser', ACCOUNT)
      const rest = isPackage ? ' Remove the package as well: apt purge causeway-node' : ''
      console.log(`Agent and core are gone from this machine${isDataKept ? `; ${folder} is kept` : ''}.${rest}`)
    })
}

function run(program: string, ...args: string[]): number | null {
  return spawnSync(program, args, { stdio: 'ignore' }).status
}
