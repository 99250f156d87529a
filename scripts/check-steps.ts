import { program, type Step } from './steps.ts'

/** The boundary rules run with the linter; boundaries.test.ts proves that they bite. */
export const checkSteps: Step[] = [
  program('types of the texts', process.execPath, ['scripts/text-types.ts']),
  program('types', 'tsc', ['-b']),
  program('lint and boundaries', 'oxlint', ['--deny-warnings']),
  program('format', 'oxfmt', ['--check', '.']),
  program('unused exports', process.execPath, ['scripts/unused-exports.ts']),
]
