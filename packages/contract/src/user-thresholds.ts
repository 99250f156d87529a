// Where one word for a user ends and another begins. Apart from users.ts: what is shown of a date needs no schemas.

/** The year by which the wire writes that access never ends. */
export const NEVER_YEAR = 2099

/** An expiry in that year or later is none. */
export function neverExpires(expireAt: Date): boolean {
  return expireAt.getUTCFullYear() >= NEVER_YEAR
}

/** Users with traffic within this time count as online: four polls. */
export const ONLINE_MS = 60_000

/** Users at or above this share of the traffic limit are near it; nodes with a limit too. */
export const NEAR_LIMIT_SHARE = 0.9
