import { readFile } from 'node:fs/promises'
import os from 'node:os'

/** Memory in bytes as the operating system accounts for it. */
export interface Memory {
  total: number
  free: number
  used: number
  active: number
  available: number
}

export async function readMemory(): Promise<Memory> {
  const total = os.totalmem()
  const free = os.freemem()
  // Linux tells more than Node passes on; elsewhere what is not free counts as in use.
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const read = (name: string): number | undefined => {
    const kib = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]
    return kib === undefined ? undefined : Number(kib) * 1024
  }
  const available = read('MemAvailable') ?? free
  return { total, free: read('MemFree') ?? free, used: total - (read('MemFree') ?? free), active: total - available, available }
}

/** Processors do not change while a program runs, and counting them takes milliseconds: read this once. */
export async function readCpus(): Promise<{ cores: number; physicalCores: number }> {
  const cores = os.availableParallelism()
  const text = await readFile('/proc/cpuinfo', 'utf8').catch(() => '')
  const physical = new Set<string>()
  for (const block of text.split('\n\n')) {
    const socket = /^physical id\s*:\s*(\d+)$/m.exec(block)?.[1]
    const core = /^core id\s*:\s*(\d+)$/m.exec(block)?.[1]
    if (socket !== undefined && core !== undefined) physical.add(`${socket}/${core}`)
  }
  return { cores, physicalCores: physical.size > 0 ? physical.size : cores }
}

const SAMPLE_MS = 1000

/** How busy this process was between two looks at it, in percent of one core. */
export function watchCpu(): () => number {
  let at = performance.now()
  let usage = process.cpuUsage()
  let percent = 0
  return () => {
    const elapsedMs = performance.now() - at
    if (elapsedMs < SAMPLE_MS) return percent
    const spent = process.cpuUsage(usage)
    percent = ((spent.user + spent.system) / 1000 / elapsedMs) * 100
    at = performance.now()
    usage = process.cpuUsage()
    return percent
  }
}
