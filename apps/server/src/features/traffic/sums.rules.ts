/** Closed days that belong to a period beside the running one (decision 024). */
export const CLOSED_DAYS = { week: 6, thirtyDays: 29 } as const
