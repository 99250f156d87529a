import { agentApi } from '@causeway/contract/agent'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../serve.ts'
import { receivePiece, returnPart, usePart, type PartsOptions } from './parts.actions.ts'

/** Updates of the agent and of Xray, which the server sends over its own connection. */
export function partsRoutes(app: FastifyInstance, options: PartsOptions): void {
  serve(app, agentApi.getParts, () => options.parts.describe())
  serve(app, agentApi.sendPiece, (piece) => receivePiece(options, piece))
  serve(app, agentApi.usePart, (wanted) => usePart(options, wanted))
  serve(app, agentApi.returnPart, (wanted) => returnPart(options, wanted))
}
