import * as api from '@causeway/contract'
import { DASHBOARD_HEADER, type CallInput, type Endpoint } from '@causeway/contract'
import type { Changes } from './rows.ts'
import type { TestServer } from '../server.ts'
import type { Doing } from './walked.ts'
import type { World } from './inhabitants.ts'

export type EndpointName = { [K in keyof typeof api]: (typeof api)[K] extends Endpoint ? K : never }[keyof typeof api]

/** One call as it is meant, and everything that it may change. */
interface Write<Name extends EndpointName> extends Doing {
  input: CallInput<(typeof api)[Name]>
  changes: Changes
}

/** Of a new session that the dashboard opens, which is proven by its beginning. */
export const AT_DASHBOARD = { 'user-agent': 'new', [DASHBOARD_HEADER]: '1' }

/** By endpoint. A call that leaves something for jobs is compared when they are done. */
export type Writes = { [Name in EndpointName]?: (world: World) => Write<Name> }

/** By the name of what recurs, or of a kind of job that no call of the walk begins. */
export type JobRuns = Record<string, JobRun>

interface JobRun extends Doing {
  /** Begins one of a kind. */
  start?: (server: TestServer) => Promise<unknown>
  /** What the clock of the server says. */
  at?: string
  changes: Changes
}

/** Undoing needs the permission of the opposite change, whichever that is, and reading the history. */
export const UNDOING: readonly string[] = ['undoEntry', 'undoOfActor']

/** Writing endpoints that take a stronger permission than one to write. */
export const GUARDED_WRITES: readonly string[] = ['updateBackupTargets', 'tryBackupTarget']
