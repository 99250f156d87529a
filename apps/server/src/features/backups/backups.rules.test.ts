import { expect, test } from 'vitest'
import { cronLine } from './backups.rules.ts'

const plain = {
  hasOwnDatabase: false,
  dataDir: '/srv/causeway',
  backupDir: '/srv/causeway/backups',
  node: '/usr/bin/node',
  program: '/opt/causeway/apps/server/src/causeway.ts',
}

test('the command for cron names the folders, the Node and the program that the server runs', () => {
  expect(cronLine(plain)).toBe(
    '30 4 * * * DATA_DIR=/srv/causeway BACKUP_DIR=/srv/causeway/backups /usr/bin/node /opt/causeway/apps/server/src/causeway.ts backup > /dev/null',
  )
})

test('a path keeps its blanks, quotes and percent signs', () => {
  expect(cronLine({ ...plain, dataDir: "/srv/my panel's 100%" })).toContain(String.raw`DATA_DIR='/srv/my panel'\''s 100\%' `)
})

test('a database of its own is dumped by its own tools', () => {
  expect(cronLine({ ...plain, hasOwnDatabase: true })).toContain('pg_dump')
})
