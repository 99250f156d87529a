import { readFileSync } from 'node:fs'
import os from 'node:os'
import type pg from 'pg'
import { backendAlone } from './export.queries.ts'

/** Gives the process of the embedded database that works for this connection the lowest priority: serving goes first. */
export async function lowerPriority(client: pg.ClientBase): Promise<void> {
  const pid = await backendAlone(client)
  try {
    // In another container this number may be that of another process.
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('postgres: '))
      os.setPriority(pid, os.constants.priority.PRIORITY_LOW)
  } catch {
    // It belongs to another user; then it works as any other.
  }
}
