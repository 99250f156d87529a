import { readdirSync, readFileSync } from 'node:fs'
import { childrenOf, postmasterOf } from './memory.ts'

// Time of the processor says what something costs also while others keep the machine busy.

/** As `getconf CLK_TCK` says on every Linux of today. */
const TICKS_PER_SECOND = 100

/** What a process has used so far with all its threads, and with what it has waited for where that is asked for. */
export function cpuSeconds(pid: number, withEnded = false): number {
  let text = ''
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return 0 // it has ended, and its parent counts it
  }
  // The name of the process, in brackets, may hold blanks; what follows has fixed places.
  const fields = text.split(') ')[1]?.split(' ') ?? []
  return fields.slice(11, withEnded ? 15 : 13).reduce((sum, field) => sum + Number(field), 0) / TICKS_PER_SECOND
}

/** What the embedded database of a data folder has used so far with all its processes. */
export function databaseCpuSeconds(dataDir: string): number {
  const postmaster = postmasterOf(dataDir)
  return childrenOf(postmaster).reduce((sum, pid) => sum + cpuSeconds(pid), cpuSeconds(postmaster, true))
}

const NANOSECONDS_PER_MS = 1e6

/** The same of threads that go on, to the nanosecond. */
export function threadsMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
    try {
      return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    } catch {
      return 0 // it has just ended
    }
  })
  return threads.reduce((sum, ns) => sum + ns, 0) / NANOSECONDS_PER_MS
}
