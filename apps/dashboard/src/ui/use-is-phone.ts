import { useMediaQuery } from '@mantine/hooks'
import { MOBILE_BREAKPOINT } from '../lib/breakpoints.ts'

/** Whether the general layout is the phone's: known with the first drawing, so that nothing jumps. */
export function useIsPhone(): boolean {
  return useMediaQuery(`(max-width: ${MOBILE_BREAKPOINT})`, undefined, { getInitialValueInEffect: false })
}
