// npm run db:migration <name>: makes an empty SQL file that sorts behind all others.
import { globSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const folder = path.resolve(import.meta.dirname, '../apps/server/src/db/migrations')
const name = process.argv[2]
if (name === undefined || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) {
  console.error('Give the migration a name of small letters, digits and dashes: npm run db:migration add-user-notes')
  process.exit(1)
}
// The minute keeps several of one day in order; "T" sorts them behind those that carry the day alone.
const file = `${new Date().toISOString().slice(0, 16).replace(':', '')}-${name}.sql`
const newest = globSync('*.sql', { cwd: folder }).toSorted().at(-1) ?? ''
if (file <= newest) {
  console.error(`${file} would sort before ${newest}, which databases have already run. Is the clock of this machine right?`)
  process.exit(1)
}
writeFileSync(path.join(folder, file), '-- Why this change, in a sentence.\n')
console.log(path.relative(process.cwd(), path.join(folder, file)))
