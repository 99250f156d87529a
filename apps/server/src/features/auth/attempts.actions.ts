import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { networkOf } from '../../lib/addresses.ts'
import { deleteAttempts, insertAttempt, listAttempts, listKnownAddresses, lockAttempts, type Window } from './attempts.queries.ts'
import { ATTEMPT_WINDOW_MINUTES, ATTEMPTS_PER_ACCOUNT, ATTEMPTS_PER_ADDRESS, secondsToWait } from './auth.rules.ts'

const LONGEST_ACCOUNT = 64
const KNOWN_FOR_DAYS = 30
/** Those of several servers, by less. */
const CLOCKS_DIFFER_MS = 60_000

/** A caller that signs in, or gives Basic credentials to a page outside the dashboard. */
interface Attempting extends Pick<Caller, 'address' | 'browserId'> {
  isAtPages?: boolean
  /** An account whose second factor is asked for, wherever from. */
  codeOf?: string
  /** A session that has its password asked again. A stolen session guesses on its own account only. */
  provingSession?: string
}

/** The keys that attempts of this caller are counted by. */
function sourceOf({ address, isAtPages, browserId, provingSession, codeOf }: Attempting): string {
  if (codeOf !== undefined) return `code of ${codeOf}`
  if (provingSession !== undefined) return `session ${provingSession}`
  // Guesses of strangers, be it from the same address, do not hold up a browser that has signed in before.
  if (browserId !== undefined) return `browser ${browserId}`
  const network = networkOf(address ?? '')
  // A scraper with a wrong password does not hold up administrators behind its address, nor the other way round.
  return isAtPages ? `pages of ${network}` : network
}

/**
 * The caller, as the account with this uuid knows it. A browser counts by itself only for accounts that it has signed in to:
 * a colleague could otherwise have as many browsers as it signs in from, and guess at others' passwords from each.
 */
export function asKnownTo(caller: Caller, adminUuid: string | undefined): Caller {
  const { browserId, browserAdmins = [], ...stranger } = caller
  return browserId !== undefined && adminUuid !== undefined && browserAdmins.includes(adminUuid) ? caller : stranger
}

/** Ways of signing in that name no account are counted by address alone. */
export const NO_ACCOUNT = ''

/**
 * Counts an attempt to sign in and refuses it when there were too many, before anything costly is done. Counting comes
 * first, under a lock, so that many attempts at once cannot slip through together.
 */
export async function countAttempt(ctx: Ctx, caller: Attempting, account: string): Promise<void> {
  const now = ctx.now()
  const attempt = { address: sourceOf(caller), account: normalise(account), at: now }
  const window = windowAt(now)
  let isAccountGuessed = false
  const oldestOfTooMany = await ctx.db.transaction().execute(async (tx) => {
    await lockAttempts(tx, attempt)
    const byAddress = await listAttempts(tx, { address: attempt.address }, window, ATTEMPTS_PER_ADDRESS)
    if (byAddress.length >= ATTEMPTS_PER_ADDRESS) return byAddress.at(-1)?.at
    if (attempt.account !== NO_ACCOUNT && caller.browserId === undefined) {
      const byAccount = await listAttempts(tx, { account: attempt.account }, window, ATTEMPTS_PER_ACCOUNT)
      // Strangers must not be able to lock the administrator out: an address that has signed in before is not held up.
      const knownSince = new Date(now.getTime() - KNOWN_FOR_DAYS * 86_400_000)
      // Machines with IPv6 have another address every day, in the same network.
      const isKnown = async () =>
        (await listKnownAddresses(tx, attempt.account, knownSince)).some((each) => networkOf(each ?? '') === attempt.address)
      isAccountGuessed = byAccount.length >= ATTEMPTS_PER_ACCOUNT && !(await isKnown())
      if (isAccountGuessed) return byAccount.at(-1)?.at
    }
    await insertAttempt(tx, attempt)
    return undefined
  })
  if (oldestOfTooMany) refuseForNow(oldestOfTooMany, now, isAccountGuessed ? OTHER_WAYS_IN : '')
}

/** Refuses an address that has guessed too often, without counting this time. */
export async function refuseGuessers(ctx: Ctx, caller: Attempting): Promise<void> {
  const now = ctx.now()
  const attempts = await listAttempts(ctx.db, { address: sourceOf(caller) }, windowAt(now), ATTEMPTS_PER_ADDRESS)
  const oldest = attempts.at(-1)?.at
  if (attempts.length >= ATTEMPTS_PER_ADDRESS && oldest) refuseForNow(oldest, now)
}

/** An attempt in the future was counted by a clock that has been set back since, and would lock out all until then. */
function windowAt(now: Date): Window {
  return { since: new Date(now.getTime() - ATTEMPT_WINDOW_MINUTES * 60_000), until: new Date(now.getTime() + CLOCKS_DIFFER_MS) }
}

/** Strangers can hold an account up for as long as they go on; its owner is told what they cannot hold up. */
const OTHER_WAYS_IN =
  ' A browser or network that has signed in here before is not held up, nor are other ways to sign in than the password.'

function refuseForNow(oldestOfTooMany: Date, now: Date, otherWays = ''): never {
  const retryAfterSeconds = secondsToWait(oldestOfTooMany, now)
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return fail(errors.tooManySignIns, {
    message: `Too many attempts to sign in. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.${otherWays}`,
    retryAfterSeconds,
  })
}

/** A successful sign-in clears the caller's attempts. */
export async function forgetAttempts(ctx: Ctx, caller: Attempting, account: string): Promise<void> {
  await deleteAttempts(ctx.db, { address: sourceOf(caller), account: normalise(account) })
}

function normalise(account: string): string {
  // An unstorable name would fail before it is counted.
  return account.toLowerCase().slice(0, LONGEST_ACCOUNT).replaceAll('\0', '')
}
