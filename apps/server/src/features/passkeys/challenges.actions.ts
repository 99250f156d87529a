import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Ctx } from '../../ctx.ts'
import type { PasskeyPurpose } from '../../db/tables.ts'
import { signingKey } from '../auth/sessions.actions.ts'
import { insertChallenge, takeChallenge } from './passkeys.queries.ts'

// Challenges that passkeys sign. Each serves once, for five minutes.

const LIFETIME_MS = 5 * 60_000
const RANDOM_BYTES = 16
const BODY_BYTES = RANDOM_BYTES + 8
const MAC_BYTES = 32

/** Stores a challenge for an account or an invited person. */
export async function keepChallenge(ctx: Ctx, challenge: string, purpose: PasskeyPurpose, adminId: number | null): Promise<void> {
  await insertChallenge(ctx.db, { challengeHash: digest(challenge), purpose, adminId, expiresAt: endOf(ctx) })
}

/** Whether a signed challenge is one of ours for this purpose. It is used up, right or wrong. */
export async function isChallenge(
  ctx: Ctx,
  challenge: string,
  purpose: PasskeyPurpose,
  adminId: number | null,
): Promise<boolean> {
  if (purpose === 'signIn') return isSignInChallenge(ctx, challenge)
  const kept = await takeChallenge(ctx.db, digest(challenge))
  return kept !== undefined && kept.purpose === purpose && kept.adminId === adminId && kept.expiresAt > ctx.now()
}

/** A challenge for a sign-in, which strangers may ask for: it carries its end and our seal, so that asking stores nothing. */
export async function newSignInChallenge(ctx: Ctx): Promise<Uint8Array<ArrayBuffer>> {
  const body = Buffer.alloc(BODY_BYTES)
  randomBytes(RANDOM_BYTES).copy(body)
  body.writeBigUInt64BE(BigInt(endOf(ctx).getTime()), RANDOM_BYTES)
  return new Uint8Array(Buffer.concat([body, await sealOf(ctx, body)]))
}

async function isSignInChallenge(ctx: Ctx, challenge: string): Promise<boolean> {
  const bytes = Buffer.from(challenge, 'base64url')
  if (bytes.length !== BODY_BYTES + MAC_BYTES) return false
  const [body, seal] = [bytes.subarray(0, BODY_BYTES), bytes.subarray(BODY_BYTES)]
  const expiresAt = new Date(Number(body.readBigUInt64BE(RANDOM_BYTES)))
  if (!timingSafeEqual(seal, await sealOf(ctx, body)) || expiresAt <= ctx.now()) return false
  // Of the bytes, as one challenge can be written in several ways.
  const challengeHash = digest(bytes.toString('base64url'))
  return insertChallenge(ctx.db, { challengeHash, purpose: 'signIn', adminId: null, expiresAt })
}

async function sealOf(ctx: Ctx, body: Buffer): Promise<Buffer> {
  return createHmac('sha256', await signingKey(ctx))
    .update('challenge of a sign-in by passkey')
    .update(body)
    .digest()
}

const endOf = (ctx: Ctx) => new Date(ctx.now().getTime() + LIFETIME_MS)
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
