import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import {
  chatId,
  chatPlace,
  checkedText,
  flag,
  hasScheme,
  hours,
  isDomain,
  isNetwork,
  list,
  pagePath,
  text,
  threadId,
  webAddress,
  whole,
} from './lib/environment-values.ts'
import { readVersion, ROOT } from './lib/product.ts'
import { placed, readSettingsFile } from './lib/systemd/settings-file.ts'
import { databaseMistakes, databaseSettings, withPooler } from './database-config.ts'
import { signInMistakes, signInSettings } from './sign-in-config.ts'

// Parses the environment into typed configuration. The names are those in administrators' existing files. A
// configuration that breaks a rule stops the start with one sentence per mistake.

const MASTER_KEY_BYTES = 32
/** As many as the signature has; a shorter one could be tried out against a token. */
const MIN_SECRET_BYTES = 32

const environment = z.object({
  PORT: whole(3000, 0, 65_535),
  APP_PORT: whole(3000, 0, 65_535),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('data'),
  BACKUP_DIR: text,
  ...databaseSettings,
  ROLE: z.enum(['all', 'api', 'jobs'], 'must be all, api or jobs').default('all'),
  /** How long a server that is asked to end goes on answering, for load balancers to notice. */
  DRAIN_SECONDS: whole(0, 0, 300),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
  IS_HTTP_LOGGING_ENABLED: flag(false),
  MASTER_KEY: checkedText(
    (value) => Buffer.from(value, 'base64').length === MASTER_KEY_BYTES,
    'must be 32 bytes in base64, for example from: openssl rand -base64 32',
  ),

  PUBLIC_URL: webAddress('https://panel.example.com'),
  SUB_PUBLIC_DOMAIN: checkedText(isDomain, 'must be a domain without https://, such as sub.example.com or example.com/sub'),
  FRONT_END_DOMAIN: checkedText(
    (value) => value === '*' || isDomain(value) || hasScheme(value, ['http:', 'https:']),
    'must be one domain such as shop.example.com, or * for all',
  ),
  TRUSTED_PROXIES: list,
  REQUIRE_HTTPS_PROXY: flag(false),
  TLS_CERT: text,
  TLS_KEY: text,
  HTTP_PORT: whole(80, 0, 65_535),
  ACME_EMAIL: checkedText((value) => /^[^\s@]+@[^\s@]+$/.test(value), 'must be an e-mail address'),
  ACME_DIRECTORY: webAddress('https://acme-v02.api.letsencrypt.org/directory'),
  ACME_EAB_KID: text,
  ACME_EAB_HMAC_KEY: text,
  DISABLE_FRONTEND: flag(false),
  SHORT_UUID_LENGTH: whole(22, 16, 64),
  CERTIFICATE_DIRS: list,
  LOG_DIRS: list,
  ENGINE_DIR: text,
  NODE_FILES_DIR: text,
  USAGE_RETENTION_DAYS: whole(400, 1, 36_500),
  /** Years are compared with the ones before. */
  METRICS_RETENTION_DAYS: whole(800, 35, 36_500),
  TRAFFIC_RESET_RETENTION_DAYS: whole(400, 1, 36_500),
  AUDIT_RETENTION_DAYS: whole(400, 1, 36_500),
  JOB_RETENTION_DAYS: whole(30, 1, 36_500),
  REVISION_RETENTION_DAYS: whole(400, 1, 36_500),
  /** Of one profile or template. */
  REVISIONS_KEPT: whole(200, 1, 100_000),
  /** How long a node is watched that has a new revision before others. */
  ROLLOUT_WATCH_SECONDS: whole(60, 1, 3600),

  JWT_AUTH_SECRET: checkedText(
    (value) => Buffer.byteLength(value) >= MIN_SECRET_BYTES,
    'must have at least 32 bytes, for example from: openssl rand -hex 32; without it one is generated',
  ),
  JWT_AUTH_LIFETIME: whole(12, 1, 168),
  ...signInSettings,

  /** Hosts of one's own network that links typed by administrators may lead to: icons, catalogues, default pages. */
  OUTGOING_PRIVATE_HOSTS: list,

  IS_DOCS_ENABLED: flag(false),
  SWAGGER_PATH: pagePath('/docs'),
  SCALAR_PATH: pagePath('/scalar'),
  METRICS_USER: text,
  METRICS_PASS: text,
  METRICS_PORT: whole(0, 0, 65_535),
  METRICS_COMPAT: flag(false),

  WEBHOOK_ENABLED: flag(false),
  WEBHOOK_URL: list,
  WEBHOOK_SECRET_HEADER: checkedText(
    (value) => /^[A-Za-z0-9]{32,128}$/.test(value),
    'must have 32 to 128 letters and digits, for example from: openssl rand -hex 32',
  ),
  IS_TELEGRAM_NOTIFICATIONS_ENABLED: flag(false),
  TELEGRAM_NOTIFY_USERS: chatPlace,
  TELEGRAM_NOTIFY_NODES: chatPlace,
  TELEGRAM_NOTIFY_CRM: chatPlace,
  TELEGRAM_NOTIFY_SERVICE: chatPlace,
  /** The names of older installations, used where the ones above are not. */
  TELEGRAM_NOTIFY_USERS_CHAT_ID: chatId,
  TELEGRAM_NOTIFY_USERS_THREAD_ID: threadId,
  TELEGRAM_NOTIFY_NODES_CHAT_ID: chatId,
  TELEGRAM_NOTIFY_NODES_THREAD_ID: threadId,
  TELEGRAM_NOTIFY_CRM_CHAT_ID: chatId,
  TELEGRAM_NOTIFY_CRM_THREAD_ID: threadId,
  TELEGRAM_BOT_API_ROOT: webAddress('https://api.telegram.org'),
  TELEGRAM_BOT_PROXY: checkedText(
    (value) => hasScheme(value, ['http:', 'https:', 'socks:', 'socks5:']),
    'must be an address such as http://user:password@proxy.example.com:8080 or socks5://proxy.example.com:1080',
  ),
  EXPIRATION_NOTIFICATIONS_ENABLED: flag(true),
  /** Hours; negative is before a user expires. The name is from the generation that knows `user.expiration`. */
  EXPIRATION_NOTIFICATIONS: hours(
    [-72, -48, -24, 24],
    (values) => {
      const before = values.filter((hour) => hour < 0).length
      return values.every((hour) => Math.abs(hour) <= 168 && hour !== 0) && before <= 5 && values.length - before <= 5
    },
    'must be a JSON list of hours from -168 to 168 without 0, at most five on each side, for example [-72,-48,-24,24]',
  ),
  BANDWIDTH_USAGE_NOTIFICATIONS_ENABLED: flag(false),
  BANDWIDTH_USAGE_NOTIFICATIONS_THRESHOLD: hours(
    [60, 80],
    (values) => values.length <= 5 && values.every((value, at) => value >= 25 && value <= 95 && value > (values[at - 1] ?? 0)),
    'must be a JSON list of at most five ascending percentages from 25 to 95, for example [60,80]',
  ),
  NOT_CONNECTED_USERS_NOTIFICATIONS_ENABLED: flag(false),
  NOT_CONNECTED_USERS_NOTIFICATIONS_AFTER_HOURS: hours(
    [6, 24, 48],
    (values) => values.length <= 3 && values.every((hour) => hour >= 1 && hour <= 168),
    'must be a JSON list of at most three hours from 1 to 168, for example [6,24,48]',
  ),
  /** How long published events and their deliveries are kept. */
  EVENT_RETENTION_DAYS: whole(7, 2, 90),

  HWID_DEVICE_LIMIT_ENABLED: flag(false),
  HWID_FALLBACK_DEVICE_LIMIT: whole(0, 0, 999),
  HWID_MAX_DEVICES_ANNOUNCE: text,

  BUILD_TIME: text,
  BUILD_COMMIT: text,
  BUILD_TAG: text,
  BUILD_BRANCH: text,
  REMNAWAVE_BRANCH: text,
  REPOSITORY_URL: webAddress('https://github.com/owner/name'),
  RELEASE_SERVICE_URL: webAddress('https://ungh.cc'),
  /** JSON lists of templates to begin from; without them only those are offered that come with the server. */
  TEMPLATE_CATALOGUE_URL: webAddress('https://templates.example.com/subscription.json'),
  PROFILE_CATALOGUE_URL: webAddress('https://templates.example.com/xray-core.json'),
  COMMUNITY_CHAT_URL: webAddress('https://t.me/name'),
  SUPPORT_CHAT_URL: webAddress('https://t.me/name'),
  DONATION_URL: webAddress('https://example.com/donate'),
  /** JSON that names tracks for the hidden game; without it the browser makes its own music. */
  MUSIC_PLAYLIST_URL: webAddress('https://music.example.com/playlist.json'),
  MUSIC_SERVICE_URL: webAddress('https://soundcloud.com/name'),
})

/** Names of all settings. */
export const SETTINGS: readonly string[] = Object.keys(environment.shape)

export interface Acme {
  email: string
  /** Address of the directory (RFC 8555). */
  directory: string
  /** Credentials of an account that was opened elsewhere, where the directory asks for them. */
  eab: { kid: string; hmacKey: string } | null
  /** Names to have a certificate each. */
  names: string[]
}

const USUAL_DIRECTORY = 'https://acme-v02.api.letsencrypt.org/directory'
const HTTPS_PORT = 443

export type Config = Readonly<z.output<typeof environment>> & {
  /** The pooler in front of DATABASE_URL, which is PostgreSQL itself then, whatever the environment calls them. */
  poolerUrl: string | null
  /** Receivers named by the environment read moments of expiry under the names of the generation that the environment is of. */
  environmentExpiryNames: 'old' | 'new'
  dataDir: string
  /** Where the dashboard, and `causeway backup` without a folder, put backups. */
  backupDir: string
  /** Folders whose certificate files a config profile may name. */
  certificateDirs: string[]
  /** Folders on a node where a profile may have the core write its logs. */
  logDirs: string[]
  /** Certificate and key in PEM, where the server itself speaks https. */
  tlsFiles: { cert: string; key: string } | null
  /** Where the server gets its certificates itself. */
  acme: Acme | null
  /** Whether the server itself speaks https. */
  isTls: boolean
  /** Port that leads to https; 0: none. */
  redirectPort: number
  /** Where `npm run engine` put Xray for browsers. */
  engineDir: string
  /** File that the unit of the package reads settings from. */
  settingsFile: string | null
  /** Where the files lie that joining nodes download, in order. */
  nodeFilesDirs: string[]
  version: string
}

/** Of a data folder, and in none of its backups. */
export const BACKUPS = 'backups'
const BUILT_ENGINE = path.join(ROOT, 'engine/build')
/** A release has them in it; a checkout has what `npm run package` made last. */
const BUILT_NODE_FILES = ['nodes', 'dist'].map((name) => path.join(ROOT, name))

/** Where certificate tools and installations of this generation keep them. */
const USUAL_CERTIFICATE_DIRS = ['/etc/letsencrypt', '/var/lib/remnawave/configs/xray/ssl']

/** Where nodes of this generation, and Xray by itself, keep logs. */
const USUAL_LOG_DIRS = ['/var/log/xray', '/var/log/remnanode']

/** Reads the configuration. @throws Error with one line per mistake. */
export function readConfig(env: Record<string, string | undefined> = process.env): Config {
  const given = withoutBlanks(env)
  const parsed = environment.safeParse(given)
  const acme = parsed.success ? readAcme(parsed.data) : null
  const isPortGiven = given['PORT'] !== undefined || given['APP_PORT'] !== undefined
  const givenPort = (given['PORT'] === undefined ? parsed.data?.APP_PORT : parsed.data?.PORT) ?? 0
  const PORT = acme && !isPortGiven ? HTTPS_PORT : givenPort
  const mistakes = parsed.success
    ? contradictions({ ...parsed.data, PORT })
    : parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`)
  if (!parsed.success || mistakes.length > 0) {
    const settings = readSettingsFile(given['CAUSEWAY_ENV_FILE'])
    const sentences = mistakes.map((mistake) => placed(mistake, settings, given))
    throw new Error(['The configuration cannot be used:', ...sentences].join('\n  '))
  }
  const folder = (name: string) => path.resolve(given['CAUSEWAY_CWD'] ?? '.', name)
  const dataDir = folder(parsed.data.DATA_DIR)
  const backupDir = parsed.data.BACKUP_DIR === null ? path.join(dataDir, BACKUPS) : folder(parsed.data.BACKUP_DIR)
  const named = parsed.data.CERTIFICATE_DIRS.map(folder)
  const certificateDirs = named.length > 0 ? named : [path.join(dataDir, 'certificates'), ...USUAL_CERTIFICATE_DIRS]
  const logs = parsed.data.LOG_DIRS.map(folder)
  // What was allowed before there was a setting stays allowed.
  const logDirs = [...(logs.length > 0 ? logs : USUAL_LOG_DIRS), ...certificateDirs]
  const engineDir = parsed.data.ENGINE_DIR === null ? BUILT_ENGINE : folder(parsed.data.ENGINE_DIR)
  const { NODE_FILES_DIR } = parsed.data
  const nodeFilesDirs = NODE_FILES_DIR === null ? BUILT_NODE_FILES : [folder(NODE_FILES_DIR)]
  const { TLS_CERT, TLS_KEY } = parsed.data
  const tlsFiles = TLS_CERT !== null && TLS_KEY !== null ? { cert: folder(TLS_CERT), key: folder(TLS_KEY) } : null
  // With certificates of its own the server is for the internet. Without IPv6 the address of all is another one.
  const HOST = acme && given['HOST'] === undefined ? anyAddress() : parsed.data.HOST
  const isTls = tlsFiles !== null || acme !== null
  const redirectPort = acme || (tlsFiles && given['HTTP_PORT'] !== undefined) ? parsed.data.HTTP_PORT : 0
  const environmentExpiryNames: Config['environmentExpiryNames'] =
    given['EXPIRATION_NOTIFICATIONS'] === undefined && given['EXPIRATION_NOTIFICATIONS_ENABLED'] === undefined ? 'old' : 'new'
  const folders = { dataDir, backupDir, certificateDirs, logDirs, engineDir, nodeFilesDirs }
  const served = { PORT, HOST, tlsFiles, acme, isTls, redirectPort }
  return {
    ...parsed.data,
    ...withPooler(parsed.data),
    ...folders,
    ...served,
    environmentExpiryNames,
    settingsFile: given['CAUSEWAY_ENV_FILE'] ?? null,
    version: readVersion(),
  }
}

function readAcme(env: z.output<typeof environment>): Acme | null {
  const { ACME_EMAIL: email, ACME_DIRECTORY, ACME_EAB_KID: kid, ACME_EAB_HMAC_KEY: hmacKey, PUBLIC_URL, SUB_PUBLIC_DOMAIN } = env
  if (email === null || PUBLIC_URL === null) return null
  const addresses = SUB_PUBLIC_DOMAIN === null ? [PUBLIC_URL] : [PUBLIC_URL, `https://${SUB_PUBLIC_DOMAIN}`]
  return {
    email,
    directory: ACME_DIRECTORY ?? USUAL_DIRECTORY,
    eab: kid !== null && hmacKey !== null ? { kid, hmacKey } : null,
    names: [...new Set(addresses.map((address) => new URL(address).hostname))],
  }
}

function anyAddress(): string {
  const hasIpv6 = Object.values(networkInterfaces()).some((each) => each?.some(({ family }) => family === 'IPv6'))
  return hasIpv6 ? '::' : '0.0.0.0'
}

/** A name without a value, as files of settings have it, means its default. */
function withoutBlanks(env: Record<string, string | undefined>): Record<string, string> {
  const given = Object.entries(env).map(([name, value = '']) => [name, value.trim()] as const)
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}

function contradictions(env: z.output<typeof environment>): string[] {
  const mistakes: string[] = []
  const refuseIf = (isContradicted: boolean, sentence: string) => {
    if (isContradicted) mistakes.push(sentence)
  }
  refuseIf(
    env.ROLE === 'jobs' && !env.DATABASE_URL,
    'ROLE=jobs needs DATABASE_URL: the embedded database belongs to one process.',
  )
  mistakes.push(...databaseMistakes(env))
  for (const proxy of env.TRUSTED_PROXIES.filter((entry) => !isNetwork(entry))) {
    mistakes.push(`TRUSTED_PROXIES has ${proxy}, which is no address, network (10.0.0.0/8), loopback, linklocal or uniquelocal.`)
  }
  refuseIf(env.WEBHOOK_ENABLED && env.WEBHOOK_URL.length === 0, 'WEBHOOK_ENABLED needs WEBHOOK_URL.')
  refuseIf(env.WEBHOOK_ENABLED && env.WEBHOOK_SECRET_HEADER === null, 'WEBHOOK_ENABLED needs WEBHOOK_SECRET_HEADER.')
  for (const address of env.WEBHOOK_URL.filter((each) => !hasScheme(each, ['http:', 'https:'])))
    mistakes.push(`WEBHOOK_URL has ${address}, which is no address such as https://bot.example.com/hook.`)
  refuseIf(env.IS_DOCS_ENABLED && env.SWAGGER_PATH === env.SCALAR_PATH, 'SWAGGER_PATH and SCALAR_PATH must differ.')
  refuseIf(
    env.HWID_DEVICE_LIMIT_ENABLED && env.HWID_FALLBACK_DEVICE_LIMIT < 1,
    'HWID_DEVICE_LIMIT_ENABLED needs HWID_FALLBACK_DEVICE_LIMIT from 1 to 999.',
  )
  refuseIf(
    env.HWID_DEVICE_LIMIT_ENABLED && !env.HWID_MAX_DEVICES_ANNOUNCE,
    'HWID_DEVICE_LIMIT_ENABLED needs HWID_MAX_DEVICES_ANNOUNCE.',
  )
  refuseIf(
    env.IS_TELEGRAM_NOTIFICATIONS_ENABLED && !env.TELEGRAM_BOT_TOKEN,
    'IS_TELEGRAM_NOTIFICATIONS_ENABLED needs TELEGRAM_BOT_TOKEN.',
  )
  mistakes.push(...signInMistakes(env))
  refuseIf(
    env.METRICS_PORT !== 0 && env.METRICS_PORT === env.PORT,
    'METRICS_PORT must differ from PORT; without it the metrics are at PORT.',
  )
  refuseIf(Boolean(env.TLS_CERT) !== Boolean(env.TLS_KEY), 'TLS_CERT and TLS_KEY must be set together.')
  refuseIf(
    Boolean(env.ACME_EAB_KID) !== Boolean(env.ACME_EAB_HMAC_KEY),
    'ACME_EAB_KID and ACME_EAB_HMAC_KEY must be set together.',
  )
  refuseIf(
    env.ACME_EMAIL !== null && !env.PUBLIC_URL?.startsWith('https:'),
    'ACME_EMAIL needs PUBLIC_URL with https, such as https://panel.example.com: the certificate is for that name.',
  )
  for (const name of readAcme(env)?.names ?? [])
    refuseIf(isIP(name.replace(/^\[|\]$/g, '')) !== 0, `ACME_EMAIL needs names, and ${name} is an address.`)
  refuseIf(
    env.ACME_EMAIL !== null && env.TLS_CERT !== null,
    'ACME_EMAIL and TLS_CERT exclude each other: the server gets a certificate, or uses the one it is given.',
  )
  refuseIf(
    env.ACME_EMAIL !== null && env.REQUIRE_HTTPS_PROXY,
    'ACME_EMAIL and REQUIRE_HTTPS_PROXY exclude each other: the server speaks https itself, or its proxy does.',
  )
  refuseIf(
    env.ACME_EMAIL !== null && env.HTTP_PORT !== 0 && env.HTTP_PORT === env.PORT,
    'HTTP_PORT must differ from PORT: one leads to https, the other speaks it.',
  )
  refuseIf(Boolean(env.METRICS_USER) !== Boolean(env.METRICS_PASS), 'METRICS_USER and METRICS_PASS must be set together.')
  return mistakes
}
