import type { Kysely } from 'kysely'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { BackupRuns } from './backup/backup-runs.ts'
import type { Config } from './config.ts'
import type { Bus } from './db/driver/bus.ts'
import type { Reads } from './db/driver/hosts/replicas.ts'
import type { Tables } from './db/tables.ts'
import type { Agents } from './ground/agents.ts'
import type { SecretStore } from './ground/secret-store.ts'
import { everyone, type Scope } from './lib/scope.ts'

/** The dependencies of the features, built once in main.ts. */
export interface Ctx {
  db: Kysely<Tables>
  pool: pg.Pool
  /** For what may be old, or has to be answered while the leader is away. */
  reads: Reads
  /** Notices of the database, on the one LISTEN connection of the process. */
  bus: Bus
  config: Config
  log: Logger
  now: () => Date
  secrets: SecretStore
  /** Calls to the nodes' agents; only features/fleet and features/connections make them. */
  agents: Agents
  /** Backups that this process makes. */
  backups: BackupRuns
  /** This process as a whole. */
  server: ServerProcess
}

/** The database is replaced under a server that is paused. */
export interface ServerProcess {
  databaseUrl: string
  /** Requests are refused, but those that tell how far it is. */
  isPaused: boolean
  /** It was asked to end, and goes on answering until load balancers have noticed. */
  isDraining: boolean
  /** Refuses requests and ends background work. */
  pause(): Promise<void>
  /** Builds everything anew on the database as it is now: caches, keys, links and workers. */
  restart(): Promise<void>
}

export interface Submission {
  key: string
  /** Of the endpoint and what was sent to it. */
  contentHash: string
  /** Its change is committed: further changes of the same request are parts of it. */
  isClaimed: boolean
}

/** The caller. `system` is the server itself: jobs and first start. */
export interface Caller {
  kind: 'admin' | 'apiToken' | 'anonymous' | 'system'
  scope: Scope
  uuid: string | null
  name: string | null
  address: string | null
  userAgent: string | null
  /** The origin the panel is reached at in this request, for links when none is configured. */
  origin: string | null
  /** The request comes from the dashboard, not from a program that speaks the wire. */
  isDashboard?: boolean
  /** The session of an administrator, for signing out. */
  sessionUuid?: string
  /** Whether the session has a recent proof of identity; absent of tokens, which have none. */
  isProven?: boolean
  /** The session may only set up the second factor that the installation requires. */
  isSecondFactorDue?: boolean
  /** A browser that has signed in before, by its signed cookie, and to which accounts. Known while signing in only. */
  browserId?: string
  browserAdmins?: readonly string[]
  /** A submission that creates something once, however often it is sent. */
  submission?: Submission
  /** Numbers of the entries that its changes have made in the history, where the answer tells them. */
  entries?: number[]
}

export const systemCaller: Caller = {
  kind: 'system',
  scope: everyone,
  uuid: null,
  name: null,
  address: null,
  userAgent: null,
  origin: null,
}
