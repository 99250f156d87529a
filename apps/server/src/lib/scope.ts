/** The whole installation: the scope of callers that belong to no reseller. Every query about many users takes a scope. */
export const everyone = 'everyone'

/** The users that a reseller sees: those in one of its squads and in no other. Bounds are of what it may promise; null bounds nothing. */
export interface ResellerScope {
  id: number
  name: string
  squadIds: readonly number[]
  squadUuids: readonly string[]
  maxUsers: number | null
  maxBytes: number | null
  maxDays: number | null
}
export type Scope = typeof everyone | ResellerScope
