import { program, type Step } from './steps.ts'

export const textTypes = program('types of the texts', process.execPath, ['scripts/text-types.ts'])
export const types = program('types', 'tsc', ['-b'])
/** The boundary rules run with the linter; boundaries.test.ts proves that they bite. */
export const otherChecks: Step[] = [
  program('lint and boundaries', 'oxlint', ['--deny-warnings']),
  program('format', 'oxfmt', ['--check', '.']),
  program('unused exports', process.execPath, ['scripts/unused-exports.ts']),
]
export const checkSteps: Step[] = [textTypes, types, ...otherChecks]
/** Tests that compare the database and its statements with the reviewed files. */
export const DATABASE_SNAPSHOTS = ['apps/server/src/db/schema.test.ts', 'apps/server/test/walk/writes.test.ts']
