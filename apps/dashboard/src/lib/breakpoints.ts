/** Below this the general layout is the phone's. */
export const MOBILE_BREAKPOINT = '48em'
/** Below this the sidebar gives way to a drawer. */
export const SIDEBAR_BREAKPOINT = '64rem'
