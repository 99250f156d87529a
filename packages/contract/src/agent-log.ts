import { z } from 'zod'
import { said } from './agent-parts.ts'
import { wireInstant, wireList } from './wire.ts'

// The end of a log of a node, as its agent tells it. Loaded by agents, so it stays small.

export const NODE_LOGS = ['core', 'agent'] as const
export const nodeLog = z.enum(NODE_LOGS)
export type NodeLog = z.output<typeof nodeLog>

/** As many lines as are told at a time. */
export const LOG_LINES = 500

export const logLine = z.object({
  at: wireInstant.nullable().describe('null for a line that says no time'),
  level: z.enum(['debug', 'info', 'warning', 'error']).nullable(),
  text: said,
})
export type LogLine = z.output<typeof logLine>

export const logLines = wireList(logLine, LOG_LINES)
