import {
  BACKUP_OLD_DAYS,
  DOCTOR_CHECKS,
  type CertificateFailure,
  type DoctorCheck,
  type DoctorFinding,
  type DoctorFindingName,
} from '@causeway/contract'

// Judges what `causeway doctor` has found out about an installation. Each finding has one sentence in words.rules.ts.

export interface DatabaseFacts {
  isOwn: boolean
  version: string
  bytes: number
  /** PostgreSQL's own settings that a crash makes expensive when they are off. */
  fsync: string
  fullPageWrites: string
  connections: number
  maxConnections: number
  /** Names of migrations that the database has and this program does not know. */
  newerMigrations: string[]
  missingMigrations: number
  /** The database's clock minus this machine's. */
  clockAheadMs: number
  nodes: { name: string; isConnected: boolean; message: string | null }[]
  failedCertificates: { name: string; failure: CertificateFailure; nextTryAt: Date }[]
  /** Standbys of DATABASE_REPLICA_URL. */
  replicas: ReplicaFacts[]
}

export type ReplicaFacts = { host: string } & ({ seconds: number; mostSeconds: number } | { reason: string })

interface Misspelt {
  line: number
  name: string
  likely: string
}

export interface Facts {
  version: string
  commit: string | null
  /** Of the package; undefined where settings come by the environment alone. */
  settings: { file: string; count: number; unread: { line: number; text: string }[]; misspelt: Misspelt[] } | undefined
  disk: { folder: string; freeBytes: number } | { folder: string; reason: string }
  memory: { availableBytes: number; totalBytes: number }
  files: { path: string; mode: number; shouldBe: number }[]
  database: DatabaseFacts | { reason: string }
  server: { address: string; reason?: string }
  names: { setting: string; host: string; addresses: string[]; reason?: string }[]
  /** `untrusted` says why apps refuse one that is served. */
  certificates: { host: string; endsAt: Date | null; reason?: string; untrusted?: string }[]
  /** Names whose certificate could not be got from the directory, each with the sentence that says why. */
  failedCertificates: { name: string; reason: string; nextTryAt: Date }[]
  /** When the last backup was taken; undefined: never. */
  backup: { takenAt?: Date | undefined }
  /** Ports of the public names that must be open to the world. */
  outsidePorts: { host: string; port: number }[]
  /** As a node reaches them; undefined where none could be asked. */
  outside: { node: string; ports: { host: string; port: number; error: string | null }[] } | undefined
  trustedProxies: readonly string[]
  now: Date
}

const MEGABYTE = 2 ** 20
/** Changes are refused below 64 MB (docs/decisions/020); from here on an operator has to act. */
const LITTLE_DISK_BYTES = 2048 * MEGABYTE
const LEAST_DISK_BYTES = 192 * MEGABYTE
const LITTLE_MEMORY_BYTES = 150 * MEGABYTE
/** Agents refuse tokens of a server whose clock differs more. */
const CLOCK_LIMIT_MS = 30_000
const CERTIFICATE_WARNING_DAYS = 14
const BUSY_SHARE = 0.9
const DAY_MS = 86_400_000

/** Every check once or more, in the order of DOCTOR_CHECKS. */
export function judge(facts: Facts): DoctorFinding[] {
  const found: Record<DoctorCheck, DoctorFinding[]> = {
    version: [judgeVersion(facts)],
    settings: judgeSettings(facts),
    disk: [judgeDisk(facts)],
    memory: [judgeMemory(facts)],
    files: judgeFiles(facts),
    database: judgeDatabase(facts),
    backups: [judgeBackup(facts)],
    server: [judgeServer(facts)],
    clock: [judgeClock(facts)],
    names: facts.names.length === 0 ? [finding('names', 'ok', 'noNames')] : facts.names.map(judgeName),
    ports: judgePorts(facts),
    tls: judgeCertificates(facts),
    nodes: judgeNodes(facts),
    proxies: judgeProxies(facts),
  }
  return DOCTOR_CHECKS.flatMap((check) => found[check])
}

export function isWrong(findings: DoctorFinding[]): boolean {
  return findings.some(({ state }) => state === 'bad')
}

function finding(
  check: DoctorCheck,
  state: DoctorFinding['state'],
  name: DoctorFindingName,
  values: DoctorFinding['values'] = {},
): DoctorFinding {
  return { check, state, finding: name, values }
}

function judgeVersion({ version, commit }: Facts): DoctorFinding {
  return finding('version', 'ok', commit === null ? 'version' : 'versionOfCommit', { version, commit: commit ?? '' })
}

/** Of the file that the package's unit reads. */
export function judgeSettings({ settings }: Pick<Facts, 'settings'>): DoctorFinding[] {
  if (settings === undefined) return [finding('settings', 'ok', 'noSettingsFile')]
  const { file, count, unread, misspelt } = settings
  const wrong = [
    ...unread.map((place) => finding('settings', 'warning', 'settingUnread', { file, ...place })),
    ...misspelt.map((place) => finding('settings', 'warning', 'settingMisspelt', { file, ...place })),
  ]
  return wrong.length > 0 ? wrong : [finding('settings', 'ok', 'settings', { file, count })]
}

function judgeDisk({ disk }: Facts): DoctorFinding {
  if ('reason' in disk) return finding('disk', 'bad', 'diskUnreadable', disk)
  const values = { folder: disk.folder, freeMegabytes: Math.floor(disk.freeBytes / MEGABYTE) }
  if (disk.freeBytes < LEAST_DISK_BYTES) return finding('disk', 'bad', 'diskFull', values)
  return finding(
    'disk',
    disk.freeBytes < LITTLE_DISK_BYTES ? 'warning' : 'ok',
    disk.freeBytes < LITTLE_DISK_BYTES ? 'diskLow' : 'disk',
    values,
  )
}

function judgeMemory({ memory }: Facts): DoctorFinding {
  const values = {
    availableMegabytes: Math.floor(memory.availableBytes / MEGABYTE),
    totalMegabytes: Math.floor(memory.totalBytes / MEGABYTE),
  }
  const isLittle = memory.availableBytes < LITTLE_MEMORY_BYTES
  return finding('memory', isLittle ? 'warning' : 'ok', isLittle ? 'memoryLow' : 'memory', values)
}

function judgeFiles({ files }: Facts): DoctorFinding[] {
  const open = files.filter(({ mode, shouldBe }) => (mode & ~shouldBe & 0o777) !== 0)
  if (open.length === 0) {
    const names = files.map(({ path }) => path).join(', ')
    return [finding('files', 'ok', 'files', { count: files.length, names })]
  }
  return open.map(({ path, mode, shouldBe }) =>
    finding('files', 'bad', 'fileOpen', { path, mode: octal(mode), shouldBe: octal(shouldBe) }),
  )
}

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0')

function judgeDatabase({ database }: Facts): DoctorFinding[] {
  if ('reason' in database) return [finding('database', 'bad', 'databaseAway', database)]
  const { version, bytes, newerMigrations, missingMigrations, connections, maxConnections } = database
  const wrong: DoctorFinding[] = []
  if (newerMigrations.length > 0)
    wrong.push(finding('database', 'bad', 'databaseNewer', { count: newerMigrations.length, first: newerMigrations[0] ?? '' }))
  if (missingMigrations > 0) wrong.push(finding('database', 'warning', 'databaseOlder', { count: missingMigrations }))
  for (const [name, value] of [
    ['fsync', database.fsync],
    ['full_page_writes', database.fullPageWrites],
  ] as const)
    if (value !== 'on') wrong.push(finding('database', 'bad', 'databaseUnsafe', { name, value }))
  if (connections >= maxConnections * BUSY_SHARE)
    wrong.push(finding('database', 'warning', 'databaseBusy', { connections, maxConnections }))
  const megabytes = Math.ceil(bytes / MEGABYTE)
  const kind = database.isOwn ? 'databaseOwn' : 'databaseEmbedded'
  return [...wrong, finding('database', 'ok', kind, { version, megabytes }), ...database.replicas.map(judgeReplica)]
}

function judgeReplica(replica: ReplicaFacts): DoctorFinding {
  const { host } = replica
  if ('reason' in replica) return finding('database', 'warning', 'replicaAway', { host, reason: replica.reason })
  const { seconds, mostSeconds } = replica
  const isLate = seconds > mostSeconds
  return finding('database', isLate ? 'warning' : 'ok', isLate ? 'replicaLate' : 'replica', { host, seconds })
}

function judgeServer({ server }: Facts): DoctorFinding {
  if (server.reason === undefined) return finding('server', 'ok', 'server', { address: server.address })
  return finding('server', 'bad', 'serverAway', { address: server.address, reason: server.reason })
}

function judgeClock({ database }: Facts): DoctorFinding {
  if ('reason' in database) return finding('clock', 'unknown', 'clockUnknown')
  const seconds = Math.round(database.clockAheadMs / 1000)
  const isWrong = Math.abs(database.clockAheadMs) > CLOCK_LIMIT_MS
  return finding('clock', isWrong ? 'bad' : 'ok', isWrong ? 'clockDiffers' : 'clock', { seconds })
}

function judgeName({ setting, host, addresses, reason }: Facts['names'][number]): DoctorFinding {
  if (reason !== undefined) return finding('names', 'bad', 'nameUnknown', { setting, host, reason })
  return finding('names', 'ok', 'name', { setting, host, addresses: addresses.join(', ') })
}

function judgePorts({ outsidePorts, outside, database }: Facts): DoctorFinding[] {
  if (outsidePorts.length === 0) return [finding('ports', 'ok', 'noPorts')]
  if ('reason' in database) return [finding('ports', 'unknown', 'portsUnknown')]
  if (outside === undefined) return [finding('ports', 'unknown', 'portsNoNode')]
  return outside.ports.map(({ host, port, error }) => {
    const values = { node: outside.node, host, port }
    return error === null
      ? finding('ports', 'ok', 'portOpen', values)
      : finding('ports', 'bad', 'portClosed', { ...values, reason: error })
  })
}

function judgeBackup({ backup: { takenAt }, now }: Facts): DoctorFinding {
  if (takenAt === undefined) return finding('backups', 'warning', 'backupNever')
  const days = Math.floor((now.getTime() - takenAt.getTime()) / DAY_MS)
  const isOld = now.getTime() - takenAt.getTime() > BACKUP_OLD_DAYS * DAY_MS
  return finding('backups', isOld ? 'warning' : 'ok', isOld ? 'backupOld' : 'backup', { days })
}

function judgeCertificates(facts: Facts): DoctorFinding[] {
  const failed = facts.failedCertificates.map(({ name, reason, nextTryAt }) =>
    finding('tls', 'bad', 'certificateFailed', { name, reason, nextTryAt: nextTryAt.toISOString() }),
  )
  return [...failed, ...judgeServed(facts)]
}

function judgeServed({ certificates, names, now }: Facts): DoctorFinding[] {
  if (certificates.length === 0) return [finding('tls', 'ok', 'noTls')]
  const nameless = new Set(names.filter((name) => name.reason !== undefined).map((name) => name.host))
  return certificates.map(({ host, endsAt, reason, untrusted }) => {
    if (nameless.has(host.replace(/:\d+$/, ''))) return finding('tls', 'unknown', 'tlsUnknown', { host })
    if (endsAt === null) return finding('tls', 'bad', 'tlsRefused', { host, reason: reason ?? '' })
    const days = Math.floor((endsAt.getTime() - now.getTime()) / DAY_MS)
    const values = { host, days, endsAt: endsAt.toISOString().slice(0, 10) }
    if (days < 0) return finding('tls', 'bad', 'tlsEnded', values)
    if (untrusted !== undefined) return finding('tls', 'bad', 'tlsUntrusted', { ...values, reason: untrusted })
    const isSoon = days < CERTIFICATE_WARNING_DAYS
    return finding('tls', isSoon ? 'warning' : 'ok', isSoon ? 'tlsSoon' : 'tls', values)
  })
}

function judgeNodes({ database }: Facts): DoctorFinding[] {
  if ('reason' in database) return [finding('nodes', 'unknown', 'nodesUnknown')]
  const { nodes } = database
  if (nodes.length === 0) return [finding('nodes', 'warning', 'noNodes')]
  const lost = nodes.filter(({ isConnected }) => !isConnected)
  if (lost.length === 0) return [finding('nodes', 'ok', 'nodes', { count: nodes.length })]
  return lost.map(({ name, message }) => finding('nodes', 'bad', 'nodeLost', { name, reason: message ?? '' }))
}

function judgeProxies({ trustedProxies }: Facts): DoctorFinding[] {
  const wide = trustedProxies.filter((network) => network.endsWith('/0'))
  if (wide.length === 0) return [finding('proxies', 'ok', 'proxies', { count: trustedProxies.length })]
  return wide.map((network) => finding('proxies', 'bad', 'proxiesAll', { network }))
}
