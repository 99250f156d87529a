import type { DoctorFinding } from '@causeway/contract'
import { expect, test } from 'vitest'
import { byCheck } from './doctor.rules.ts'

const found = (
  check: DoctorFinding['check'],
  state: DoctorFinding['state'],
  finding: DoctorFinding['finding'],
): DoctorFinding => ({
  check,
  state,
  finding,
  values: {},
})

test('what is wrong comes first, and within a check too; the rest keeps the order of the checks', () => {
  const examined = byCheck([
    found('proxies', 'ok', 'proxies'),
    found('nodes', 'warning', 'noNodes'),
    found('database', 'ok', 'databaseOwn'),
    found('database', 'bad', 'databaseUnsafe'),
    found('version', 'ok', 'version'),
  ])
  expect(examined.map(({ check, state }) => [check, state])).toEqual([
    ['database', 'bad'],
    ['nodes', 'warning'],
    ['version', 'ok'],
    ['proxies', 'ok'],
  ])
  expect(examined[0]?.findings.map(({ finding }) => finding)).toEqual(['databaseUnsafe', 'databaseOwn'])
})
