import { importColumn } from '@causeway/contract'
import { z } from 'zod'
import type { Tx } from '../../db/driver/connect.ts'
import { MAX_SINGLE_DELIVERIES, queueAllForNodes, queueForNodes } from '../../ground/delivery.queries.ts'
import { startJob } from '../../jobs/jobs.queries.ts'
import { jobKind } from '../../jobs/kinds.ts'
import { everyone } from '../../lib/scope.ts'
import { recordForJob } from '../audit/audit.actions.ts'
import type { ReadLine } from './import.rules.ts'
import { importBatch } from './import-batch.actions.ts'

const BATCH_SIZE = 500
const PAUSES_MS = [1000, 10_000, 60_000]
/** More are not named one by one. */
const MOST_NAMED = 20

const payload = z.object({
  lines: z.array(z.object({ line: z.number(), cells: z.partialRecord(importColumn, z.string()) })),
  refused: z.array(z.number()).default([]),
})

/** The cursor is the number of lines that are done. Those of the group `users` are worked on in order. */
const importUsersKind = jobKind({
  name: 'importUsers',
  group: 'users',
  payload,
  pausesMs: PAUSES_MS,
  batch: async (ctx, tx, job) => {
    const { lines, refused } = job.payload
    const batch = lines.slice(job.cursor, job.cursor + BATCH_SIZE)
    const done = await importBatch(ctx, tx, batch, {
      scope: everyone,
      record: (entry) => recordForJob(ctx, tx, { ...entry, details: { jobId: job.id } }),
    })
    if (job.total > MAX_SINGLE_DELIVERIES) await queueAllForNodes(tx)
    else await queueForNodes(tx, done.concerned)
    const cursor = job.cursor + batch.length
    const isLast = cursor >= lines.length
    const all = [...refused, ...done.refused]
    const failure = isLast && all.length > 0 ? { failure: sentenceOf(all, lines.length) } : {}
    return { cursor, count: batch.length, isLast, remember: { refused: all }, ...failure }
  },
})

function sentenceOf(refused: readonly number[], total: number): string {
  const more = refused.length > MOST_NAMED ? ', …' : ''
  return `${refused.length} of ${total} lines were not taken, as users or squads have changed meanwhile: ${refused.slice(0, MOST_NAMED).join(', ')}${more}. All others are done.`
}

export const importUsersJob = {
  start: (tx: Tx, lines: readonly ReadLine[], now: Date) =>
    startJob(tx, importUsersKind, { payload: { lines: [...lines], refused: [] }, total: lines.length }, now),
}

export const userImportJobs = [importUsersKind]
