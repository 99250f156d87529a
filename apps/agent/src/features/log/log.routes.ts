import { agentApi } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../serve.ts'
import type { CoreFiles } from '../../xray/core-files.ts'
import type { LogMemory } from './log-memory.ts'
import { coreLines } from './log.rules.ts'

/** The end of both logs, for the server. */
export function logRoutes(app: FastifyInstance, { files, memory }: { files: CoreFiles; memory: LogMemory }): void {
  serve(app, agentApi.readLog, ({ log }) => ({ lines: log === 'core' ? coreLines(files.endOfLog()) : memory.read() }))
}
