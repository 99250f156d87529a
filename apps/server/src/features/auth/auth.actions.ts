import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import type { FastifyRequest } from 'fastify'
import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { GuardError, origin } from '../../http/guards.ts'
import { write } from '../audit/audit.actions.ts'
import { findAdmin, findApiToken, findSessionAdmin, insertSession } from './auth.queries.ts'

const HOUR_MS = 3_600_000

const sessionClaims = z.object({ sid: z.guid(), uuid: z.guid(), username: z.string(), role: z.literal('ADMIN') })
const tokenClaims = z.object({ uuid: z.guid(), role: z.literal('API') })

/** The secret that signs sessions and API tokens, as bytes. */
export async function signingKey(ctx: Ctx): Promise<Uint8Array> {
  const secret =
    ctx.config.JWT_AUTH_SECRET ?? (await ctx.secrets.get('jwtAuthSecret', () => randomBytes(48).toString('base64url')))
  return new TextEncoder().encode(secret)
}

/** Who holds this token. Both kinds are checked against the database at every request, so that revoking works at once. */
export async function authenticate(ctx: Ctx, key: Uint8Array, token: string, request: FastifyRequest): Promise<Caller> {
  const verified = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: ctx.now() }).catch(() => {
    throw new GuardError('unauthorized')
  })
  const session = sessionClaims.safeParse(verified.payload)
  if (session.success) {
    const admin = await findSessionAdmin(ctx.db, session.data.sid, ctx.now())
    if (!admin || admin.uuid !== session.data.uuid) throw new GuardError('unauthorized')
    return { kind: 'admin', uuid: admin.uuid, name: admin.username, ...origin(request) }
  }
  const apiToken = tokenClaims.safeParse(verified.payload)
  if (!apiToken.success) throw new GuardError('forbiddenResource')
  const record = await findApiToken(ctx.db, apiToken.data.uuid)
  if (!record) throw new GuardError('forbiddenResource')
  return { kind: 'apiToken', uuid: record.uuid, name: record.tokenName, ...origin(request) }
}

/** Makes the first and only administrator and signs them in. */
export async function registerAdmin(ctx: Ctx, caller: Caller, { username, password }: { username: string; password: string }) {
  if (await findAdmin(ctx.db)) fail('A004')
  const passwordHash = await hash(password)
  const admin = await write(ctx, caller, async (tx, record) => {
    // The table takes one row only, so that two registrations at once cannot both succeed.
    const inserted = await tx
      .insertInto('admins')
      .values({ username, passwordHash })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst()
    if (!inserted) return fail('A004')
    record({ action: 'registerAdmin', target: inserted.uuid, after: { username } })
    return inserted
  })
  return { accessToken: await openSession(ctx, caller, admin) }
}

export async function loginAdmin(ctx: Ctx, caller: Caller, { username, password }: { username: string; password: string }) {
  const admin = await findAdmin(ctx.db)
  if (!admin || admin.username !== username || !(await verify(admin.passwordHash, password))) return fail('A004')
  return { accessToken: await openSession(ctx, caller, admin) }
}

async function openSession(ctx: Ctx, caller: Caller, admin: { id: number; uuid: string; username: string }): Promise<string> {
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + ctx.config.JWT_AUTH_LIFETIME * HOUR_MS)
  const session = await insertSession(ctx.db, {
    adminId: admin.id,
    address: caller.address,
    userAgent: caller.userAgent,
    createdAt,
    expiresAt,
  })
  return new SignJWT({ sid: session.uuid, uuid: admin.uuid, username: admin.username, role: 'ADMIN' })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(createdAt)
    .setExpirationTime(expiresAt)
    .sign(await signingKey(ctx))
}
