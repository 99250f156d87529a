import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { getAuthStatus, register } from '@causeway/contract'
import { testDatabase } from '../../apps/server/test/postgres.ts'
import { apiClient, type Api } from './api-client.ts'
import { freePort, run, tail, until, type Running } from './processes.ts'

/** A real server with a database of its own. */
export interface Panel {
  origin: string
  port: number
  databaseUrl: string
  process: Running
  /** Starts it again on the same port, database and data folder, after `kill` or `stop` of its process. */
  restart(): Promise<void>
  /** Ends it and removes what it made. */
  close(): Promise<void>
}

export interface PanelOptions {
  /** Configuration, as in the README's table. */
  env?: Record<string, string>
  /** `embedded`: on an empty data folder, as a newcomer starts; another panel, or an address: a further server on its database. */
  database?: 'own' | 'embedded' | Pick<Panel, 'databaseUrl'>
}

/** An empty data folder becomes a database first, which takes long on a machine with much else to do. */
const FIRST_START_MS = 120_000

export const ADMIN = { username: 'admin', password: 'Correct-Horse-9-Battery' }

/** Starts a server, unless told otherwise on an empty, migrated database of its own. */
export async function startPanel({ env = {}, database = 'own' }: PanelOptions = {}): Promise<Panel> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'causeway-e2e-'))
  chmodSync(dataDir, 0o755) // an embedded database's own account has to pass through
  const given = await openDatabase(database, dataDir)
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const start = async (): Promise<Running> => {
    const started = run({
      name: `server-${port}`,
      args: ['apps/server/src/main.ts'],
      env: {
        PORT: String(port),
        DATA_DIR: dataDir,
        DATABASE_URL: database === 'embedded' ? '' : given.url,
        DATABASE_POOL_SIZE: '6',
        MASTER_KEY,
        ...env,
      },
    })
    await untilServing(origin, started, database === 'embedded' ? FIRST_START_MS : undefined)
    return started
  }
  const panel: Panel = {
    origin,
    port,
    databaseUrl: given.url,
    process: await start(),
    restart: async () => {
      panel.process = await start()
    },
    close: async () => {
      await panel.process.stop()
      await given.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
  return panel
}

async function openDatabase(
  database: 'own' | 'embedded' | Pick<Panel, 'databaseUrl'>,
  dataDir: string,
): Promise<{ url: string; drop(): Promise<void> }> {
  if (database === 'own') return testDatabase()
  const drop = async (): Promise<void> => {}
  if (database !== 'embedded') return { url: database.databaseUrl, drop }
  return { url: `postgres://postgres@localhost/causeway?host=${encodeURIComponent(path.join(dataDir, 'postgres/run'))}`, drop }
}

export async function untilServing(origin: string, server: Running, timeoutMs = 60_000): Promise<void> {
  const api = apiClient(origin)
  await until(
    `the server answers at ${origin}`,
    async () => {
      if (!server.isRunning()) return 'ended' as const
      return (await api(getAuthStatus, {})) && ('serving' as const)
    },
    timeoutMs,
  ).then((state) => {
    if (state === 'ended') throw new Error(`The server ended at its start:\n${tail(server.logFile)}`)
  })
}

/** Registers the administrator; gives the session's token. */
export async function registerAdmin(origin: string): Promise<string> {
  const { accessToken } = await apiClient(origin)(register, ADMIN)
  return accessToken
}

export interface SignedIn {
  token: string
  api: Api
}

export async function signedIn(panel: Panel): Promise<SignedIn> {
  const token = await registerAdmin(panel.origin)
  return { token, api: apiClient(panel.origin, token) }
}

// One key for all servers of a run, so that several may share a database.
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')
