import type { FastifyRequest } from 'fastify'
import {
  DASHBOARD_HEADER,
  errors,
  isDangerous,
  isOpenToResellers,
  isEnrolment,
  neededPermissions,
  scopesOf,
  tokenPermissions,
  type Endpoint,
  type Generation,
  type Permission,
} from '@causeway/contract'
import type { Caller } from '../ctx.ts'
import { everyone } from '../lib/scope.ts'
import { fail } from './errors.ts'
import { plainAddress } from '../lib/addresses.ts'

/**
 * A refusal before the body is read: shapes C of the wire, or E000 for a caller without the permission. The wire does
 * not know tokens that end or lack a permission, so their refusals carry a reason in `detail`.
 */
export class GuardError extends Error {
  readonly status: 401 | 403 | 428
  readonly kind:
    | 'unauthorized'
    | 'tokenExpired'
    | 'forbiddenResource'
    | 'browserHeaderMissing'
    | 'forbiddenRole'
    | 'permissionMissing'
    | 'notOfRole'
    | 'outOfScope'
    | 'secondFactorDue'
  readonly detail: string

  constructor(kind: GuardError['kind'], detail = '') {
    super(kind)
    this.kind = kind
    this.detail = detail
    this.status = kind === 'secondFactorDue' ? 428 : kind === 'unauthorized' || kind === 'tokenExpired' ? 401 : 403
  }
}

/** A caller and its permissions. Only the guard reads them; handlers run for permitted callers alone. */
export interface Holder extends Caller {
  permissions: ReadonlySet<Permission>
  /** When the session or token expires; `null` for a token without an end. */
  endsAt: Date | null
  /** Generation of its program; absent is 2.1. */
  generation?: Generation | undefined
  /** Of a token that was given scopes of 3.x: single routes are among them. */
  scopes?: ReadonlySet<string> | undefined
}

export type Authenticate = (token: string, request: FastifyRequest) => Promise<Holder>

/**
 * Authenticates the caller of a guarded route and returns it with its permissions.
 * @throws GuardError before anything of the body is read
 */
export async function authorize(
  endpoint: Pick<Endpoint, 'name' | 'access'>,
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Holder> {
  const token = bearerOf(request)
  if (!token) throw new GuardError('unauthorized')
  const holder = await authenticate(token, request)
  if (holder.kind === 'admin' && request.headers['x-remnawave-client-type'] !== 'browser')
    throw new GuardError('browserHeaderMissing')
  if (holder.isSecondFactorDue && !isEnrolment(endpoint)) throw new GuardError('secondFactorDue')
  const { access } = endpoint
  if (access === 'public') return holder
  if (holder.scope !== everyone && !isOpenToResellers(endpoint)) throw new GuardError('outOfScope', holder.scope.name)
  if (holder.kind === 'admin') {
    const missing = neededPermissions(endpoint).find((each) => !holder.permissions.has(each))
    if (missing !== undefined) throw new GuardError('notOfRole', missing)
    return holder
  }
  if (holder.permissions.has(access)) return holder
  // Endpoints closed to all API tokens answer each of them alike.
  const isGrantable = holder.kind === 'apiToken' && tokenPermissions.has(access)
  throw isGrantable ? new GuardError('permissionMissing', access) : new GuardError('forbiddenRole')
}

/** A token with scopes opens the routes that one of them names, beside holding the permission. */
export function refuseOutOfScope(endpoint: Endpoint, { scopes }: Holder): void {
  if (!scopes || scopesOf(endpoint).some((scope) => scopes.has(scope))) return
  throw new GuardError('permissionMissing', scopesOf(endpoint).at(-1) ?? '')
}

/** A dangerous action needs a proof of the last minutes from a session. */
export function refuseUnproven(endpoint: Endpoint, { isProven }: Holder): void {
  if (isProven === false && isDangerous(endpoint)) fail(errors.proofNeeded)
}

/** The caller of a public route. */
export function anonymous(request: FastifyRequest): Caller {
  return { kind: 'anonymous', scope: everyone, uuid: null, name: null, ...origin(request) }
}

/** The token that a request shows. */
function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** Where a request comes from; forwarded addresses are believed only from trusted proxies (fastify's trustProxy). */
export function origin(request: FastifyRequest): Pick<Caller, 'address' | 'userAgent' | 'origin' | 'isDashboard'> {
  return {
    address: plainAddress(request.ip),
    userAgent: request.headers['user-agent'] ?? 'Unknown',
    origin: originOf(request),
    ...(request.headers[DASHBOARD_HEADER] === undefined ? {} : { isDashboard: true }),
  }
}

/** Links are made of it, so it must be one: proxies hand on what a caller has written there. */
function originOf({ protocol, host }: FastifyRequest): string | null {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${protocol === 'https' ? 'https' : 'http'}://${host}` : null
}
