import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Authority, makeAuthority, secretKey } from '../test/authority.ts'
import { readConfig } from './config.ts'

const xray = process.execPath // any program will do

describe('readConfig', () => {
  let authority: Authority
  let good: Record<string, string>

  beforeAll(async () => {
    authority = await makeAuthority()
    good = { SECRET_KEY: secretKey(authority.payload), XRAY_BIN: xray }
  })

  it('needs only the secret key and an Xray', () => {
    expect(readConfig(good)).toEqual({
      port: 2222,
      payload: authority.payload,
      xray,
      apiPort: 61_000,
      visionPort: undefined,
      folder: '/var/lib/causeway-agent',
      logLevel: 'info',
      isHashCheckDisabled: false,
      isCoreEndedOnExit: false,
    })
  })

  it.each([
    [{ NODE_PORT: '4100' }, { port: 4100 }],
    [{ APP_PORT: '4101' }, { port: 4101 }],
    [{ NODE_PORT: '4100', APP_PORT: '4101' }, { port: 4100 }],
    [{ NODE_PORT: '', APP_PORT: '4101' }, { port: 4101 }],
    [{ XTLS_PORT: '4102' }, { apiPort: 4102 }],
    [{ VISION_PORT: '61001' }, { visionPort: 61_001 }],
    [{ DATA_DIR: '/tmp/x' }, { folder: '/tmp/x' }],
    [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
    [{ CALLS_PANEL: 'true', PANEL_URL: 'https://panel.example' }, { calledPanel: 'https://panel.example' }],
    [{ PANEL_URL: 'https://panel.example' }, { calledPanel: undefined }],
    [{ DISABLE_HASHED_SET_CHECK: 'true' }, { isHashCheckDisabled: true }],
    [{ STOP_CORE_ON_EXIT: 'true' }, { isCoreEndedOnExit: true }],
  ])('takes %j', (given, expected) => {
    expect(readConfig({ ...good, ...given })).toMatchObject(expected)
  })

  it('takes the secret key under its old name, as a whole copied line, and with members it does not know', () => {
    const more = { more: true }
    const key = secretKey({ ...authority.payload, ...more })
    for (const text of [key, `SSL_CERT="${key}"`, `SECRET_KEY=${key}`, ` ${key}\n`]) {
      expect(readConfig({ XRAY_BIN: xray, SSL_CERT: text }).payload).toEqual(authority.payload)
    }
  })

  it.each([
    [{ NODE_PORT: '0' }, 'NODE_PORT must be a port from 1 to 65535, not "0".'],
    [{ APP_PORT: '70000' }, 'APP_PORT must be a port from 1 to 65535, not "70000".'],
    [{ CALLS_PANEL: 'true', PANEL_URL: 'panel' }, 'CALLS_PANEL needs the address of the panel in PANEL_URL'],
    [{ XTLS_PORT: 'x' }, 'XTLS_PORT must be a port from 1 to 65535, not "x".'],
    [{ SECRET_KEY: '' }, 'SECRET_KEY is not set, and this node has not joined.'],
    [{ SECRET_KEY: 'abc' }, 'SECRET_KEY is not what the Nodes page of the dashboard shows'],
    [{ XRAY_BIN: '/nowhere' }, 'There is no Xray binary at /nowhere.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".'],
    [{ DISABLE_HASHED_SET_CHECK: 'yes' }, 'DISABLE_HASHED_SET_CHECK must be true or false, not "yes".'],
  ])('refuses %j with a sentence', (given, sentence) => {
    expect(() => readConfig({ ...good, ...given })).toThrow(sentence)
  })

  it('JOIN-003 needs no secret key where the node has made its own', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'causeway-joined-'))
    writeFileSync(path.join(folder, 'identity.json'), '{}')
    expect(readConfig({ XRAY_BIN: xray, DATA_DIR: folder })).toMatchObject({ folder, payload: undefined })
    rmSync(folder, { recursive: true })
  })

  it('names every mistake at once', () => {
    expect(() => readConfig({ NODE_PORT: 'x', LOG_LEVEL: 'y', XRAY_BIN: '/nowhere' })).toThrow(
      /NODE_PORT.*\nSECRET_KEY.*\nThere is no Xray.*\nLOG_LEVEL/,
    )
  })

  it.each(['nodeCertPem', 'nodeKeyPem', 'caCertPem'] as const)(
    'refuses a payload whose %s is of another server',
    async (member) => {
      const other = await makeAuthority()
      const mixed = { ...authority.payload, [member]: other.payload[member] }
      expect(() => readConfig({ ...good, SECRET_KEY: secretKey(mixed) })).toThrow('do not belong together')
    },
  )

  it('refuses a payload that lacks a member', () => {
    const { jwtPublicKey: _, ...rest } = authority.payload
    const text = Buffer.from(JSON.stringify(rest)).toString('base64')
    expect(() => readConfig({ ...good, SECRET_KEY: text })).toThrow('copy it again')
  })
})
