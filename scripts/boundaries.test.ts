import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

// The check proves itself: one forbidden line per rule is planted in a copy of the house, and each must be found.
const root = path.resolve(import.meta.dirname, '..')
const house = mkdtempSync(path.join(tmpdir(), 'causeway-boundaries-'))
afterAll(() => rmSync(house, { recursive: true, force: true }))

const server = 'apps/server/src'
const dashboard = 'apps/dashboard/src'

/** File, its text, and the beginning of what must be said about it. */
const planted: [file: string, text: string, message: string][] = [
  [`${server}/lib/circle-a.ts`, `import { b } from './circle-b.ts'\nexport const a = () => b`, 'Dependency cycle'],
  [`${server}/lib/circle-b.ts`, `import type { a } from './circle-a.ts'\nexport const b: typeof a | 1 = 1`, 'Dependency cycle'],
  [`${server}/lib/other-app.ts`, `export { start } from '../../../agent/src/main.ts'`, 'Rule 2,'],
  [`${dashboard}/lib/other-app.ts`, `import type { Ctx } from '@causeway/server'\nexport type C = Ctx`, 'Rule 2,'],
  ['packages/xray/src/app.ts', `import { x } from '../../../apps/agent/src/main.ts'\nexport const y = x`, 'Rule 2,'],
  [`${server}/lib/inside.ts`, `import { user } from '@causeway/contract/src/users.ts'\nexport const u = user`, 'Rule 3,'],
  [
    `${server}/lib/around.ts`,
    `import { user } from '../../../../packages/contract/src/users.ts'\nexport const u = user`,
    'Rule 3,',
  ],
  ['packages/contract/src/lodash.ts', `import type { X } from 'kysely'\nexport type Y = X`, 'Rule 4,'],
  ['packages/subscription/src/file.ts', `import { readFileSync } from 'node:fs'\nexport const r = readFileSync`, 'Rule 5,'],
  ['packages/xray/src/upward.ts', `import { x } from '@causeway/subscription'\nexport const y = x`, 'Rule 5,'],
  ['packages/xray/src/clock.ts', `export const now = () => Date.now()`, 'Rule 5:'],
  ['packages/xray/src/new-date.ts', `export const now = () => new Date()`, 'Rule 5:'],
  ['packages/xray/src/called-date.ts', `export const now = () => Date()`, 'Rule 5:'],
  ['packages/subscription/src/own-day.ts', `export const day = (at: Date) => at.getDate()`, 'Rule 19:'],
  ['packages/subscription/src/own-midnight.ts', `export const at = (y: number, m: number) => new Date(y, m, 1)`, 'Rule 19:'],
  ['packages/contract/src/own-text.ts', `export const day = (at: Date) => at.toLocaleDateString('en')`, 'Rule 19:'],
  [`${server}/lib/own-hour.ts`, `export const hour = (at: Date) => at['getHours']()`, 'Rule 19:'],
  [`${server}/features/users/index.ts`, `export const a = 1`, 'Rule 6:'],
  [`${server}/main.ts`, `import { r } from './features/users/users.routes.ts'\nexport const a = r`, 'Rule 7,'],
  [`${server}/features/users/users.actions.ts`, `import { j } from '../nodes/nodes.jobs.ts'\nexport const a = j`, 'Rule 8,'],
  [`${server}/features/users/users.rules.ts`, `import type { Db } from '../../db/connect.ts'\nexport type A = Db`, 'Rule 9,'],
  [`${server}/features/users/disk.rules.ts`, `import { readFileSync } from 'node:fs'\nexport const a = readFileSync`, 'Rule 9,'],
  [`${server}/features/users/users.queries.ts`, `import { fail } from '../../http/errors.ts'\nexport const a = fail`, 'Rule 10,'],
  [`${server}/features/users/net.queries.ts`, `import { fetch } from 'undici'\nexport const a = fetch`, 'Rule 10,'],
  [`${server}/features/users/edit.actions.ts`, `import { c } from '../nodes/agent-client.ts'\nexport const a = c`, 'Rule 11,'],
  [
    `${server}/ground/members.queries.ts`,
    `import { q } from '../features/users/users.queries.ts'\nexport const a = q`,
    'Rule 12,',
  ],
  [`${server}/lib/upward.ts`, `import { q } from '../jobs/jobs.queries.ts'\nexport const a = q`, 'Rule 12,'],
  [`${server}/http/guard.ts`, `import { s } from '../features/auth/auth.queries.ts'\nexport const a = s`, 'Rule 12,'],
  [`${dashboard}/shell/frame.tsx`, `const a = () => import('../features/users/users-page.tsx')\nexport const b = a`, 'Rule 13,'],
  [`${dashboard}/features/users/users-table.tsx`, `import { t } from '../nodes/nodes-table.tsx'\nexport const a = t`, 'Rule 14,'],
  [`${dashboard}/shell/header.tsx`, `import { t } from '../features/nodes/nodes-table.tsx'\nexport const a = t`, 'Rule 14,'],
  [`${dashboard}/api/call.ts`, `import { t } from '../features/nodes/parts/node-badge.tsx'\nexport const a = t`, 'Rule 15,'],
  [`${dashboard}/ui/live-badge.tsx`, `import { call } from '../api/call.ts'\nexport const a = call`, 'Rule 16,'],
  [`${dashboard}/lib/ask.ts`, `export const a = async () => await fetch('/api')`, 'Rule 16:'],
  [`${server}/lib/published.ts`, `import type { X } from '@remnawave/backend-contract'\nexport type Y = X`, 'Rule 17,'],
  // A circle of features need not be one of files: each arrow alone is allowed.
  [`${server}/features/one/one.actions.ts`, `import { a } from '../two/two.rules.ts'\nexport const b = a`, 'Rule 18,'],
  [`${server}/features/two/two.actions.ts`, `import { a } from '../three/three.rules.ts'\nexport const b = a`, 'Rule 18,'],
  [`${server}/features/three/three.actions.ts`, `import type { A } from '../one/one.rules.ts'\nexport type B = A`, 'Rule 18,'],
  [`${dashboard}/ui/crowd/file-01.ts`, `export const a = 1`, 'Rule 20,'],
  [`${server}/features/users/sql.actions.ts`, `import { sql } from 'kysely'\nexport const a = sql`, 'Rule 21:'],
  [`${server}/lib/CamelCase.ts`, `export const a = 1`, 'File names are kebab-case'],
  [`${server}/lib/default-export.ts`, `const a = 1\nexport default a`, 'Named exports only'],
  ['packages/contract/src/numbers.ts', `import { z } from 'zod'\nexport const n = z.int()`, 'z.int differs from the wire'],
  ['packages/contract/src/times.ts', `import { z } from 'zod'\nexport const n = z.iso.datetime()`, 'z.iso differs from the wire'],
]

/** What looks alike and is allowed: the rules must not cry wolf. */
const allowed: [file: string, text: string][] = [
  [`${server}/app.ts`, `import { r } from './features/users/users.routes.ts'\nexport const a = r`],
  [`${server}/schedule.ts`, `import { j } from './features/users/users.jobs.ts'\nexport const a = j`],
  [
    `${server}/features/users/ok.queries.ts`,
    `import { sql } from 'kysely'\nimport { a } from '../nodes/nodes.queries.ts'\nexport const b = [sql, a]`,
  ],
  [
    `${server}/features/users/ok.rules.ts`,
    `import { user } from '@causeway/contract'\nimport { a } from '../nodes/nodes.rules.ts'\nexport const b = [user, a]`,
  ],
  [`${server}/features/nodes/ok.actions.ts`, `import { j } from './nodes.jobs.ts'\nexport const b = j`],
  [`${server}/features/users/ok.actions.ts`, `import { a } from '../nodes/nodes.actions.ts'\nexport const b = a`],
  [`${server}/features/users/users.routes.test.ts`, `import { r } from './users.routes.ts'\nexport const a = r`],
  [`${dashboard}/features/users/ok-table.tsx`, `import { t } from '../nodes/parts/node-badge.tsx'\nexport const a = t`],
  [`${dashboard}/features/users/users-page.tsx`, `const a = 1\nexport default a`],
  [`${dashboard}/routes.tsx`, `export const a = () => import('./features/users/users-page.tsx')`],
  [`${dashboard}/features/users/users.route.ts`, `export const a = () => import('./users-page.tsx')`],
  [`${dashboard}/shell/nav.ts`, `import { r } from '../features/users/users.route.ts'\nexport const a = r`],
  ['packages/subscription/src/ok.ts', `import { x } from '@causeway/xray'\nexport const y = (at: number) => [x, new Date(at)]`],
  ['packages/subscription/src/ok-utc.ts', `export const day = (at: Date) => new Date(Date.UTC(at.getUTCFullYear(), 1, 1))`],
  ...Array.from({ length: 24 }, (_, n): [string, string] => [
    `${dashboard}/ui/crowd/file-${String(n + 2).padStart(2, '0')}.ts`,
    `export const a = 1`,
  ]),
  [`${server}/db/ok-sql.ts`, `import { sql } from 'kysely'\nexport const a = sql`],
  [`${server}/lib/ok-own-zone.test.ts`, `export const at = new Date(2026, 1, 1).getDate()`],
  [
    'packages/contract/src/ok.ts',
    `import { z } from 'zod'\nimport { wireInt } from './wire.ts'\nexport const n = z.object({ wireInt })`,
  ],
]

interface Diagnostic {
  filename: string
  message: string
}

const report = lintTheHouse()

describe('the boundary check', () => {
  it('reads every module it is given', () => {
    expect(report.number_of_files).toBe(planted.length + allowed.length + 1) // and its own plugin
  })

  it.each(planted)('finds the forbidden line in %s', (file, _text, message) => {
    expect(messagesFor(file)).toEqual(expect.arrayContaining([expect.stringMatching(new RegExp(`^${message}`))]))
  })

  it.each(allowed)('lets %s be', (file) => {
    expect(messagesFor(file)).toEqual([])
  })
})

function lintTheHouse(): { diagnostics: Diagnostic[]; number_of_files: number } {
  for (const [file, text] of [...planted, ...allowed]) {
    mkdirSync(path.join(house, path.dirname(file)), { recursive: true })
    writeFileSync(path.join(house, file), `${text}\n`)
  }
  mkdirSync(path.join(house, 'scripts'))
  cpSync(path.join(root, 'scripts/oxlint-boundaries.mjs'), path.join(house, 'scripts/oxlint-boundaries.mjs'))
  cpSync(path.join(root, '.oxlintrc.json'), path.join(house, '.oxlintrc.json'))
  const result = spawnSync(path.join(root, 'node_modules/.bin/oxlint'), ['--format', 'json'], { cwd: house, encoding: 'utf8' })
  return JSON.parse(result.stdout) as ReturnType<typeof lintTheHouse> // oxlint's own report
}

function messagesFor(file: string): string[] {
  return report.diagnostics.filter((diagnostic) => diagnostic.filename === file).map((diagnostic) => diagnostic.message)
}
