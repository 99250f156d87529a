import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

describe('a configuration that cannot be used stops the start with a sentence', () => {
  test.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ ROLE: 'api' }, 'ROLE=api needs DATABASE_URL'],
    [{ JWT_AUTH_SECRET: 'change_me' }, 'JWT_AUTH_SECRET must not be change_me'],
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
  ])('%j: %s', (env, sentence) => {
    expect(() => readConfig(env)).toThrow(sentence)
  })
})

test('every mistake is named at once', () => {
  expect(() => readConfig({ ROLE: 'jobs', METRICS_PASS: 'x' })).toThrow(/ROLE=jobs needs[\s\S]*METRICS_USER/)
})

test('nothing needs to be set', () => {
  expect(readConfig({})).toMatchObject({ PORT: 3000, HOST: '127.0.0.1', ROLE: 'all', TRUSTED_PROXIES: [], DATABASE_URL: null })
})

test('the old name of the port still counts, flags are on only when they say true, proxies are a list', () => {
  const config = readConfig({ APP_PORT: '4000', IS_DOCS_ENABLED: 'yes', TRUSTED_PROXIES: 'loopback, 10.0.0.0/8,::1' })
  expect(config).toMatchObject({ PORT: 4000, IS_DOCS_ENABLED: false, TRUSTED_PROXIES: ['loopback', '10.0.0.0/8', '::1'] })
})
