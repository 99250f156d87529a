import path from 'node:path'
import { Command } from 'commander'
import { continueUpgrade } from '../upgrade/steps.ts'
import { upgrade } from '../upgrade/upgrade.ts'
import { OWN_KEY, verifyRelease } from './verify.ts'

const SECOND_MS = 1000
const LIMIT_SECONDS = 120

interface Options {
  key?: string
  unit: string
  wait: string
  withoutBackup?: boolean
}

/** `causeway upgrade <file>`: a new version in the place of this one, or this one again with its data. */
export function upgradeCommand(): Command {
  return new Command('upgrade')
    .description('install a new version, and go back to this one by itself when the new one does not answer')
    .argument('<file>', 'the .deb of the new version, or its .tar.gz where this one was unpacked; its signature lies beside')
    .option('--key <file>', 'public key of its makers, instead of the one this release carries')
    .option('--unit <name>', 'systemd unit of the server', 'causeway')
    .option('--wait <seconds>', 'how long the new version may take until it answers', String(LIMIT_SECONDS))
    .option('--without-backup', 'make no backup: for a database of DATABASE_URL that was backed up by its own tools')
    .action(async (name: string, { key = OWN_KEY, unit, wait, withoutBackup: isWithoutBackup = false }: Options) => {
      const seconds = Number(wait)
      if (!Number.isInteger(seconds) || seconds < 1) throw new Error('--wait is a whole number of seconds.')
      console.log(await verifyRelease(name, key))
      const file = path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', name)
      console.log(await upgrade({ file, unit, limitMs: seconds * SECOND_MS, isWithoutBackup, onStep: console.log }))
    })
}

/** `causeway continue-upgrade`: what the unit of an upgrade runs. */
export function continueUpgradeCommand(): Command {
  return new Command('continue-upgrade')
    .description('go on with an upgrade that was begun, where a crash or a loss of power cut it off')
    .action(continueUpgrade)
}
