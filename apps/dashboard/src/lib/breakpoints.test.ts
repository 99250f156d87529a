import { expect, it } from 'vitest'
import { LIST_ROW_BREAKPOINT, MOBILE_BREAKPOINT } from './breakpoints.ts'

it('CONST-001 the general breakpoint is 48em and the list-row breakpoint 768 px', () => {
  expect([MOBILE_BREAKPOINT, LIST_ROW_BREAKPOINT]).toEqual(['48em', '768px'])
})
