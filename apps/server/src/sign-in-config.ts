import { z } from 'zod'
import { builtInRoles } from '@causeway/contract'
import { checkedText, flag, isDomain, jsonList, jsonObject, text, webAddress } from './lib/environment-values.ts'

// Settings of the ways to sign in. A part of config.ts.

const emails = jsonList(z.string(), 'must be a JSON list of e-mail addresses')

export const signInSettings = {
  AUTH_PASSWORD_ENABLED: flag(true),
  TELEGRAM_BOT_TOKEN: text,
  TELEGRAM_OAUTH_ENABLED: flag(false),
  TELEGRAM_OAUTH_ADMIN_IDS: jsonList(z.number(), 'must be a JSON list of numbers, for example [123456789]'),
  OAUTH2_GITHUB_ENABLED: flag(false),
  OAUTH2_GITHUB_CLIENT_ID: text,
  OAUTH2_GITHUB_CLIENT_SECRET: text,
  OAUTH2_GITHUB_ALLOWED_EMAILS: emails,
  OAUTH2_POCKETID_ENABLED: flag(false),
  OAUTH2_POCKETID_CLIENT_ID: text,
  OAUTH2_POCKETID_CLIENT_SECRET: text,
  OAUTH2_POCKETID_ALLOWED_EMAILS: emails,
  OAUTH2_POCKETID_PLAIN_DOMAIN: checkedText(isDomain, 'must be a domain without https://, such as id.example.com'),
  OAUTH2_YANDEX_ENABLED: flag(false),
  OAUTH2_YANDEX_CLIENT_ID: text,
  OAUTH2_YANDEX_CLIENT_SECRET: text,
  OAUTH2_YANDEX_ALLOWED_EMAILS: emails,
  /** Replaces https://github.com and the like, for a provider of one's own or a test. */
  OAUTH2_BASE_URL: webAddress('https://login.example.com'),
  /** Any provider of OpenID Connect. */
  OAUTH2_GENERIC_ENABLED: flag(false),
  OAUTH2_GENERIC_ISSUER: webAddress('https://id.example.com'),
  OAUTH2_GENERIC_CLIENT_ID: text,
  OAUTH2_GENERIC_CLIENT_SECRET: text,
  OAUTH2_GENERIC_SCOPE: checkedText(
    (value) => value.split(' ').includes('openid'),
    'must be scopes with spaces, and openid among them',
  ),
  OAUTH2_GENERIC_ALLOWED_EMAILS: emails,
  OAUTH2_GENERIC_ADMIT: jsonObject(
    z.record(z.string(), z.array(z.string()).min(1)),
    'must be a JSON object of claims with lists of values, for example {"groups":["panel"]}',
  ),
  OAUTH2_GENERIC_ROLE_CLAIM: text,
  OAUTH2_GENERIC_ROLES: jsonObject(
    z.record(z.string(), z.enum(builtInRoles)),
    `must be a JSON object of values with roles (${builtInRoles.join(', ')}), for example {"support":"support"}`,
  ),
}
const settings = z.object(signInSettings)

/** Mistakes that a start is refused for, a sentence each. */
export function signInMistakes(env: z.output<typeof settings>): string[] {
  const mistakes: string[] = []
  const refuseIf = (isWrong: boolean, sentence: string) => void (isWrong && mistakes.push(sentence))
  refuseIf(env.TELEGRAM_OAUTH_ENABLED && !env.TELEGRAM_BOT_TOKEN, 'TELEGRAM_OAUTH_ENABLED needs TELEGRAM_BOT_TOKEN.')
  refuseIf(
    env.TELEGRAM_OAUTH_ENABLED && env.TELEGRAM_OAUTH_ADMIN_IDS.length === 0,
    'TELEGRAM_OAUTH_ENABLED needs TELEGRAM_OAUTH_ADMIN_IDS.',
  )
  for (const name of ['GITHUB', 'POCKETID', 'YANDEX', 'GENERIC'] as const) {
    if (!env[`OAUTH2_${name}_ENABLED`]) continue
    refuseIf(!env[`OAUTH2_${name}_CLIENT_ID`], `OAUTH2_${name}_ENABLED needs OAUTH2_${name}_CLIENT_ID.`)
    refuseIf(!env[`OAUTH2_${name}_CLIENT_SECRET`], `OAUTH2_${name}_ENABLED needs OAUTH2_${name}_CLIENT_SECRET.`)
    const isOpenToAll = env[`OAUTH2_${name}_ALLOWED_EMAILS`].length === 0
    if (name === 'GENERIC') continue
    refuseIf(isOpenToAll, `OAUTH2_${name}_ENABLED needs OAUTH2_${name}_ALLOWED_EMAILS.`)
  }
  refuseIf(
    env.OAUTH2_POCKETID_ENABLED && !env.OAUTH2_POCKETID_PLAIN_DOMAIN,
    'OAUTH2_POCKETID_ENABLED needs OAUTH2_POCKETID_PLAIN_DOMAIN.',
  )
  if (env.OAUTH2_GENERIC_ENABLED) {
    const hasRoles = Object.keys(env.OAUTH2_GENERIC_ROLES).length > 0
    const isBounded = env.OAUTH2_GENERIC_ALLOWED_EMAILS.length > 0 || Object.keys(env.OAUTH2_GENERIC_ADMIT).length > 0
    refuseIf(!env.OAUTH2_GENERIC_ISSUER, 'OAUTH2_GENERIC_ENABLED needs OAUTH2_GENERIC_ISSUER.')
    refuseIf(
      !isBounded && !hasRoles,
      'OAUTH2_GENERIC_ENABLED needs OAUTH2_GENERIC_ALLOWED_EMAILS, OAUTH2_GENERIC_ADMIT or OAUTH2_GENERIC_ROLES.',
    )
    refuseIf(
      hasRoles !== (env.OAUTH2_GENERIC_ROLE_CLAIM !== null),
      'OAUTH2_GENERIC_ROLE_CLAIM and OAUTH2_GENERIC_ROLES must be set together.',
    )
  }
  const providers = ['GITHUB', 'POCKETID', 'YANDEX', 'GENERIC'] as const
  const isAnotherWayIn = env.TELEGRAM_OAUTH_ENABLED || providers.some((name) => env[`OAUTH2_${name}_ENABLED`])
  refuseIf(
    !env.AUTH_PASSWORD_ENABLED && !isAnotherWayIn,
    'AUTH_PASSWORD_ENABLED=false needs another way in: TELEGRAM_OAUTH_ENABLED or one of OAUTH2_..._ENABLED.',
  )
  return mistakes
}
