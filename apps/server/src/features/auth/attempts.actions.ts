import { errors } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { deleteAttempts, insertAttempt, listAttempts, listKnownAddresses, lockAttempts, type Window } from './attempts.queries.ts'
import { addressBucket, ATTEMPT_WINDOW_MINUTES, ATTEMPTS_PER_ACCOUNT, ATTEMPTS_PER_ADDRESS, secondsToWait } from './auth.rules.ts'

const LONGEST_ACCOUNT = 64
const KNOWN_FOR_DAYS = 30
/** Those of several servers, by less. */
const CLOCKS_DIFFER_MS = 60_000

/** Ways of signing in that name no account are counted by address alone. */
export const NO_ACCOUNT = ''

/**
 * Counts an attempt to sign in and refuses it when there were too many, before anything costly is done. Counting comes
 * first, under a lock, so that many attempts at once cannot slip through together.
 */
export async function countAttempt(ctx: Ctx, caller: Caller, account: string): Promise<void> {
  const now = ctx.now()
  const attempt = { address: addressBucket(caller.address), account: normalise(account), at: now }
  const window = windowAt(now)
  const oldestOfTooMany = await ctx.db.transaction().execute(async (tx) => {
    await lockAttempts(tx, attempt)
    const byAddress = await listAttempts(tx, { address: attempt.address }, window, ATTEMPTS_PER_ADDRESS)
    if (byAddress.length >= ATTEMPTS_PER_ADDRESS) return byAddress.at(-1)?.at
    if (attempt.account !== NO_ACCOUNT) {
      const byAccount = await listAttempts(tx, { account: attempt.account }, window, ATTEMPTS_PER_ACCOUNT)
      // Strangers must not be able to lock the administrator out: an address that has signed in before is not held up.
      const knownSince = new Date(now.getTime() - KNOWN_FOR_DAYS * 86_400_000)
      // Machines with IPv6 have another address every day, in the same network.
      const isKnown = async () =>
        (await listKnownAddresses(tx, knownSince)).some((each) => addressBucket(each) === attempt.address)
      if (byAccount.length >= ATTEMPTS_PER_ACCOUNT && !(await isKnown())) return byAccount.at(-1)?.at
    }
    await insertAttempt(tx, attempt)
    return undefined
  })
  if (oldestOfTooMany) refuseForNow(oldestOfTooMany, now)
}

/** Refuses an address that has guessed too often, without counting this time. */
export async function refuseGuessers(ctx: Ctx, caller: Caller): Promise<void> {
  const now = ctx.now()
  const attempts = await listAttempts(ctx.db, { address: addressBucket(caller.address) }, windowAt(now), ATTEMPTS_PER_ADDRESS)
  const oldest = attempts.at(-1)?.at
  if (attempts.length >= ATTEMPTS_PER_ADDRESS && oldest) refuseForNow(oldest, now)
}

/** What is later than now was counted by a clock that has been set back since, and would keep everybody out until then. */
function windowAt(now: Date): Window {
  return { since: new Date(now.getTime() - ATTEMPT_WINDOW_MINUTES * 60_000), until: new Date(now.getTime() + CLOCKS_DIFFER_MS) }
}

function refuseForNow(oldestOfTooMany: Date, now: Date): never {
  const retryAfterSeconds = secondsToWait(oldestOfTooMany, now)
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return fail(errors.tooManySignIns, {
    message: `Too many attempts to sign in. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    retryAfterSeconds,
  })
}

/** Who has signed in has not been guessing. */
export async function forgetAttempts(ctx: Ctx, caller: Caller, account: string): Promise<void> {
  await deleteAttempts(ctx.db, { address: addressBucket(caller.address), account: normalise(account) })
}

function normalise(account: string): string {
  // What cannot be stored would fail before it is counted.
  return account.toLowerCase().slice(0, LONGEST_ACCOUNT).replaceAll('\0', '')
}
