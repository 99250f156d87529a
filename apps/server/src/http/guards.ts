import type { FastifyRequest } from 'fastify'
import { tokenPermissions, type Access, type Permission } from '@causeway/contract'
import type { Caller } from '../ctx.ts'

/**
 * Why a request is refused before its body is read: shapes C of the wire, or E000 for a caller who may not do this. Tokens
 * that end or lack a permission are beyond the wire, so their refusals may say why: `detail`.
 */
export class GuardError extends Error {
  readonly status: 401 | 403
  readonly kind:
    | 'unauthorized'
    | 'tokenExpired'
    | 'forbiddenResource'
    | 'browserHeaderMissing'
    | 'forbiddenRole'
    | 'permissionMissing'
  readonly detail: string

  constructor(kind: GuardError['kind'], detail = '') {
    super(kind)
    this.kind = kind
    this.detail = detail
    this.status = kind === 'unauthorized' || kind === 'tokenExpired' ? 401 : 403
  }
}

/** A caller and what this caller may do. Only the guard looks at that; handlers are reached by those who may. */
export interface Holder extends Caller {
  permissions: ReadonlySet<Permission>
}

export type Authenticate = (token: string, request: FastifyRequest) => Promise<Holder>

/** Who calls what not everybody may, if this caller may, and what else this caller may. @throws GuardError before anything of the body is read */
export async function authorize(
  access: Exclude<Access, 'public'>,
  request: FastifyRequest,
  authenticate: Authenticate,
): Promise<Holder> {
  const token = bearerOf(request)
  if (!token) throw new GuardError('unauthorized')
  const holder = await authenticate(token, request)
  if (holder.kind === 'admin' && request.headers['x-remnawave-client-type'] !== 'browser')
    throw new GuardError('browserHeaderMissing')
  if (holder.permissions.has(access)) return holder
  // What no API token may do is told to none of them.
  const isGrantable = holder.kind === 'apiToken' && tokenPermissions.has(access)
  throw isGrantable ? new GuardError('permissionMissing', access) : new GuardError('forbiddenRole')
}

/** Whoever calls what anybody may. */
export function anonymous(request: FastifyRequest): Caller {
  return { kind: 'anonymous', uuid: null, name: null, ...origin(request) }
}

/** The token that a request shows. */
export function bearerOf(request: FastifyRequest): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

/** Where a request comes from; forwarded addresses are believed only from trusted proxies (fastify's trustProxy). */
export function origin(request: FastifyRequest): { address: string; userAgent: string; origin: string | null } {
  return {
    address: request.ip,
    userAgent: request.headers['user-agent'] ?? 'Unknown',
    origin: originOf(request),
  }
}

/** Links are made of it, so it must be one: proxies hand on what a caller has written there. */
function originOf({ protocol, host }: FastifyRequest): string | null {
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${protocol === 'https' ? 'https' : 'http'}://${host}` : null
}
