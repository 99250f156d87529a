import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface MemoryFigures {
  /** Megabytes of which each process that shares them has its part (PSS). */
  server: number
  database: number
  /** Of the database, what all its processes share: pages it keeps, and the tables of them. */
  shared: number
}

/** What a server and the embedded database of a data folder take of the machine just now. */
export function memoryOf(serverPid: number, dataDir: string): MemoryFigures {
  const server = partsOf(serverPid)
  const postmaster = postmasterOf(dataDir)
  const database = [postmaster, ...childrenOf(postmaster)].map(partsOf)
  const sum = (what: 'all' | 'shared') => database.reduce((total, parts) => total + parts[what], 0)
  return { server: server.all, database: sum('all'), shared: sum('shared') }
}

export function memoryText({ server, database, shared }: MemoryFigures): string {
  const [all, ...parts] = [server + database, server, database, shared].map((megabytes) => megabytes.toFixed(0))
  return `${all} MB (server ${parts[0]}, database ${parts[1]}, ${parts[2]} of it kept pages and their tables)`
}

function partsOf(pid: number): { all: number; shared: number } {
  let text = ''
  try {
    text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  } catch {
    // It has ended meanwhile.
  }
  const of = (name: string) => (Number(new RegExp(`^${name}: +(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024) / 1e6
  return { all: of('Pss'), shared: of('Pss_Shmem') }
}

/** The first process of the embedded database of a data folder. */
export function postmasterOf(dataDir: string): number {
  const [file = ''] = globSync('postgres/pg*/postmaster.pid', { cwd: dataDir })
  return Number(readFileSync(path.join(dataDir, file), 'utf8').split('\n')[0])
}

/** Of a process with all its threads. */
export function childrenOf(pid: number): number[] {
  const texts = globSync(`/proc/${pid}/task/*/children`).map((file) => readFileSync(file, 'utf8'))
  return texts.join(' ').split(/\s+/).filter(Boolean).map(Number)
}
