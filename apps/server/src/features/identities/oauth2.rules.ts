import { z } from 'zod'
import type { OAuth2Provider } from '@causeway/contract'

type Known = Exclude<OAuth2Provider, 'generic'>

// Where the three providers answer, and what they answer with (docs/wire.md 10).

export interface OAuth2Endpoints {
  authorizeUrl: string
  tokenUrl: string
  emailUrl: string
  scope: string
}

/** `base` replaces the origins of all addresses; `domain` is where a PocketID of one's own is reached. */
export function oauth2Endpoints(provider: Known, base: string | null, domain: string | null): OAuth2Endpoints {
  const at = (origin: string, path: string) => (base ?? origin).replace(/\/$/, '') + path
  switch (provider) {
    case 'github':
      return {
        authorizeUrl: at('https://github.com', '/login/oauth/authorize'),
        tokenUrl: at('https://github.com', '/login/oauth/access_token'),
        emailUrl: at('https://api.github.com', '/user/emails'),
        scope: 'user:email',
      }
    case 'pocketid':
      return {
        authorizeUrl: at(`https://${domain}`, '/authorize'),
        tokenUrl: at(`https://${domain}`, '/api/oidc/token'),
        emailUrl: at(`https://${domain}`, '/api/oidc/userinfo'),
        scope: 'email',
      }
    case 'yandex':
      return {
        authorizeUrl: at('https://oauth.yandex.com', '/authorize'),
        tokenUrl: at('https://oauth.yandex.com', '/token'),
        emailUrl: at('https://login.yandex.ru', '/info?format=json'),
        scope: 'login:email',
      }
  }
}

const githubEmails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }))
const pocketidUser = z.object({ email: z.string(), email_verified: z.boolean().optional() })
const yandexUser = z.object({ default_email: z.string() })

/**
 * The address that the provider vouches for. Unverified ones do not count, as they can be typed freely. Yandex gives
 * only addresses of its own mailboxes or confirmed ones.
 */
export function verifiedEmail(provider: Known, answer: unknown): string | undefined {
  switch (provider) {
    case 'github':
      return githubEmails.safeParse(answer).data?.find(({ primary, verified }) => primary && verified)?.email
    case 'pocketid': {
      const user = pocketidUser.safeParse(answer).data
      return user?.email_verified === true ? user.email : undefined
    }
    case 'yandex':
      return yandexUser.safeParse(answer).data?.default_email
  }
}
