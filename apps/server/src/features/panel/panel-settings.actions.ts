import type { Input, patchPanelSettings } from '@causeway/contract'
import type { Config } from '../../config.ts'
import { refuseField } from '../../http/errors.ts'

/** How one signs in, in the form of later generations. Secrets are not told, and what there is not is off. */
export function panelSettings(config: Config) {
  const off = { enabled: false, clientId: null, clientSecret: null, allowedEmails: [] }
  const on = (enabled: boolean, clientId: string | null, allowedEmails: string[]) => ({
    enabled,
    clientId,
    clientSecret: null,
    allowedEmails,
  })
  const frontendDomain = config.FRONT_END_DOMAIN
  return {
    passkeySettings: { enabled: false, rpId: null, origin: null },
    oauth2Settings: {
      github: on(config.OAUTH2_GITHUB_ENABLED, config.OAUTH2_GITHUB_CLIENT_ID, config.OAUTH2_GITHUB_ALLOWED_EMAILS),
      pocketid: {
        ...on(config.OAUTH2_POCKETID_ENABLED, config.OAUTH2_POCKETID_CLIENT_ID, config.OAUTH2_POCKETID_ALLOWED_EMAILS),
        frontendDomain,
        plainDomain: config.OAUTH2_POCKETID_PLAIN_DOMAIN,
      },
      yandex: on(config.OAUTH2_YANDEX_ENABLED, config.OAUTH2_YANDEX_CLIENT_ID, config.OAUTH2_YANDEX_ALLOWED_EMAILS),
      keycloak: { ...off, realm: null, frontendDomain, keycloakDomain: null },
      generic: {
        ...on(config.OAUTH2_GENERIC_ENABLED, config.OAUTH2_GENERIC_CLIENT_ID, config.OAUTH2_GENERIC_ALLOWED_EMAILS),
        withPkce: config.OAUTH2_GENERIC_ENABLED,
        authorizationUrl: null,
        tokenUrl: null,
        frontendDomain,
      },
      telegram: { enabled: false, clientId: null, clientSecret: null, allowedIds: [], frontendDomain },
    },
    tgAuthSettings: {
      enabled: config.TELEGRAM_OAUTH_ENABLED,
      botToken: null,
      adminIds: config.TELEGRAM_OAUTH_ADMIN_IDS.map(String),
    },
    passwordSettings: { enabled: config.AUTH_PASSWORD_ENABLED },
    brandingSettings: { title: null, logoUrl: null },
  }
}

/** Nothing of it can be changed while the server runs: what differs is refused by its name. Unknown members are dropped. */
export function keepPanelSettings(config: Config, sent: Input<typeof patchPanelSettings>) {
  const settings = panelSettings(config)
  refuseChanges(settings, sent, '')
  return settings
}

function refuseChanges(now: object, sent: object, path: string): void {
  const wanted = new Map<string, unknown>(Object.entries(sent))
  for (const [name, value] of Object.entries(now)) {
    const given = wanted.get(name)
    if (given === undefined) continue
    const field = `${path}${name}`
    if (isGroup(value) && isGroup(given)) refuseChanges(value, given, `${field}.`)
    else if (JSON.stringify(value) !== JSON.stringify(given))
      refuseField(field, 'is set by the environment of the server and cannot be changed here')
  }
}

function isGroup(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
