import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant } from './wire.ts'

/** Long work that goes on after the reply: kept in the database, continued after a restart. */
export const job = z.object({
  id: z.string(),
  kind: z.string(),
  status: z.enum(['queued', 'running', 'done', 'failed']),
  done: z.number(),
  total: z.number(),
  error: z.string().nullable(),
  createdAt: wireInstant,
  finishedAt: wireInstant.nullable(),
})
export type Job = z.output<typeof job>

export const getJob = endpoint({
  name: 'getJob',
  title: 'Get Job',
  tag: 'Jobs',
  access: 'jobs.read',
  method: 'GET',
  path: '/api/x/jobs/:id',
  params: z.object({ id: z.string() }),
  response: job,
})
