import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { examineFile, openProgram } from './program.ts'
import { endOf, findService, isStart, parseUnit } from './service.ts'
import { socketUnit } from './sockets.ts'

// Upgrades themselves are made on a system with systemd (e2e/systems/debian.e2e.ts, e2e/systems/upgrade.e2e.ts).

test('SHIP-010 what systemd says of the unit is read: account, environment and its files', () => {
  const text = [
    'User=causeway',
    'Environment=DATA_DIR=/var/lib/causeway NODE_COMPILE_CACHE=/var/cache/causeway',
    'EnvironmentFiles=/etc/causeway/causeway.env (ignore_errors=yes)',
    'LoadState=loaded',
  ]
  expect(parseUnit(text.join('\n'))).toEqual({
    LoadState: 'loaded',
    User: 'causeway',
    env: { DATA_DIR: '/var/lib/causeway', NODE_COMPILE_CACHE: '/var/cache/causeway' },
    files: ['/etc/causeway/causeway.env'],
  })
})

test('SHIP-010 a unit that is still starting is told from one that is started again and again', () => {
  expect(isStart('ActiveState=activating\nSubState=start-pre\n')).toBe(true)
  expect(isStart('ActiveState=activating\nSubState=auto-restart\n')).toBe(false)
  expect(isStart('ActiveState=active\nSubState=running\n')).toBe(false)
})

test('SHIP-010 of a program that ends by itself it is said how often and with what', () => {
  expect(endOf('NRestarts=0\nExecMainStatus=0\n')).toBeUndefined()
  expect(endOf('NRestarts=4\nExecMainStatus=1\n')).toBe('systemd has started it again 4 times, as it ended with 1')
  expect(endOf('NRestarts=1\nExecMainStatus=0\n')).toBe('systemd has started it again 1 time')
})

test('SHIP-010 without its unit, or with a file that is for something else, nothing begins', () => {
  expect(() => findService('no-such-causeway')).toThrow('There is no systemd unit no-such-causeway; --unit names another one.')
  const other = process.arch === 'x64' ? 'arm64' : 'x64'
  expect(() => examineFile(`/a/causeway-1.2.3-linux-${other}.tar.gz`)).toThrow(
    `is for ${other}, and this machine is ${process.arch}.`,
  )
  expect(() => examineFile('/a/causeway-node.zip')).toThrow('is no release of the server')
  expect(() => examineFile('/a/none.deb')).toThrow('/a/none.deb is no Debian package.')
  expect(examineFile(`/a/causeway-1.2.3-linux-${process.arch}.tar.gz`).version).toBe('1.2.3')
})

test('SHIP-010 the unit of the ports follows the settings, and a name leaves them to the server', () => {
  const unit = socketUnit('causeway', { HOST: '::', PORT: 443, ROLE: 'all', redirectPort: 80 })
  expect(unit?.match(/^ListenStream=.*$/gm)).toEqual(['ListenStream=[::]:443', 'ListenStream=[::]:80'])
  expect(unit).toContain('Service=causeway-waiting.service')
  expect(socketUnit('causeway', { HOST: 'panel.test', PORT: 443, ROLE: 'all', redirectPort: 80 })).toBeUndefined()
  expect(socketUnit('causeway', { HOST: '::', PORT: 443, ROLE: 'jobs', redirectPort: 80 })).toBeUndefined()
})

test('SHIP-010 an unpacked release is replaced and put back, also when a step is repeated after it was cut off', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-upgrade-'))
  const root = path.join(folder, 'causeway')
  const next = path.join(folder, 'causeway-0.3.0-linux-x64')
  for (const [place, version] of [
    [root, 'old'],
    [next, 'new'],
  ] as const) {
    mkdirSync(place)
    writeFileSync(path.join(place, 'version'), version)
  }
  const file = `${next}.tar.gz`
  execFileSync('tar', ['czf', file, '-C', folder, path.basename(next)])
  const installed = () => readFileSync(path.join(root, 'version'), 'utf8')
  const program = openProgram({ kind: 'archive', file, root, oldVersion: '0.2.0', newVersion: '0.3.0' })
  program.keepOld()
  expect(installed()).toBe('old')
  // Cut off between the two renames.
  renameSync(root, `${root}.previous-0.2.0`)
  program.install()
  program.install()
  expect(installed()).toBe('new')
  program.putBack()
  program.putBack()
  expect(installed()).toBe('old')
  program.tidy()
  expect(readdirSync(folder).toSorted()).toEqual(['causeway', path.basename(next), path.basename(file)])
  rmSync(folder, { recursive: true })
})
