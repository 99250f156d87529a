import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from '@playwright/test'
import {
  noAdditions,
  prepareHost,
  resolveEntries,
  templateValues,
  type ProxyEntry,
  type Subscriber,
} from '@causeway/subscription'
import { publicKey } from '../../apps/server/src/lib/keys/public-key.ts'
import { root } from './processes.ts'
import type { ProxyServer } from './proxy-server.ts'

/** A real client app, such as `sing-box` `1.12.8`. */
export interface ClientApp {
  name: string
  version: string
  file: string
}

/** Where clients are looked for: they are no part of this repository. */
const packed = path.resolve(root, '../shared/clients')
const unpackedFolder = path.join(tmpdir(), 'causeway-client-apps')

/** The client apps of this machine, by name and version; none where there are none. */
export function findClientApps(): ClientApp[] {
  const folder = process.env['CLIENTS_DIR'] ?? (existsSync(packed) ? unpack() : undefined)
  if (folder === undefined || !existsSync(folder)) return []
  return readdirSync(folder).flatMap((entry) => {
    const match = /^(mihomo|sing-box)-([\d.]+\d)$/.exec(entry)
    return match ? [{ name: match[1] ?? '', version: match[2] ?? '', file: path.join(folder, entry) }] : []
  })
}

/** What is said where an app, or all of them, is not there. */
export function isAbsent(app: string): string {
  return `${app} is not in ../shared/clients or CLIENTS_DIR`
}

/** The program of an app, of any version or of this one. Where it is not there, the test that asks is skipped. */
export function neededApp(name: ClientApp['name'], version?: string): string {
  const isMeant = (app: ClientApp) => app.name === name && (version === undefined || app.version === version)
  const file = findClientApps().find(isMeant)?.file ?? ''
  test.skip(!file, isAbsent([name, version].filter(Boolean).join(' ')))
  return file
}

/** The types of templates that sing-box reads, each with the versions that are tried with it. */
export const singBoxTemplates = [
  ['SINGBOX_LEGACY', '1.9.7'],
  ['SINGBOX', '1.12.8'],
  ['SINGBOX', '1.13.21'],
  ['SINGBOX', '1.14.4'],
] as const

function unpack(): string {
  mkdirSync(unpackedFolder, { recursive: true })
  for (const archive of readdirSync(packed).filter((entry) => entry.endsWith('.xz'))) {
    const target = path.join(unpackedFolder, archive.slice(0, -'.xz'.length))
    if (existsSync(target)) continue
    const { status, stdout, stderr } = spawnSync('xz', ['-dc', path.join(packed, archive)], { maxBuffer: 2 ** 28 })
    if (status !== 0) throw new Error(`${archive} cannot be unpacked: ${String(stderr)}`)
    // Another run may do the same now; whoever is last puts the same file there.
    const written = `${target}.${process.pid}`
    writeFileSync(written, stdout)
    chmodSync(written, 0o755)
    renameSync(written, target)
  }
  return unpackedFolder
}

/** Somebody whose subscription the apps are given. */
export const customer: Subscriber = {
  shortUuid: 'clients',
  username: 'clients',
  status: 'ACTIVE',
  usedTrafficBytes: 0,
  lifetimeUsedTrafficBytes: 0,
  trafficLimitBytes: 0,
  trafficLimitStrategy: 'NO_RESET',
  expireAt: new Date('2099-01-01'),
  tag: null,
  email: null,
  telegramId: null,
  id: 1,
  description: null,
  hwidDeviceLimit: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  lastTrafficResetAt: null,
  vlessUuid: '550e8400-e29b-41d4-a716-446655440000',
  trojanPassword: 'trojan-password',
  ssPassword: 'shadowsocks-password',
}
/** A host with nothing of its own; a test adds name, port and inbound. */
export const plainHost = {
  uuid: '',
  viewPosition: 0,
  address: '127.0.0.1',
  path: null,
  sni: null,
  host: null,
  alpn: null,
  fingerprint: null,
  isDisabled: false,
  isHidden: false,
  securityLayer: 'DEFAULT',
  xHttpExtraParams: null,
  muxParams: null,
  sockoptParams: null,
  serverDescription: null,
  tags: [],
  overrideSniFromAddress: false,
  vlessRouteId: null,
  shuffleHost: false,
  mihomoX25519: false,
  allowInsecure: false,
  ...noAdditions,
} as const

/** What the customer is given of a server: one entry for each of its inbounds. */
export function customerEntries({ inbounds }: ProxyServer): ProxyEntry[] {
  const hosts = inbounds.flatMap((inbound) => {
    const stored = { uuid: '', profileUuid: '', tag: inbound.tag, type: String(inbound['protocol']), rawInbound: inbound }
    return prepareHost({ ...plainHost, remark: inbound.tag, port: inbound.port, inbound: stored }, publicKey) ?? []
  })
  return resolveEntries(hosts, customer, templateValues(customer, '', new Date()), Math.random)
}
