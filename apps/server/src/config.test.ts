import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const ACME = { ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://panel.example' }

describe('a configuration that cannot be used stops the start with a sentence', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ APP_PORT: '1.5' }, 'APP_PORT must be a whole number from 0 to 65535'],
    [{ METRICS_RETENTION_DAYS: '7' }, 'METRICS_RETENTION_DAYS must be a whole number from 35 to 36500'],
    [{ AUDIT_RETENTION_DAYS: '0' }, 'AUDIT_RETENTION_DAYS must be a whole number from 1 to 36500'],
    [{ TRAFFIC_RESET_RETENTION_DAYS: 'never' }, 'TRAFFIC_RESET_RETENTION_DAYS must be a whole number'],
    [{ JOB_RETENTION_DAYS: '1.5' }, 'JOB_RETENTION_DAYS must be a whole number'],
    [{ REQUIRE_HTTPS_PROXY: 'yes' }, 'REQUIRE_HTTPS_PROXY must be true or false'],
    [{ DATABASE_URL: 'mysql://host/name' }, 'DATABASE_URL must be an address such as postgres://'],
    [{ DATABASE_URL: 'postgres://user:p#ss@host/name' }, 'DATABASE_URL must be an address such as postgres://'],
    [{ MASTER_KEY: 'short' }, 'MASTER_KEY must be 32 bytes in base64'],
    [{ PUBLIC_URL: 'panel.example.com' }, 'PUBLIC_URL must be an address such as https://panel.example.com'],
    [{ SUB_PUBLIC_DOMAIN: 'https://sub.example.com' }, 'SUB_PUBLIC_DOMAIN must be a domain without https://'],
    [{ FRONT_END_DOMAIN: 'a.example, b.example' }, 'FRONT_END_DOMAIN must be one domain'],
    [{ SUPPORT_CHAT_URL: 'javascript:alert(1)' }, 'SUPPORT_CHAT_URL must be an address'],
    [{ METRICS_PORT: '3000' }, 'METRICS_PORT must differ from PORT'],
    [{ ROLE: 'jobs' }, 'ROLE=jobs needs DATABASE_URL'],
    [{ JWT_AUTH_SECRET: 'change_me' }, 'JWT_AUTH_SECRET must have at least 32 bytes'],
    [{ JWT_AUTH_SECRET: 'x'.repeat(31) }, 'JWT_AUTH_SECRET must have at least 32 bytes'],
    [{ TRUSTED_PROXIES: '10.0.0.1, proxy.local' }, 'TRUSTED_PROXIES has proxy.local'],
    [{ TRUSTED_PROXIES: '10.0.0.0/33' }, 'TRUSTED_PROXIES has 10.0.0.0/33'],
    [{ SWAGGER_PATH: 'docs' }, 'SWAGGER_PATH must be a path such as /docs'],
    [{ SCALAR_PATH: '/"><script>' }, 'SCALAR_PATH must be a path'],
    [{ IS_DOCS_ENABLED: 'true', SWAGGER_PATH: '/scalar' }, 'SWAGGER_PATH and SCALAR_PATH must differ'],
    [{ METRICS_USER: 'x' }, 'METRICS_USER and METRICS_PASS must be set together'],
    [{ AUTH_PASSWORD_ENABLED: 'false' }, 'AUTH_PASSWORD_ENABLED=false needs another way in'],
    [{ TELEGRAM_OAUTH_ENABLED: 'true' }, 'TELEGRAM_OAUTH_ENABLED needs TELEGRAM_BOT_TOKEN'],
    [{ TELEGRAM_OAUTH_ADMIN_IDS: '42' }, 'TELEGRAM_OAUTH_ADMIN_IDS must be a JSON list of numbers'],
    [{ OAUTH2_GITHUB_ENABLED: 'true' }, 'OAUTH2_GITHUB_ENABLED needs OAUTH2_GITHUB_CLIENT_ID'],
    [{ OAUTH2_POCKETID_ENABLED: 'true' }, 'OAUTH2_POCKETID_ENABLED needs OAUTH2_POCKETID_PLAIN_DOMAIN'],
    [{ ACME_EMAIL: 'admin' }, 'ACME_EMAIL must be an e-mail address'],
    [{ ACME_EMAIL: 'a@b.example' }, 'ACME_EMAIL needs PUBLIC_URL with https'],
    [{ ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'http://panel.example' }, 'ACME_EMAIL needs PUBLIC_URL with https'],
    [{ ACME_EMAIL: 'a@b.example', PUBLIC_URL: 'https://192.0.2.1' }, 'ACME_EMAIL needs names, and 192.0.2.1 is an address.'],
    [{ ...ACME, TLS_CERT: 'c', TLS_KEY: 'k' }, 'ACME_EMAIL and TLS_CERT exclude each other'],
    [{ ...ACME, REQUIRE_HTTPS_PROXY: 'true' }, 'ACME_EMAIL and REQUIRE_HTTPS_PROXY exclude each other'],
    [{ ...ACME, ACME_EAB_KID: 'kid' }, 'ACME_EAB_KID and ACME_EAB_HMAC_KEY must be set together'],
    [{ ...ACME, PORT: '80' }, 'HTTP_PORT must differ from PORT'],
  ])('%j: %s', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })
})

test('SHIP-007 an address of https and an e-mail address are enough for certificates: 443 for all, 80 leads there', () => {
  const { PORT, redirectPort, HOST, acme, isTls } = readConfig({ ...ACME, SUB_PUBLIC_DOMAIN: 'sub.example/path' })
  expect({ PORT, redirectPort, isTls }).toEqual({ PORT: 443, redirectPort: 80, isTls: true })
  expect(['::', '0.0.0.0']).toContain(HOST)
  expect(acme).toMatchObject({
    email: 'a@b.example',
    directory: 'https://acme-v02.api.letsencrypt.org/directory',
    eab: null,
    names: ['panel.example', 'sub.example'],
  })
  expect(readConfig({ ...ACME, PORT: '8443', HOST: '192.0.2.1', HTTP_PORT: '0' })).toMatchObject({
    PORT: 8443,
    HOST: '192.0.2.1',
    redirectPort: 0,
  })
  expect(readConfig({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', redirectPort: 0, acme: null, isTls: false })
})

test('every mistake is named at once', () => {
  expect(() => readConfig({ ROLE: 'jobs', METRICS_PASS: 'x' })).toThrow(/ROLE=jobs needs[\s\S]*METRICS_USER/)
})

test('what a backup holds can be looked at by a server that does no periodic work', () => {
  expect(readConfig({ ROLE: 'api' })).toMatchObject({ ROLE: 'api', DATABASE_URL: null })
})

test('nothing needs to be set', () => {
  expect(readConfig({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', ROLE: 'all', TRUSTED_PROXIES: [], DATABASE_URL: null })
})

test('a name without a value means its default', () => {
  const blank = {
    PORT: '',
    APP_PORT: '4000',
    HOST: '',
    ROLE: ' ',
    LOG_LEVEL: '',
    SWAGGER_PATH: '',
    REQUIRE_HTTPS_PROXY: '',
    MASTER_KEY: '',
  }
  expect(readConfig(blank)).toEqual({ ...readConfig({}), PORT: 4000, APP_PORT: 4000 })
})

test('addresses and domains are taken as administrators write them', () => {
  const written = {
    DATABASE_URL: 'postgresql://user:p%23ss@/name?host=/run/postgresql',
    PUBLIC_URL: 'http://10.0.0.1:3000/',
    SUB_PUBLIC_DOMAIN: 'panel.example.com:8443/api/sub',
    FRONT_END_DOMAIN: '*',
  }
  expect(readConfig(written)).toMatchObject(written)
})

test('folders are those of whoever starts it, not of the checkout', () => {
  const config = readConfig({ CAUSEWAY_CWD: '/home/me', DATA_DIR: 'panel', CERTIFICATE_DIRS: 'certs, /etc/ssl/mine' })
  const certificateDirs = ['/home/me/certs', '/etc/ssl/mine']
  expect(config).toMatchObject({ dataDir: '/home/me/panel', certificateDirs })
  expect(config.logDirs).toEqual(['/var/log/xray', '/var/log/remnanode', ...certificateDirs])
  expect(readConfig({ LOG_DIRS: '/srv/logs', CERTIFICATE_DIRS: '/certs' }).logDirs).toEqual(['/srv/logs', '/certs'])
})

test('the old name of the port still counts unless both are given, proxies are a list', () => {
  const config = readConfig({ APP_PORT: '4000', TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1' })
  expect(config).toMatchObject({ PORT: 4000, TRUSTED_PROXIES: ['loopback', '10.0.0.0/8', '::1'] })
  expect(readConfig({ APP_PORT: '4000', PORT: '5000' })).toMatchObject({ PORT: 5000 })
})

test('a mistake in the file of the package is told with file and line', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-config-'))
  const file = path.join(folder, 'causeway.env')
  writeFileSync(file, '# Settings\n\nPORT=80a\nTRUSTED_PROXIES=proxy.local\n')
  const env = { CAUSEWAY_ENV_FILE: file, PORT: '80a', LOG_LEVEL: 'loud' }
  expect(() => readConfig(env)).toThrow(`${file}, line 3: PORT must be a whole number from 0 to 65535.\n  LOG_LEVEL must be`)
  expect(() => readConfig({ CAUSEWAY_ENV_FILE: file, TRUSTED_PROXIES: 'proxy.local' })).toThrow(
    `${file}, line 4: TRUSTED_PROXIES has`,
  )
  rmSync(folder, { recursive: true })
})
