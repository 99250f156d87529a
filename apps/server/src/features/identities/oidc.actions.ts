import { createHmac } from 'node:crypto'
import { errors } from '@causeway/contract'
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  type ClientAuth,
  type Configuration,
  type CustomFetch,
} from 'openid-client'
import type { Caller, Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { signingKey } from '../auth/sessions.actions.ts'
import type { Claims } from './oidc.rules.ts'

const DEFAULT_SCOPE = 'openid email profile'

interface Client {
  issuer: URL
  id: string
  secret: string
}

export function oidcClient({ config }: Ctx): Client | undefined {
  const { OAUTH2_GENERIC_ENABLED, OAUTH2_GENERIC_ISSUER: issuer, OAUTH2_GENERIC_CLIENT_ID: id } = config
  const secret = config.OAUTH2_GENERIC_CLIENT_SECRET
  if (!OAUTH2_GENERIC_ENABLED || !issuer || !id || !secret) return undefined
  return { issuer: new URL(issuer), id, secret }
}

/** Where the provider signs in, for a state of ours. */
export async function oidcAddress(ctx: Ctx, caller: Caller, client: Client, state: string): Promise<string> {
  const provider = await discover(ctx, client)
  const { verifier, nonce } = await secretsOf(ctx, state)
  return buildAuthorizationUrl(provider, {
    redirect_uri: returnAddress(ctx, caller).href,
    scope: ctx.config.OAUTH2_GENERIC_SCOPE ?? DEFAULT_SCOPE,
    state,
    nonce,
    code_challenge: await calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  }).href
}

/** The verified claims behind a code. @throws providerAway, providerUnproven */
export async function oidcClaims(
  ctx: Ctx,
  caller: Caller,
  client: Client,
  answer: { code: string; state: string; iss?: string | undefined },
): Promise<Claims & { sub: string }> {
  const provider = await discover(ctx, client)
  const { verifier, nonce } = await secretsOf(ctx, answer.state)
  const address = returnAddress(ctx, caller)
  for (const [name, value] of Object.entries(answer)) if (value !== undefined) address.searchParams.set(name, value)
  try {
    const tokens = await authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: verifier,
      expectedNonce: nonce,
      expectedState: answer.state,
      idTokenExpected: true,
    })
    const claims = tokens.claims() ?? fail(errors.providerUnproven)
    // Many providers name the person only there.
    const told = provider.serverMetadata().userinfo_endpoint ? await fetchUserInfo(provider, tokens.access_token, claims.sub) : {}
    return { ...told, ...claims }
  } catch (error) {
    return refuseAnswer(ctx, error)
  }
}

/** Read anew for every sign-in, as are the provider's keys: they are few, and what the provider has changed counts at once. */
async function discover(ctx: Ctx, { issuer, id, secret }: Client): Promise<Configuration> {
  const isPlain = issuer.protocol === 'http:'
  try {
    return await discovery(issuer, id, {}, clientAuth(secret), {
      [customFetch]: guardedFetch([issuer.hostname, ...ctx.config.OUTGOING_PRIVATE_HOSTS]),
      execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
    })
  } catch (error) {
    return refuseAnswer(ctx, error)
  }
}

/** By the header where the provider takes it, which is what it takes unless it says otherwise. */
function clientAuth(secret: string): ClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    return (methods === undefined || methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** The library's requests, by the one way out. */
function guardedFetch(allowedPrivateHosts: readonly string[]): CustomFetch {
  return async (url, { method, headers, body }) => {
    const reply = await requestOutside(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      allowedPrivateHosts,
      ...(body instanceof URLSearchParams ? { body: body.toString() } : {}),
    }).catch((cause: unknown) => {
      throw new ProviderAway(cause)
    })
    if (reply.status >= 500) throw new ProviderAway(`answered with status ${reply.status}`)
    return new Response(new Uint8Array(reply.body), { status: reply.status, headers: { 'content-type': reply.contentType } })
  }
}

class ProviderAway extends Error {
  constructor(cause: unknown) {
    super('the sign-in provider does not answer', { cause })
  }
}

function refuseAnswer(ctx: Ctx, error: unknown): never {
  const isAway = error instanceof ProviderAway || (error instanceof Error && error.cause instanceof ProviderAway)
  ctx.log.warn({ err: error }, isAway ? 'sign-in provider failed' : 'sign-in provider gave an answer that is not verified')
  return fail(isAway ? errors.providerAway : errors.providerUnproven)
}

/** Where the provider sends the browser back to: it is registered there. */
function returnAddress({ config }: Ctx, { origin }: Caller): URL {
  const base = config.PUBLIC_URL ?? origin ?? fail(errors.providerUnproven)
  return new URL(`${base.replace(/\/$/, '')}/oauth2/callback/generic`)
}

/** Derived from the state, which travels through the browser, and a key of ours. So nothing more is stored. */
async function secretsOf(ctx: Ctx, state: string): Promise<{ verifier: string; nonce: string }> {
  const key = await signingKey(ctx)
  const derive = (what: string) => createHmac('sha256', key).update(`${what} of ${state}`).digest('base64url')
  return { verifier: derive('code verifier'), nonce: derive('nonce') }
}
