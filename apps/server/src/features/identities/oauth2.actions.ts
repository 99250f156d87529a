import { createHash, createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { errors, oauth2Provider, type OAuth2Provider } from '@causeway/contract'
import type { Caller, Ctx } from '../../ctx.ts'
import { ApiError, fail } from '../../http/errors.ts'
import { requestOutside } from '../../lib/outgoing.ts'
import { countAttempt, forgetAttempts, NO_ACCOUNT } from '../auth/attempts.actions.ts'
import { refuseSignIn, signingIn } from '../auth/auth.actions.ts'
import { findFirstAdmin, insertOAuth2State, takeOAuth2State } from '../auth/auth.queries.ts'
import { signingKey, type SignedIn } from '../auth/sessions.actions.ts'
import { signInVouched, type Vouched } from './identities.actions.ts'
import { oauth2Endpoints, verifiedEmail } from './oauth2.rules.ts'
import { oidcAddress, oidcClaims, oidcClient } from './oidc.actions.ts'
import { personOf } from './oidc.rules.ts'

const STATE_LIFETIME_MS = 10 * 60_000

/**
 * The provider's address for the browser. The state is one per attempt and bound to this browser by `browserId`, a
 * cookie. Otherwise an attacker's sign-in could be completed in the administrator's browser, or the other way round.
 */
export async function startOAuth2(ctx: Ctx, caller: Caller, provider: OAuth2Provider, browserId: string): Promise<string> {
  return signingIn(async () => {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    return beginAt(ctx, caller, provider, browserId)
  })
}

/** The providers that are turned on. */
export function openProviders(ctx: Ctx): OAuth2Provider[] {
  return oauth2Provider.options.filter((each) =>
    each === 'generic' ? oidcClient(ctx) !== undefined : clientOf(ctx, each) !== undefined,
  )
}

/** The same for a session that links an account at the provider: its state serves this session alone, and no sign-in. */
export async function startLink(ctx: Ctx, caller: Caller, provider: OAuth2Provider): Promise<string> {
  await countAttempt(ctx, proving(caller), NO_ACCOUNT)
  return refusingPlainly(() => beginAt(ctx, caller, provider, linkOf(caller)))
}

/** The account that a provider vouches for to the session that began to link it. @throws identityRefused */
export async function vouchForLink(ctx: Ctx, caller: Caller, answer: Answer): Promise<Vouched> {
  await countAttempt(ctx, proving(caller), NO_ACCOUNT)
  const vouched = await refusingPlainly(() => vouchedTo(ctx, caller, answer, linkOf(caller)))
  await forgetAttempts(ctx, proving(caller), NO_ACCOUNT)
  return vouched
}

const proving = ({ address, sessionUuid = '' }: Caller) => ({ address, provingSession: sessionUuid })
const linkOf = ({ sessionUuid = '' }: Caller) => `a link of the session ${sessionUuid}`

/** Sign-in refuses without a reason. A person who is signed in already gets the error of linking instead. */
async function refusingPlainly<T>(act: () => Promise<T>): Promise<T> {
  return act().catch((error: unknown) => {
    if (error instanceof ApiError && error.code === errors.forbidden.code) return fail(errors.identityRefused)
    throw error
  })
}

async function beginAt(ctx: Ctx, caller: Caller, provider: OAuth2Provider, holder: string): Promise<string> {
  const oidc = provider === 'generic' ? oidcClient(ctx) : undefined
  const client = provider === 'generic' ? undefined : clientOf(ctx, provider)
  if (!(oidc ?? client) || !(await findFirstAdmin(ctx.db)))
    return refuseSignIn(ctx, caller, provider, `OAuth2: ${provider} is off`)
  const state = randomBytes(32).toString('base64url')
  await insertOAuth2State(ctx.db, {
    stateHash: digest(state),
    provider,
    browserHash: digest(holder),
    expiresAt: new Date(ctx.now().getTime() + STATE_LIFETIME_MS),
  })
  if (oidc) return oidcAddress(ctx, caller, oidc, state)
  return client ? addressOf(ctx, caller, client, state) : fail(errors.forbidden)
}

async function addressOf(ctx: Ctx, caller: Caller, { provider, id, endpoints }: OAuth2Client, state: string): Promise<string> {
  const url = new URL(endpoints.authorizeUrl)
  const redirectUri = redirectUriOf(ctx, caller, provider)
  for (const [name, value] of Object.entries({
    response_type: 'code',
    client_id: id,
    state,
    code_challenge: digest(await verifierOf(ctx, state)),
    code_challenge_method: 'S256',
    scope: endpoints.scope,
    ...(redirectUri ? { redirect_uri: redirectUri } : {}),
  })) {
    url.searchParams.set(name, value)
  }
  return url.href
}

/**
 * Signs in the account that the provider vouches for, if the settings admit it.
 * @throws forbidden for any mistake of the caller
 */
export async function finishOAuth2(ctx: Ctx, caller: Caller, answer: Answer, browserId: string | undefined): Promise<SignedIn> {
  return signingIn(async () => {
    await countAttempt(ctx, caller, NO_ACCOUNT)
    return signInVouched(ctx, caller, await vouchedTo(ctx, caller, answer, browserId))
  })
}

interface Answer {
  provider: OAuth2Provider
  code: string
  state: string
  iss?: string | undefined
}

async function vouchedTo(ctx: Ctx, caller: Caller, answer: Answer, holder: string | undefined): Promise<Vouched> {
  const { provider, state } = answer
  const started = await takeOAuth2State(ctx.db, digest(state))
  const isOurs = started?.provider === provider && holder !== undefined && started.browserHash === digest(holder)
  if (!isOurs || started.expiresAt <= ctx.now())
    return refuseSignIn(ctx, caller, provider, 'OAuth2: the state is unknown, too old or of another browser')
  return provider === 'generic' ? vouchedByOidc(ctx, caller, answer) : vouchedBy(ctx, caller, provider, answer)
}

async function vouchedBy(
  ctx: Ctx,
  caller: Caller,
  provider: Known,
  { code, state }: { code: string; state: string },
): Promise<Vouched> {
  const refuse = (reason: string) => refuseSignIn(ctx, caller, provider, `OAuth2: ${reason}`)
  const client = clientOf(ctx, provider)
  if (!client) return refuse(`${provider} is off`)
  const email = await emailFromProvider(ctx, caller, client, { code, verifier: await verifierOf(ctx, state) }).catch(
    (error: unknown) => {
      ctx.log.warn({ err: error, provider }, 'unexpected answer of the OAuth2 provider')
      return undefined
    },
  )
  if (email === undefined) return refuse('the provider gave no verified e-mail address')
  if (!client.allowedEmails.includes(email)) return refuse(`${email} is not listed`)
  return { provider, subject: email.toLowerCase(), label: email, names: [email] }
}

async function vouchedByOidc(
  ctx: Ctx,
  caller: Caller,
  answer: { code: string; state: string; iss?: string | undefined },
): Promise<Vouched> {
  const client = oidcClient(ctx)
  if (!client) return refuseSignIn(ctx, caller, 'generic', 'OAuth2: generic is off')
  const { code, state, iss } = answer
  const claims = await oidcClaims(ctx, caller, client, { code, state, iss })
  const person = personOf(claims, {
    allowedEmails: ctx.config.OAUTH2_GENERIC_ALLOWED_EMAILS,
    admit: ctx.config.OAUTH2_GENERIC_ADMIT,
    roleClaim: ctx.config.OAUTH2_GENERIC_ROLE_CLAIM,
    roles: ctx.config.OAUTH2_GENERIC_ROLES,
  })
  if ('problem' in person) {
    // The provider has confirmed this person's identity: the answer tells nothing of other people.
    if (person.problem === 'emailUnverified') fail(errors.providerEmailUnverified)
    const reason = person.problem === 'noRole' ? 'no claim chooses a role' : 'the claims admit no sign-in'
    return refuseSignIn(ctx, caller, claims.sub, `OpenID Connect: ${reason}`)
  }
  const { label, email, role } = person
  const subject = `${client.issuer.href} ${claims.sub}`
  return { provider: 'generic', subject, label, names: email === undefined ? [] : [email], role }
}

type Known = Exclude<OAuth2Provider, 'generic'>

interface OAuth2Client {
  provider: Known
  id: string
  secret: string
  allowedEmails: string[]
  endpoints: ReturnType<typeof oauth2Endpoints>
  /** Named by the operator, so it may lie in a private network. */
  host: string | undefined
}

function clientOf({ config }: Ctx, provider: Known): OAuth2Client | undefined {
  const NAME = ({ github: 'GITHUB', pocketid: 'POCKETID', yandex: 'YANDEX' } as const)[provider]
  const id = config[`OAUTH2_${NAME}_CLIENT_ID`]
  const secret = config[`OAUTH2_${NAME}_CLIENT_SECRET`]
  if (!config[`OAUTH2_${NAME}_ENABLED`] || !id || !secret) return undefined
  const endpoints = oauth2Endpoints(provider, config.OAUTH2_BASE_URL, config.OAUTH2_POCKETID_PLAIN_DOMAIN)
  const isNamed = config.OAUTH2_BASE_URL !== null || provider === 'pocketid'
  const host = isNamed ? new URL(endpoints.tokenUrl).hostname : undefined
  return { provider, id, secret, allowedEmails: config[`OAUTH2_${NAME}_ALLOWED_EMAILS`], endpoints, host }
}

/** OpenID Connect wants the address to come back to; the other two take the one entered with them. */
function redirectUriOf({ config }: Ctx, caller: Caller, provider: Known): string | undefined {
  const origin = config.PUBLIC_URL ?? caller.origin
  return provider === 'pocketid' && origin !== null ? `${origin.replace(/\/$/, '')}/oauth2/callback/${provider}` : undefined
}

async function emailFromProvider(
  ctx: Ctx,
  caller: Caller,
  { provider, id, secret, endpoints, host }: OAuth2Client,
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
