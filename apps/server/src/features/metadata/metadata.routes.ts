import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { findMetadata, setMetadata } from './metadata.actions.ts'

export function metadataRoutes(ctx: Ctx): Route[] {
  return [
    on(api.getUserMetadata, ({ uuid }) => findMetadata(ctx.db, 'user', uuid)),
    on(api.setUserMetadata, ({ uuid, metadata }, caller) => setMetadata(ctx, caller, { of: 'user', uuid, metadata })),
    on(api.getNodeMetadata, ({ uuid }) => findMetadata(ctx.db, 'node', uuid)),
    on(api.setNodeMetadata, ({ uuid, metadata }, caller) => setMetadata(ctx, caller, { of: 'node', uuid, metadata })),
  ]
}
