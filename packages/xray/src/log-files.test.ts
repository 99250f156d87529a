import { expect, it } from 'vitest'
import { checkLogFiles } from './log-files.ts'

const folders = ['/etc/letsencrypt', '/srv/certs/']
const problems = (log: unknown) => checkLogFiles({ log }, folders).map(({ path }) => path)

it.each<[string, unknown, string[]]>([
  ['nothing', undefined, []],
  ['"none" and empty', { access: 'none', error: '' }, []],
  ['files inside', { access: '/etc/letsencrypt/xray/access.log', error: '/srv/certs/error.log' }, []],
  ['a file elsewhere', { access: '/etc/cron.d/x', error: 'none' }, ['log.access']],
  ['both elsewhere', { access: '/root/.ssh/authorized_keys', error: '/etc/passwd' }, ['log.access', 'log.error']],
  ['a way out', { access: '/etc/letsencrypt/../cron.d/x' }, ['log.access']],
  ['a folder of a longer name', { access: '/etc/letsencrypt-evil/x' }, ['log.access']],
  ['the folder itself', { access: '/etc/letsencrypt/' }, ['log.access']],
  ['a relative file', { error: 'access.log' }, ['log.error']],
  ['"None", which the core takes for a file', { access: 'None' }, ['log.access']],
  ['a key', { access: '/etc/letsencrypt/live/a/privkey.pem' }, ['log.access']],
])('a log section with %s', (_, log, expected) => {
  expect(problems(log)).toEqual(expected)
})

it('the sentence names file and folders', () => {
  expect(checkLogFiles({ log: { access: '/etc/passwd' } }, folders)).toEqual([
    {
      path: 'log.access',
      message:
        'The log file /etc/passwd is not in a folder of LOG_DIRS (/etc/letsencrypt, /srv/certs/). Name one there, or "none".',
    },
  ])
})
