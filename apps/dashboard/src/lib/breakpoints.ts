/** Below this the general layout is the phone's. */
export const MOBILE_BREAKPOINT = '48em'
/** Below this list rows take their tall form. */
export const LIST_ROW_BREAKPOINT = '768px'
/** Below this the sidebar gives way to a drawer. */
export const SIDEBAR_BREAKPOINT = '64rem'
