import { z } from 'zod'

// The meaning of the database's failures. Codes are PostgreSQL's SQLSTATE, or those of the socket.

const coded = z.object({ code: z.string() })

/** Of an error of PostgreSQL or of the system. */
export function codeOf(error: unknown): string {
  return coded.safeParse(error).data?.code ?? ''
}

/** Two changes waited for each other, or changed the same in another order: done again, each of them goes through. */
export function isCollision(error: unknown): boolean {
  return ['40P01', '40001'].includes(codeOf(error))
}

/** A referenced row is gone, or the row to insert has just been inserted by another transaction. */
export function isOvertaken(error: unknown): boolean {
  return ['23503', '23505'].includes(codeOf(error))
}

/** The reply to a caller that asks for a change. */
export const DISK_FULL =
  'The disk of the database is full. Nothing can be changed until there is room on it: make some, no restart is needed.'

/** 53100: no room is left on the database's disk. 25006: it is read-only, which the embedded one is shortly before. */
export function isDiskFull(error: unknown): boolean {
  return ['53100', '25006'].includes(codeOf(error))
}

/**
 * The database cannot be reached, is starting or ending, has ended a connection or has none or no memory to spare (08, 25P0x,
 * 53, 57P).
 */
export function isOutage(error: unknown): boolean {
  if (isDiskFull(error) || /^(08|25P03|25P04|53|57P)/.test(codeOf(error))) return true
  if (!(error instanceof Error)) return false
  const isSocket =
    /^E[A-Z]+$/.test(codeOf(error)) && 'syscall' in error && ['connect', 'read', 'write'].includes(String(error.syscall))
  return (
    isSocket ||
    /^(Connection terminated|Client has encountered a connection error|timeout (exceeded|expired)|Query read timeout)/.test(
      error.message,
    )
  )
}

/**
 * The connection broke, or was ended, after a change was sent. PostgreSQL may have committed it: a leader that ends while it
 * waits for its standby has. A connection that never came about (connect, 08006) has sent nothing.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  if (/^57P0[12]/.test(codeOf(error))) return true
  if (!(error instanceof Error)) return false
  const isSocket = /^E[A-Z]+$/.test(codeOf(error)) && 'syscall' in error && ['read', 'write'].includes(String(error.syscall))
  return (
    isSocket ||
    /^(Connection terminated unexpectedly|Client has encountered a connection error|Query read timeout)/.test(error.message)
  )
}

/** A transient failure: the same statement may succeed later. 55: lock not available; 57: cancelled. */
export function isPassing(error: unknown): boolean {
  return isCollision(error) || isOutage(error) || /^(40|55|57)/.test(codeOf(error))
}
