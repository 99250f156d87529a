import { createHash, createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { OAuth2Provider } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { countAttempt, NO_ACCOUNT } from './attempts.actions.ts'
import { refuseSignIn, signInFirstAdmin, signingIn } from './auth.actions.ts'
import { findFirstAdmin, insertOAuth2State, takeOAuth2State } from './auth.queries.ts'
import { oauth2Endpoints, verifiedEmail } from './oauth2.rules.ts'
import { signingKey, type SignedIn } from './sessions.actions.ts'

const STATE_LIFETIME_MS = 10 * 60_000

/**
 * The provider's address for the browser. The state is one per attempt and bound to this browser by `browserId`, a
 * cookie. Otherwise an attacker's sign-in could be completed in the administrator's browser, or the other way round.
 */
export async function startOAuth2(ctx: Ctx, caller: Caller, provider: OAuth2Provider, browserId: string): Promise<string> {
  return signingIn(async () => {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    const client = clientOf(ctx, provider)
    if (!client || !(await findFirstAdmin(ctx.db))) return refuseSignIn(ctx, caller, provider, `OAuth2: ${provider} is off`)
    const state = randomBytes(32).toString('base64url')
    await insertOAuth2State(ctx.db, {
      stateHash: digest(state),
      provider,
      browserHash: digest(browserId),
      expiresAt: new Date(ctx.now().getTime() + STATE_LIFETIME_MS),
    })
    const url = new URL(client.endpoints.authorizeUrl)
    const redirectUri = redirectUriOf(ctx, caller, provider)
    for (const [name, value] of Object.entries({
      response_type: 'code',
      client_id: client.id,
      state,
      code_challenge: digest(await verifierOf(ctx, state)),
      code_challenge_method: 'S256',
      scope: client.endpoints.scope,
      ...(redirectUri ? { redirect_uri: redirectUri } : {}),
    })) {
      url.searchParams.set(name, value)
    }
    return url.href
  })
}

/**
 * Signs in the address that the provider vouches for, if it is listed.
 * @throws forbidden for any mistake
 */
export async function finishOAuth2(
  ctx: Ctx,
  caller: Caller,
  { provider, code, state }: { provider: OAuth2Provider; code: string; state: string },
  browserId: string | undefined,
): Promise<SignedIn> {
  return signingIn(async () => {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    const refuse = (reason: string) => refuseSignIn(ctx, caller, provider, `OAuth2: ${reason}`)
    const client = clientOf(ctx, provider)
    if (!client) return refuse(`${provider} is off`)
    const started = await takeOAuth2State(ctx.db, digest(state))
    const isOurs = started?.provider === provider && browserId !== undefined && started.browserHash === digest(browserId)
    if (!isOurs || started.expiresAt <= ctx.now()) return refuse('the state is unknown, too old or of another browser')
    const email = await emailFromProvider(ctx, caller, provider, client, { code, verifier: await verifierOf(ctx, state) }).catch(
      (error: unknown) => {
        ctx.log.warn({ err: error, provider }, 'unexpected answer of the OAuth2 provider')
        return undefined
      },
    )
    if (email === undefined) return refuse('the provider gave no verified e-mail address')
    if (!client.allowedEmails.includes(email)) return refuse(`${email} is not listed`)
    return signInFirstAdmin(ctx, caller, provider)
  })
}

interface OAuth2Client {
  id: string
  secret: string
  allowedEmails: string[]
  endpoints: ReturnType<typeof oauth2Endpoints>
  /** Named by the operator, so it may lie in a private network. */
  host: string | undefined
}

function clientOf({ config }: Ctx, provider: OAuth2Provider): OAuth2Client | undefined {
  const NAME = ({ github: 'GITHUB', pocketid: 'POCKETID', yandex: 'YANDEX' } as const)[provider]
  const id = config[`OAUTH2_${NAME}_CLIENT_ID`]
  const secret = config[`OAUTH2_${NAME}_CLIENT_SECRET`]
  if (!config[`OAUTH2_${NAME}_ENABLED`] || !id || !secret) return undefined
  const endpoints = oauth2Endpoints(provider, config.OAUTH2_BASE_URL, config.OAUTH2_POCKETID_PLAIN_DOMAIN)
  const isNamed = config.OAUTH2_BASE_URL !== null || provider === 'pocketid'
  const host = isNamed ? new URL(endpoints.tokenUrl).hostname : undefined
  return { id, secret, allowedEmails: config[`OAUTH2_${NAME}_ALLOWED_EMAILS`], endpoints, host }
}

/** OpenID Connect wants the address to come back to; the other two take the one entered with them. */
function redirectUriOf({ config }: Ctx, caller: Caller, provider: OAuth2Provider): string | undefined {
  const origin = config.PUBLIC_URL ?? caller.origin
  return provider === 'pocketid' && origin !== null ? `${origin.replace(/\/$/, '')}/oauth2/callback/${provider}` : undefined
}

async function emailFromProvider(
  ctx: Ctx,
  caller: Caller,
  provider: OAuth2Provider,
  { id, secret, endpoints, host }: OAuth2Client,
  { code, verifier }: { code: string; verifier: string },
): Promise<string | undefined> {
  const redirectUri = redirectUriOf(ctx, caller, provider)
  const allowedPrivateHosts = host === undefined ? [] : [host]
  const exchange = await requestOutside(endpoints.tokenUrl, {
    method: 'POST',
    allowedPrivateHosts,
    headers: {
      accept: 'application/json',
      authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      ...(redirectUri ? { redirect_uri: redirectUri } : {}),
    }).toString(),
  })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(readJson(exchange))
  const answer = await requestOutside(endpoints.emailUrl, {
    allowedPrivateHosts,
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
  })
  return verifiedEmail(provider, readJson(answer))
}

/**
 * The proof (RFC 7636) that one client asked for the code and exchanges it. It is derived from the state and a secret
 * of ours. So nothing more is stored, and the state that travels through the browser does not reveal it.
 */
async function verifierOf(ctx: Ctx, state: string): Promise<string> {
  return createHmac('sha256', await signingKey(ctx))
    .update(`code verifier of ${state}`)
    .digest('base64url')
}

function readJson({ status, body }: { status: number; body: Buffer }): unknown {
  if (status !== 200) throw new Error(`answered with status ${status}`)
  return JSON.parse(body.toString('utf8'))
}

/** In base64url, which is also what a code challenge is. States and browser ids are stored as digests, so that a leaked database starts no session. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}
