// Finds values that are exported and named in no other file (types describe the values beside them). By text, not by types: a name that is common hides its unused namesake,
// but nothing that is used is ever reported. The linter has no such rule and the known tools need TypeScript's old API.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const SOURCES = '{apps,packages,scripts,e2e,bench}/**/*.{ts,tsx,mjs}'
const IGNORED = ['**/node_modules/**', '**/dist/**', '**/gen/**']
/** The contract is read as a whole (Object.values), and wire-conformance is a program of its own. */
const READ_AS_A_WHOLE = /^packages\/(contract|wire-conformance)\//
const FRONT_DOOR = /^packages\/[^/]+\/src\/index\.ts$/
const DECLARATION = /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class) (\w+)/gm
/** Other programs read these by name. */
const READ_BY_TOOLS = new Set(['apps/server/test/postgres.ts setup'])

const files = globSync(SOURCES, { cwd: root, exclude: IGNORED }).map((file) => file.split(path.sep).join('/'))
const words = new Map(files.map((file) => [file, new Set(readFileSync(path.join(root, file), 'utf8').match(/\w+/g))]))
const users = files.filter((file) => !FRONT_DOOR.test(file))

const unused = files
  .filter((file) => !READ_AS_A_WHOLE.test(file) && !FRONT_DOOR.test(file))
  .flatMap((file) =>
    Array.from(readFileSync(path.join(root, file), 'utf8').matchAll(DECLARATION), (match) => ({ file, name: match[1] ?? '' })),
  )
  .filter(({ file, name }) => !READ_BY_TOOLS.has(`${file} ${name}`))
  .filter(({ file, name }) => !users.some((user) => user !== file && words.get(user)?.has(name)))

if (files.length === 0) throw new Error('Not one source file was read.')
for (const { file, name } of unused) console.error(`${file}: ${name} is exported and used nowhere else`)
console.log(`${files.length} files read, ${unused.length} unused exports`)
process.exit(unused.length > 0 ? 1 : 0)
