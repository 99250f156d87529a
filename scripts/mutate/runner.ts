// Started by clone.ts within a clone: one vitest that stays, as reading the configuration, the packages and the browser anew
// takes longer than most tests that are run for a broken line.
import path from 'node:path'
import { createVitest, type Reporter } from 'vitest/node'

/** What is sent: tests to run, after these files have changed. */
export interface Order {
  changed: string[]
  tests: string[]
}
/** What is answered. */
export interface Outcome {
  failed: { test: string; message: string }[]
}

const root = process.cwd()
let failed: Outcome['failed'] = []
const reporter: Reporter = {
  onTestModuleEnd: (module) => {
    if (module.ok()) return
    const errors = [
      ...module.errors(),
      ...Array.from(module.children.allTests('failed'), (test) => test.result().errors ?? []).flat(),
    ]
    failed.push({ test: path.relative(root, module.moduleId), message: errors[0]?.message ?? '' })
  },
  onTestRunEnd: (_modules, errors) => {
    for (const { message } of errors) failed.push({ test: '', message })
  },
}
const bail = Number(process.argv[2] ?? 0)
const vitest = await createVitest('test', { root, watch: false, bail, maxWorkers: 2, reporters: [reporter], update: false })
await vitest.standalone()

process.on('message', (order: Order) => void run(order))
process.on('disconnect', () => void vitest.close().finally(() => process.exit()))
process.send?.('ready')

async function run({ changed, tests }: Order): Promise<void> {
  failed = []
  for (const file of changed) vitest.invalidateFile(path.join(root, file))
  const specifications = tests.flatMap((test) => vitest.getModuleSpecifications(path.join(root, test)))
  if (specifications.length > 0) await vitest.runTestSpecifications(specifications)
  process.send?.({ failed } satisfies Outcome)
}
