import { expect, test } from 'vitest'
import { orderOf } from './order.ts'

const files = [
  { file: 'apps/server/src/app.ts', text: "import { a } from './features/a/a.queries.ts'\nimport './features/b/b.routes.ts'" },
  { file: 'apps/server/src/features/a/a.queries.ts', text: "import { z } from '@causeway/contract'" },
  { file: 'apps/server/src/features/a/other.test.ts', text: "import { start } from '../../../test/server.ts'" },
  { file: 'apps/server/src/features/a/a.routes.test.ts', text: "import { start } from '../../../test/server.ts'" },
  { file: 'apps/server/src/features/b/b.routes.test.ts', text: "import { start } from '../../../test/server.ts'" },
  { file: 'apps/server/src/features/b/b.rules.test.ts', text: "import { a } from '../a/a.queries.ts'" },
  { file: 'apps/server/src/features/c/c.test.ts', text: "import { nothing } from 'vitest'" },
  { file: 'apps/server/src/main.ts', text: '' },
  { file: 'apps/server/src/main.test.ts', text: "spawn(path.join(import.meta.dirname, 'main.ts'))" },
  { file: 'apps/server/test/server.ts', text: "const { app } = await import('../src/app.ts')" },
  { file: 'packages/contract/src/index.ts', text: "export * from './one.ts'" },
  { file: 'packages/contract/src/one.ts', text: '' },
]

test('tests that reach a file come with those beside it first, and what cannot see it is left out', () => {
  expect(orderOf(files).testsOf('apps/server/src/features/a/a.queries.ts')).toEqual([
    { test: 'apps/server/src/features/a/a.routes.test.ts', isNear: true },
    { test: 'apps/server/src/features/a/other.test.ts', isNear: true },
    { test: 'apps/server/src/features/b/b.rules.test.ts', isNear: true },
    { test: 'apps/server/src/features/b/b.routes.test.ts', isNear: false },
  ])
})

test('a package is reached by its name', () => {
  const tests = orderOf(files).testsOf('packages/contract/src/one.ts')
  expect(tests.map((each) => each.test)).toContain('apps/server/src/features/b/b.rules.test.ts')
})

test('a program is reached by tests that start it', () => {
  expect(orderOf(files).testsOf('apps/server/src/main.ts')).toEqual([{ test: 'apps/server/src/main.test.ts', isNear: true }])
})
