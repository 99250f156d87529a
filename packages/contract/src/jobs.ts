import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { wireInstant } from './wire.ts'

export const jobStatus = z.enum(['queued', 'running', 'done', 'failed', 'cancelled'])
export type JobStatus = z.output<typeof jobStatus>

/** Long work that goes on after the reply: kept in the database, continued after a restart. */
export const job = z.object({
  id: z.string(),
  kind: z.string(),
  group: z.string().describe('Jobs of a group are worked on one after the other'),
  status: jobStatus,
  done: z.number().describe('How far it has come; of a recurring job, how often it has run'),
  total: z.number(),
  attempts: z.number().describe('How often it has failed since it last came on'),
  error: z.string().nullable(),
  isRecurring: z.boolean(),
  isCancellable: z.boolean().optional().describe('Whether it can be cancelled now; in lists only'),
  createdAt: wireInstant,
  startedAt: wireInstant.nullable(),
  dueAt: wireInstant.describe('When it is worked on next, at the earliest'),
  finishedAt: wireInstant.nullable(),
})
export type Job = z.output<typeof job>

export const listJobs = endpoint({
  name: 'listJobs',
  title: 'List Jobs',
  tag: 'Jobs',
  access: 'jobs.read',
  method: 'GET',
  path: '/api/x/jobs',
  response: z.array(job).describe('What is open in the order it is worked on, then what ended last, then what recurs'),
})

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

export const cancelJob = endpoint({
  name: 'cancelJob',
  title: 'Cancel Job',
  tag: 'Jobs',
  access: 'jobs.write',
  method: 'POST',
  path: '/api/x/jobs/:id/actions/cancel',
  params: z.object({ id: z.string() }),
  response: job.describe('What it has done until now stays done'),
})
