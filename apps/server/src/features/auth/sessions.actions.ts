import { createHash, randomBytes, randomUUID } from 'node:crypto'
import {
  DASHBOARD_HEADER,
  PROOF_MINUTES,
  permissionsOfRole,
  resellerPermissions,
  tokenPermissions,
  type Generation,
  type Permission,
} from '@causeway/contract'
import type { FastifyRequest } from 'fastify'
import { decodeJwt, jwtVerify, SignJWT, type JWTPayload } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Caller, Ctx } from '../../ctx.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import type { Db } from '../../db/driver/connect.ts'
import type { DatabaseChanges } from '../../ground/changes.ts'
import { readSessionGeneration } from '../../ground/installation.queries.ts'
import { GuardError, origin, type Holder } from '../../http/guards.ts'
import { write } from '../audit/audit.actions.ts'
import { findScope } from '../../ground/scope/scope.queries.ts'
import { findApiToken, findSession, insertSession, revokeSession } from './auth.queries.ts'

const HOUR_MS = 3_600_000
/** As long as browsers keep a cookie. */
const BROWSER_KNOWN_MS = 400 * 24 * HOUR_MS

/** A browser is known to the accounts that it signed in to last. */
const ACCOUNTS_OF_BROWSER = 5

/** To open the pages outside the dashboard. */
const PAGE_PERMISSION = 'system.read'

/** Tokens whose signature was found right, with what they claim, by the key that made them. */
const knownTokens = new WeakMap<Uint8Array, LRUCache<string, Claims>>()
const KNOWN_TOKENS = 1000

/** The result of a sign-in: the token of the wire, and one that only opens pages outside the dashboard. */
export interface SignedIn {
  sessionUuid: string
  accessToken: string
  pageToken: string
  expiresAt: Date
  /** Proves at later attempts that this browser has signed in before; opens nothing. */
  browserToken: string
  browserExpiresAt: Date
}

const sessionClaims = z.object({ sid: z.guid(), uuid: z.guid(), username: z.string(), role: z.literal('ADMIN') })
const pageClaims = z.object({ sid: z.guid(), uuid: z.guid(), role: z.literal('PAGE') })
const tokenClaims = z.object({ uuid: z.guid(), role: z.literal('API') })
const browserClaims = z.object({ browserId: z.guid(), admins: z.array(z.guid()).optional(), role: z.literal('BROWSER') })
/** Of a sign-in whose first step, such as the password, was right and whose second factor is still to come. */
const ticketClaims = z.object({ uuid: z.guid(), password: z.string(), method: z.string().optional(), role: z.literal('SECOND') })
const claims = z.union([sessionClaims, pageClaims, tokenClaims, browserClaims, ticketClaims])

interface Claims {
  endsAt: number
  /** Nothing for what we would not have signed. */
  claimed: z.infer<typeof claims> | undefined
}

/** The secret that signs sessions and API tokens, as bytes. */
export async function signingKey(ctx: Ctx): Promise<Uint8Array> {
  const secret =
    ctx.config.JWT_AUTH_SECRET ?? (await ctx.secrets.get('jwtAuthSecret', () => randomBytes(48).toString('base64url')))
  return new TextEncoder().encode(secret)
}

/** Signed with what is given only, so that the same claims always give the same token. */
export async function signToken(key: Uint8Array, claims: JWTPayload, issuedAt: Date, expiresAt: Date): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(key)
}

/** Sessions and API tokens of callers as the database has them, remembered until it tells that a caller's rights changed. */
export interface Access {
  session(uuid: string): ReturnType<typeof findSession>
  /** Generation of programs that sign in by password. */
  sessionGeneration(): Promise<Generation>
  apiToken(uuid: string): ReturnType<typeof findApiToken>
  scope(resellerId: number | null): Promise<Scope>
  /** Waits, after a change, until no server process goes by what was before. */
  settled(): Promise<void>
}

export function rememberAccess(ctx: Ctx, changes: DatabaseChanges): Access {
  const reseller = changes.remember('access', (id) => findScope(ctx.db, Number(id)))
  const sessionGeneration = changes.remember('settings', () => readSessionGeneration(ctx.db))
  return {
    sessionGeneration: () => sessionGeneration(''),
    session: changes.remember('access', (uuid) => findSession(ctx.db, uuid)),
    apiToken: changes.remember('access', (uuid) => findApiToken(ctx.db, uuid)),
    scope: async (resellerId) => (resellerId === null ? everyone : reseller(String(resellerId))),
    settled: () => changes.settled(),
  }
}

/** The holder of this token. That it ends by itself is looked at for every request. */
export async function authenticate(
  ctx: Ctx,
  access: Access,
  key: Uint8Array,
  token: string,
  request: FastifyRequest,
): Promise<Holder> {
  const claimed = await verified(ctx, key, token).catch((error: unknown) => claimsOfImported(ctx, access, token, error))
  if (claimed?.role === 'ADMIN') {
    const session = await access.session(claimed.sid)
    const scope = await access.scope(session?.resellerId ?? null)
    const holder = sessionCaller(ctx, claimed, session, { request, scope })
    // The dashboard is of this product's own generation, whatever programs speak.
    return request.headers[DASHBOARD_HEADER] ? holder : { ...holder, generation: await access.sessionGeneration() }
  }
  if (claimed?.role !== 'API') throw new GuardError('forbiddenResource')
  const record = await access.apiToken(claimed.uuid)
  if (!record) throw new GuardError('forbiddenResource')
  const { uuid, tokenName: name, expiresAt, permissions, scopes, generation } = record
  if (expiresAt !== null && expiresAt <= ctx.now()) throw new GuardError('tokenExpired', expiresAt.toISOString())
  // The permissions that tokens may hold are checked again: a permission may have been taken from all of them since.
  const held = permissions === null ? tokenPermissions : new Set(permissions.filter((each) => tokenPermissions.has(each)))
  const scope = await access.scope(record.resellerId)
  return {
    kind: 'apiToken',
    scope,
    uuid,
    name,
    permissions: within(scope, held),
    endsAt: expiresAt,
    ...(generation === null ? {} : { generation }),
    ...(scopes === null ? {} : { scopes: new Set(scopes) }),
    ...origin(request),
  }
}

/** The holder of the cookie of the pages outside the dashboard. It opens nothing else. */
export async function authenticatePage(ctx: Ctx, key: Uint8Array, token: string, request: FastifyRequest): Promise<Caller> {
  const claimed = await verified(ctx, key, token)
  if (claimed?.role !== 'PAGE') throw new GuardError('unauthorized')
  const session = await findSession(ctx.db, claimed.sid)
  // Metrics and queues are of the whole installation.
  if (session && session.resellerId !== null) throw new GuardError('unauthorized')
  const holder = sessionCaller(ctx, claimed, session, { request, scope: everyone })
  if (holder.isSecondFactorDue) throw new GuardError('secondFactorDue')
  if (!holder.permissions.has(PAGE_PERMISSION)) throw new GuardError('notOfRole', PAGE_PERMISSION)
  return holder
}

/** The caller with the browser that its cookie names, if this server has signed that. */
export async function recognizeBrowser(ctx: Ctx, caller: Caller, token: string | undefined): Promise<Caller> {
  if (token === undefined) return caller
  const claimed = await verified(ctx, await signingKey(ctx), token).catch((error: unknown) => {
    if (error instanceof GuardError) return undefined
    throw error
  })
  if (claimed?.role !== 'BROWSER') return caller
  return { ...caller, browserId: claimed.browserId, browserAdmins: claimed.admins ?? [] }
}

/** The claims of a ticket of ours, until it is too old. */
export async function readTicket(ctx: Ctx, ticket: string): Promise<z.infer<typeof ticketClaims> | undefined> {
  const claimed = await verified(ctx, await signingKey(ctx), ticket).catch((error: unknown) => {
    if (error instanceof GuardError) return undefined
    throw error
  })
  return claimed?.role === 'SECOND' ? claimed : undefined
}

/**
 * Opens a session in the caller's transaction. The key is read before that begins (`signingKey`): a transaction that waits
 * for a second connection waits for ever when as many others do the same.
 */
export async function openSession(
  ctx: Ctx,
  db: Db,
  key: Uint8Array,
  caller: Caller,
  admin: { id: number; uuid: string; username: string },
): Promise<SignedIn> {
  const createdAt = ctx.now()
  const expiresAt = new Date(createdAt.getTime() + ctx.config.JWT_AUTH_LIFETIME * HOUR_MS)
  const { address, userAgent } = caller
  const { uuid: sid } = await insertSession(db, {
    adminId: admin.id,
    address,
    userAgent,
    createdAt,
    expiresAt,
    // Programs that speak the wire cannot be asked for another proof.
    provenAt: caller.isDashboard ? createdAt : null,
  })
  const whose = { sid, uuid: admin.uuid, username: admin.username }
  const { browserId = randomUUID(), browserAdmins = [] } = caller
  const admins = [admin.uuid, ...browserAdmins.filter((uuid) => uuid !== admin.uuid)].slice(0, ACCOUNTS_OF_BROWSER)
  const browserExpiresAt = new Date(createdAt.getTime() + BROWSER_KNOWN_MS)
  return {
    sessionUuid: sid,
    accessToken: await signToken(key, { ...whose, role: 'ADMIN' }, createdAt, expiresAt),
    pageToken: await signToken(key, { ...whose, role: 'PAGE' }, createdAt, expiresAt),
    expiresAt,
    browserToken: await signToken(key, { browserId, admins, role: 'BROWSER' }, createdAt, browserExpiresAt),
    browserExpiresAt,
  }
}

/** Signs out. API tokens have no session and stay. */
export async function closeSession(ctx: Ctx, caller: Caller): Promise<void> {
  const { sessionUuid } = caller
  if (sessionUuid === undefined) return
  await write(ctx, caller, async (tx, record) => {
    await revokeSession(tx, sessionUuid, ctx.now())
    record({ action: 'logout', target: sessionUuid })
  })
}

/** A signature that was right stays right: what is left to look at is the time, and the database. */
async function verified(ctx: Ctx, key: Uint8Array, token: string): Promise<Claims['claimed']> {
  const known = knownTo(key)
  const kept = known.get(token)
  if (kept !== undefined && kept.endsAt > ctx.now().getTime()) return kept.claimed
  const { payload } = await jwtVerify(token, key, { algorithms: ['HS256'], currentDate: ctx.now() }).catch(() => {
    throw new GuardError('unauthorized')
  })
  const claimed = claims.safeParse(payload).data
  known.set(token, { endsAt: (payload.exp ?? 0) * 1000, claimed })
  return claimed
}

/** An API token that another installation has signed counts by its text, until it ends. @throws the error of its signature */
async function claimsOfImported(ctx: Ctx, access: Access, token: string, error: unknown): Promise<z.infer<typeof tokenClaims>> {
  if (!(error instanceof GuardError)) throw error
  const payload = readUnverified(token)
  const claimed = tokenClaims.safeParse(payload).data
  const record = claimed && (await access.apiToken(claimed.uuid))
  if (!claimed || !record?.textHash || record.textHash !== hashOfToken(token)) throw error
  if (payload?.exp !== undefined && payload.exp * 1000 <= ctx.now().getTime()) throw error
  return claimed
}

function readUnverified(token: string): JWTPayload | undefined {
  try {
    return decodeJwt(token)
  } catch {
    return undefined
  }
}

/** Of a text with a signature inside, so that it needs no salt. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function within(scope: Scope, permissions: ReadonlySet<Permission>): ReadonlySet<Permission> {
  return scope === everyone ? permissions : resellerPermissions(permissions)
}

function knownTo(key: Uint8Array): LRUCache<string, Claims> {
  const found = knownTokens.get(key) ?? new LRUCache<string, Claims>({ max: KNOWN_TOKENS })
  knownTokens.set(key, found)
  return found
}

function sessionCaller(
  ctx: Ctx,
  claims: { uuid: string },
  session: Awaited<ReturnType<typeof findSession>>,
  { request, scope }: { request: FastifyRequest; scope: Scope },
): Holder {
  // The administrator is gone, and the sessions with them.
  if (!session || session.uuid !== claims.uuid) throw new GuardError('forbiddenResource')
  if (session.revokedAt !== null || session.expiresAt <= ctx.now()) throw new GuardError('unauthorized')
  const { uuid, username: name, sessionUuid } = session
  return {
    kind: 'admin',
    scope,
    uuid,
    name,
    sessionUuid,
    permissions: within(scope, permissionsOfRole(session.builtInRole ?? session.permissions ?? [])),
    isProven: session.provenAt === null || ctx.now().getTime() - session.provenAt.getTime() <= PROOF_MINUTES * 60_000,
    endsAt: session.expiresAt,
    ...(session.isSecondFactorDue ? { isSecondFactorDue: true } : {}),
    ...origin(request),
  }
}
