import { rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, type BuiltRelease } from './built-release.ts'
import { bootDebian, type Machine } from './debian.ts'

// The Debian package of the server on systems that boot systemd, without Node and without a network.

const VERSIONS = [12, 13] as const
const RESTARTS = 3
const ASKING_MS = 60_000

let release: BuiltRelease

test.beforeAll(() => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
})
test.afterAll(() => {
  if (release) rmSync(release.folder, { recursive: true })
})

for (const version of VERSIONS) {
  test.describe(`Debian ${version}`, () => {
    test.describe.configure({ mode: 'serial' })
    let machine: Machine

    test.beforeAll(async () => {
      test.setTimeout(BUILD_LIMIT_MS)
      machine = await bootDebian(release.folder, version)
    })
    test.afterAll(() => machine?.stop())

    test('SHIP-003 the package installs without Node and network, serves, and survives a reboot', async () => {
      expect(machine.attempt('command -v node').code).not.toBe(0)
      machine.run(`dpkg -i /files/${path.basename(release.deb)}`)
      await healthy(machine)
      machine.signIn()
      machine.run(`sed -i 's/^#LOG_LEVEL=$/LOG_LEVEL=warn/' /etc/causeway/causeway.env`)
      await machine.reboot()
      await healthy(machine)
      expect(machine.run('systemctl show causeway -p User --value').trim()).toBe('causeway')
      machine.signIn()
    })

    test('SHIP-012 subcommands know the settings of the package, and a mistake in its file is told with its line', async () => {
      expect(machine.run('cd /; causeway health')).toContain('The server answers at http://127.0.0.1:3000.')
      expect(machine.run('cd /; runuser -u causeway -- causeway admin list')).toMatch(/open sessions?/)
      const doctor = machine.attempt('cd /; causeway doctor')
      expect([doctor.code, doctor.text]).toEqual([
        0,
        expect.stringMatching(/^ok +settings +1 settings in \/etc\/causeway\/causeway.env\.$/m),
      ])
      machine.run(`cd /; runuser -u causeway -- causeway backup && ls /var/lib/causeway/backups`)
      const lines = Number(machine.run('wc -l < /etc/causeway/causeway.env'))
      machine.run(`cp -a /etc/causeway/causeway.env /root/kept; printf 'PUBLC_URL=x\\nPORT=80a\\n' >> /etc/causeway/causeway.env`)
      machine.attempt('systemctl restart causeway')
      const log = () => machine.run('journalctl -u causeway --no-pager -n 30')
      const place = (line: number) => `/etc/causeway/causeway.env, line ${line}:`
      await until('the log tells it', () => log().includes(`${place(lines + 2)} PORT must be a whole number`))
      expect(machine.attempt('causeway doctor').text).toContain(`${place(lines + 2)} PORT must be a whole number`)
      machine.run(`sed -i /80a/d /etc/causeway/causeway.env; systemctl restart causeway`)
      await healthy(machine)
      expect(log()).toContain(`${place(lines + 1)} PUBLC_URL is no setting. Write PUBLIC_URL.`)
      machine.run('cat /root/kept > /etc/causeway/causeway.env; systemctl restart causeway')
      await healthy(machine)
    })

    test('SHIP-004 the unit of the server is exposed by 3.0 at most', () => {
      const said = machine.run('systemd-analyze security causeway --no-pager | tail -1')
      const [, level = '10'] = /exposure level for causeway.service: ([\d.]+)/.exec(said) ?? []
      expect(Number(level)).toBeLessThanOrEqual(3)
    })

    test('SHIP-003 no connection is refused while the server restarts, and changed settings move the ports', async () => {
      test.setTimeout(BUILD_LIMIT_MS)
      const ask = `curl -s -m 60 -o /dev/null -w '%{http_code}\\n' http://127.0.0.1:3000/health >> /root/answers || echo "failed $?" >> /root/answers`
      const asking = machine.background(`while [ ! -e /root/enough ]; do ${ask}; sleep 0.02; done`)
      for (let at = 0; at < RESTARTS; at++) machine.run('systemctl restart causeway')
      machine.run('touch /root/enough')
      await asking
      const answers = machine.run('sort /root/answers | uniq').trim()
      expect(answers).toBe('200')

      // The same port on all addresses, which the held socket would be in the way of; then back.
      machine.run(`sed -i 's/^#HOST=$/HOST=0.0.0.0/' /etc/causeway/causeway.env; systemctl restart causeway`)
      await healthy(machine)
      expect(machine.run('ss -Hltn sport = :3000')).toContain('0.0.0.0:3000')
      expect(machine.run('systemctl show causeway.socket -p Listen --value')).toContain('0.0.0.0:3000')
      machine.run(`sed -i 's/^HOST=.*$/#HOST=/' /etc/causeway/causeway.env; systemctl restart causeway`)
      await healthy(machine)
      expect(machine.run('ss -Hltn sport = :3000')).toContain('127.0.0.1:3000')
    })

    test('SHIP-003 a removed package keeps its data and says where; purging removes them', () => {
      expect(machine.run('dpkg --remove causeway 2>&1')).toContain('Its data are kept in /var/lib/causeway.')
      expect(machine.run('ls /var/lib/causeway/master.key /etc/causeway/causeway.env')).toContain('master.key')
      expect(machine.attempt('systemctl is-active causeway').text.trim()).not.toBe('active')
      expect(machine.run('ss -Hltn sport = :3000')).toBe('')
      machine.run('dpkg --purge causeway')
      expect(machine.run('ls -d /var/lib/causeway /etc/causeway /usr/lib/causeway 2>&1 || true')).not.toMatch(/^\//m)
    })
  })
}

async function healthy(machine: Machine): Promise<void> {
  const ask = 'curl -sf -m 2 http://127.0.0.1:3000/health'
  await until('the server answers', () => machine.attempt(ask).code === 0, 2 * ASKING_MS)
}
