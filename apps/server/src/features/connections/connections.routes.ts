import * as api from '@causeway/contract'
import { errors, isUuid } from '@causeway/contract'
import type { z } from 'zod'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, type Route } from '../../http/mount.ts'
import { dropConnectionsOf, readNode, readUser } from './connections.actions.ts'
import { findReading, type ReadingKind } from './connections.queries.ts'
import { nodeResult, userResult } from './connections.rules.ts'

export function connectionsRoutes(ctx: Ctx): Route[] {
  const ofUser = (jobId: string) => stateOf(ctx, 'user', userResult, jobId)
  const ofNode = async (jobId: string) => {
    const { isCompleted, isFailed, result } = await stateOf(ctx, 'node', nodeResult, jobId)
    return { isCompleted, isFailed, result }
  }
  return [
    on(api.readUserConnections, ({ userUuid }) => readUser(ctx, userUuid)),
    on(api.getUserConnections, ({ jobId }) => ofUser(jobId)),
    on(api.readNodeConnections, ({ nodeUuid }) => readNode(ctx, nodeUuid)),
    on(api.getNodeConnections, ({ jobId }) => ofNode(jobId)),
    on(api.dropConnections, (input, caller) => dropConnectionsOf(ctx, caller, input)),
    // Up to 2.8 numbers of users are told as text.
    on(api.fetchUserIps, ({ uuid }) => readUser(ctx, uuid)),
    on(api.getUserIps, async ({ jobId }) => {
      const { result, ...state } = await ofUser(jobId)
      return { ...state, result: result && { ...result, userId: String(result.userId) } }
    }),
    on(api.fetchNodeIps, ({ nodeUuid }) => readNode(ctx, nodeUuid)),
    on(api.getNodeIps, async ({ jobId }) => {
      const { result, ...state } = await ofNode(jobId)
      const users = result?.users.map(({ userId, ips }) => ({ userId: String(userId), ips }))
      return { ...state, result: result && { ...result, users: users ?? [] } }
    }),
    on(api.dropIpConnections, (input, caller) => dropConnectionsOf(ctx, caller, input)),
  ]
}

/** @throws jobResultNotFound */
async function stateOf<T extends z.ZodType<{ success: boolean }>>(ctx: Ctx, kind: ReadingKind, schema: T, jobId: string) {
  const reading = isUuid(jobId) ? await findReading(ctx.db, kind, jobId) : undefined
  if (!reading) return fail(errors.jobResultNotFound)
  const { done, total, finishedAt, expiresAt } = reading
  const isFinished = finishedAt !== null
  const isOver = expiresAt < ctx.now()
  if (isFinished && isOver) return fail(errors.jobResultNotFound)
  const result = isFinished ? schema.parse(reading.result) : null
  const completed = isFinished ? total : done
  return {
    isCompleted: isFinished || isOver,
    isFailed: isFinished ? result?.success !== true : isOver,
    progress: { total, completed, percent: total === 0 ? 100 : Math.floor((100 * completed) / total) },
    result,
  }
}
