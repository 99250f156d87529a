import { expect, test } from 'vitest'
import { examineFile } from './program.ts'
import { findService, parseUnit } from './service.ts'
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
