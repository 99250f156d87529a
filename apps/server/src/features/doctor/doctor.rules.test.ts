import { expect, test } from 'vitest'
import { DOCTOR_CHECKS, type DoctorFinding } from '@causeway/contract'
import { isWrong, judge, type DatabaseFacts, type Facts } from './doctor.rules.ts'
import { sentenceOf } from './words.rules.ts'

const MB = 2 ** 20
const database: DatabaseFacts = {
  isOwn: false,
  version: '18.4',
  bytes: 50 * MB,
  fsync: 'on',
  fullPageWrites: 'on',
  connections: 12,
  maxConnections: 100,
  newerMigrations: [],
  missingMigrations: 0,
  clockAheadMs: 3,
  nodes: [{ name: 'Oslo', isConnected: true, message: null }],
  failedCertificates: [],
  replicas: [],
}
const well: Facts = {
  version: '1.2.3',
  commit: 'abc1234',
  settings: { file: '/etc/causeway.env', count: 3, unread: [], misspelt: [] },
  disk: { folder: '/data', freeBytes: 10_000 * MB },
  memory: { availableBytes: 700 * MB, totalBytes: 2000 * MB },
  files: [{ path: '/data/master.key', mode: 0o100600, shouldBe: 0o600 }],
  database,
  server: { address: 'http://127.0.0.1:3000' },
  names: [{ setting: 'PUBLIC_URL', host: 'panel.example', addresses: ['192.0.2.1'] }],
  certificates: [{ host: 'panel.example', endsAt: new Date('2026-03-01') }],
  outsidePorts: [{ host: 'panel.example', port: 443 }],
  outside: { node: 'Oslo', ports: [{ host: 'panel.example', port: 443, error: null }] },
  failedCertificates: [],
  backup: { takenAt: new Date('2025-12-31') },
  trustedProxies: ['10.0.0.0/8'],
  now: new Date('2026-01-01'),
}

const told = (facts: Partial<Facts>, state: DoctorFinding['state']) =>
  judge({ ...well, ...facts })
    .filter((finding) => finding.state === state)
    .map((finding) => `${finding.check}: ${sentenceOf(finding)}`)

test('SHIP-012 an installation that is well has each check once, all of them good', () => {
  const findings = judge(well)
  expect(findings.map(({ check }) => check)).toEqual([...DOCTOR_CHECKS])
  expect(findings.filter(({ state }) => state !== 'ok')).toEqual([])
  expect(isWrong(findings)).toBe(false)
  expect(findings.map(sentenceOf)).toContain('The certificate of panel.example is good for 59 days, until 2026-03-01.')
})

test.each<[string, Partial<Facts>, string]>([
  [
    'a full disk',
    { disk: { folder: '/data', freeBytes: 191 * MB } },
    'disk: 191 MB free for /data: changes are refused soon, or already. Make room now; no restart is needed.',
  ],
  [
    'no data folder',
    { disk: { folder: '/data', reason: 'ENOENT' } },
    'disk: /data cannot be read (ENOENT). DATA_DIR names the data folder of the server.',
  ],
  [
    'an open key',
    { files: [{ path: '/data/master.key', mode: 0o100644, shouldBe: 0o600 }] },
    "files: /data/master.key is open to other users (0644). Run: chmod 0600 '/data/master.key'",
  ],
  [
    'a closed port',
    { outside: { node: 'Oslo', ports: [{ host: 'panel.example', port: 443, error: 'no answer within 5 s' }] } },
    'ports: Node Oslo does not reach panel.example, port 443 (no answer within 5 s). Open it in the firewall of this machine and of its provider.',
  ],
  ['no database', { database: { reason: 'refused' } }, 'database: The database does not answer: refused'],
  [
    'a newer database',
    { database: { ...database, newerMigrations: ['2030-x'] } },
    'database: The database belongs to a newer Causeway (it has 2030-x). Install that version, or restore a backup.',
  ],
  [
    'fsync off',
    { database: { ...database, fsync: 'off' } },
    'database: PostgreSQL has fsync = off: a power cut may spoil the database. Set it to on.',
  ],
  [
    'no server',
    { server: { address: 'http://127.0.0.1:3000', reason: 'ECONNREFUSED' } },
    'server: No server answers at http://127.0.0.1:3000 (ECONNREFUSED). Start it, or look at its log.',
  ],
  [
    'another clock',
    { database: { ...database, clockAheadMs: -31_000 } },
    'clock: The clock of the database is -31 s ahead of this machine. Let both follow NTP.',
  ],
  [
    'an unknown name',
    { names: [{ setting: 'PUBLIC_URL', host: 'x.example', addresses: [], reason: 'ENOTFOUND' }] },
    'names: x.example of PUBLIC_URL has no address (ENOTFOUND). Add an A or AAAA record at your DNS provider.',
  ],
  [
    'an ended certificate',
    { certificates: [{ host: 'x.example', endsAt: new Date('2025-12-31') }] },
    'tls: The certificate of x.example ended on 2025-12-31. Renew it.',
  ],
  [
    'a certificate that apps refuse',
    { certificates: [{ host: 'x.example', endsAt: new Date('2026-03-01'), untrusted: 'self-signed certificate' }] },
    'tls: The certificate of x.example, until 2026-03-01, is not one that apps and browsers trust (self-signed certificate). Take one of a public authority, or set ACME_EMAIL.',
  ],
  [
    'a refused connection',
    { certificates: [{ host: 'x.example', endsAt: null, reason: 'no answer' }] },
    'tls: x.example does not serve https to this machine (no answer).',
  ],
  [
    'a certificate that was not got',
    { failedCertificates: [{ name: 'x.example', reason: 'Closed.', nextTryAt: new Date('2026-01-02T03:04:05Z') }] },
    'tls: No certificate for x.example from the directory: Closed. Next try: 2026-01-02T03:04:05.000Z.',
  ],
  [
    'a lost node',
    { database: { ...database, nodes: [...database.nodes, { name: 'Rome', isConnected: false, message: 'timeout' }] } },
    'nodes: Node Rome is not connected: timeout. Its page in the dashboard says more.',
  ],
  [
    'any proxy trusted',
    { trustedProxies: ['0.0.0.0/0'] },
    'proxies: TRUSTED_PROXIES has 0.0.0.0/0: any client can pretend to have any address. Name the addresses of your own proxies.',
  ],
])('SHIP-012 %s is wrong, and the sentence says what to do', (_, facts, sentence) => {
  expect(told(facts, 'bad')).toEqual([sentence])
  expect(isWrong(judge({ ...well, ...facts }))).toBe(true)
})

test.each<[string, Partial<Facts>, string]>([
  [
    'little disk',
    { disk: { folder: '/data', freeBytes: 2047 * MB } },
    'disk: Only 2047 MB free for /data. Make room, or move the folder to a larger disk.',
  ],
  [
    'little memory',
    { memory: { availableBytes: 149 * MB, totalBytes: 512 * MB } },
    'memory: Only 149 of 512 MB of memory available. Stop other programs, or add memory or swap.',
  ],
  [
    'an older database',
    { database: { ...database, missingMigrations: 2 } },
    'database: The database is 2 steps behind this version. The next start brings it up to date.',
  ],
  [
    'nearly all connections',
    { database: { ...database, connections: 90 } },
    'database: 90 of 100 connections are in use. Raise max_connections, or lower DATABASE_POOL_SIZE.',
  ],
  [
    'a certificate that ends soon',
    { certificates: [{ host: 'x.example', endsAt: new Date('2026-01-14') }] },
    'tls: The certificate of x.example is good for 13 days only, until 2026-01-14. Renew it, or set ACME_EMAIL so that the server does.',
  ],
  [
    'an old backup',
    { backup: { takenAt: new Date('2025-12-24T23:59:59Z') } },
    'backups: The last backup is 7 days old. Set up a schedule in the dashboard under Utils, Backups, or run causeway backup every night.',
  ],
  [
    'no backup',
    { backup: {} },
    'backups: There never was a backup. Set up a schedule in the dashboard under Utils, Backups, or run causeway backup every night.',
  ],
  ['no node', { database: { ...database, nodes: [] } }, 'nodes: There is no node yet. Add one in the dashboard under Nodes.'],
])('SHIP-012 %s is a warning, and nothing is wrong for it', (_, facts, sentence) => {
  expect(told(facts, 'warning')).toEqual([sentence])
  expect(isWrong(judge({ ...well, ...facts }))).toBe(false)
})

test('SHIP-012 lines of the settings file that set nothing are named, with what to write', () => {
  const settings = {
    file: '/e',
    count: 1,
    unread: [{ line: 5, text: 'PORT 80' }],
    misspelt: [{ line: 6, name: 'PUBLC_URL', likely: 'PUBLIC_URL' }],
  }
  expect(told({ settings }, 'warning')).toEqual([
    'settings: /e, line 5: "PORT 80" sets nothing. Write NAME=value.',
    'settings: /e, line 6: PUBLC_URL is no setting. Write PUBLIC_URL.',
  ])
  expect(told({ settings: undefined }, 'ok')).toContain('settings: Settings come from the environment.')
})

test('SHIP-012 ports that no node could try are unknown, and fine where no name is configured', () => {
  const ofPorts = (facts: Partial<Facts>) =>
    judge({ ...well, ...facts }).flatMap(({ check, state, finding }) => (check === 'ports' ? [[state, finding]] : []))
  expect(ofPorts({ outside: undefined })).toEqual([['unknown', 'portsNoNode']])
  expect(ofPorts({ outside: undefined, database: { reason: 'refused' } })).toEqual([['unknown', 'portsUnknown']])
  expect(ofPorts({ outsidePorts: [], outside: undefined })).toEqual([['ok', 'noPorts']])
})

test('SCALE-002 a replica that lags or is away is told by its host, and one that follows is not complained of', () => {
  const replicas = [
    { host: 'b:5432', seconds: 10, mostSeconds: 10 },
    { host: 'c:5432', seconds: 11, mostSeconds: 10 },
    { host: 'd:5432', reason: 'connect ECONNREFUSED' },
  ]
  expect(told({ database: { ...database, replicas } }, 'warning')).toEqual([
    'database: The replica c:5432 is 11 s behind, and is left out. Look at its load, its disk and its network.',
    'database: The replica d:5432 does not answer: connect ECONNREFUSED. It is left out.',
  ])
  expect(told({ database: { ...database, replicas } }, 'ok')).toContain('database: The replica b:5432 is 10 s behind.')
})

test('SHIP-012 a name without an address is told once, and its certificate is not judged', () => {
  const facts = {
    names: [{ setting: 'PUBLIC_URL', host: 'x.example', addresses: [], reason: 'ENOTFOUND' }],
    certificates: [{ host: 'x.example:8443', endsAt: null, reason: 'ENOTFOUND' }],
  }
  expect(told(facts, 'bad')).toHaveLength(1)
  expect(told(facts, 'unknown')).toEqual(['tls: The certificate of x.example:8443 was not read, as the name has no address.'])
})
