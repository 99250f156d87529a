import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, rmdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { AWAY, KEPT } from './plan.ts'

/** The unit in which an upgrade runs: it outlives the terminal, and systemd starts it again after a crash or a boot. */
const UPGRADE_UNIT = 'causeway-upgrade'
const UNITS = '/etc/systemd/system'
const UNIT_FILE = path.join(UNITS, `${UPGRADE_UNIT}.service`)

/** `program` is a copy of the old program: the installed one changes under its feet. */
export function installUpgradeUnits(unit: string, program: string): void {
  const lines = [
    '[Unit]',
    'Description=Upgrade of Causeway, which goes on after a crash or a loss of power',
    `ConditionPathExists=${KEPT}/plan.json`,
    `RequiresMountsFor=${KEPT} ${program}`,
    '[Service]',
    `ExecStart=${program} continue-upgrade`,
    'Restart=on-failure',
    'RestartSec=1',
    '[Install]',
    'WantedBy=multi-user.target',
  ]
  writeFileSync(UNIT_FILE, `${lines.join('\n')}\n`)
  mkdirSync(path.dirname(dropInOf(unit)), { recursive: true })
  writeFileSync(dropInOf(unit), `[Unit]\nConditionPathExists=!${AWAY}\n`)
  execFileSync('systemctl', ['enable', UPGRADE_UNIT], { stdio: 'ignore' })
  execFileSync('systemctl', ['daemon-reload'])
}

export function startUpgradeUnit(): void {
  spawnSync('systemctl', ['reset-failed', UPGRADE_UNIT], { stdio: 'ignore' })
  execFileSync('systemctl', ['start', '--no-block', UPGRADE_UNIT])
}

export function isUpgradeActive(): boolean {
  const { stdout } = spawnSync('systemctl', ['is-active', UPGRADE_UNIT], { encoding: 'utf8' })
  return ['active', 'activating', 'deactivating', 'reloading'].includes((stdout ?? '').trim())
}

/** The process that runs in the unit goes on to its end. */
export function removeUpgradeUnits(unit: string): void {
  spawnSync('systemctl', ['disable', UPGRADE_UNIT], { stdio: 'ignore' })
  rmSync(UNIT_FILE, { force: true })
  rmSync(dropInOf(unit), { force: true })
  try {
    rmdirSync(path.dirname(dropInOf(unit)))
  } catch {
    // The administrator's own settings of the unit are there.
  }
  spawnSync('systemctl', ['daemon-reload'])
}

function dropInOf(unit: string): string {
  return path.join(UNITS, `${unit}.service.d`, 'causeway-upgrade.conf')
}
