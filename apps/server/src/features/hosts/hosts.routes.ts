import { errors } from '@causeway/contract'
import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { fail } from '../../http/errors.ts'
import { on, onWritten, writerOf, Written, type Route } from '../../http/mount.ts'
import { previewMapper } from './additions.actions.ts'
import {
  changeHosts,
  cloneHost,
  createHost,
  editHost,
  editHosts,
  removeHost,
  removeHosts,
  reorderHosts,
} from './hosts.actions.ts'
import { findHost, keepHosts } from './hosts.queries.ts'

export function hostsRoutes(ctx: Ctx): Route[] {
  const hosts = keepHosts(ctx.db, writerOf(api.listHosts))
  return [
    onWritten(api.listHosts, async () => new Written(await hosts())),
    on(api.getHost, async ({ uuid }) => (await findHost(ctx.db, uuid)) ?? fail(errors.hostNotFound)),
    on(api.createHost, (host, caller) => createHost(ctx, caller, host)),
    on(api.previewHostMapper, (host) => previewMapper(ctx.db, host)),
    on(api.cloneHost, ({ cloneFromUuid }, caller) => cloneHost(ctx, caller, cloneFromUuid)),
    on(api.updateHost, (edit, caller) => editHost(ctx, caller, edit)),
    on(api.deleteHost, ({ uuid }, caller) => removeHost(ctx, caller, uuid)),
    on(api.reorderHosts, ({ hosts }, caller) => reorderHosts(ctx, caller, hosts)),
    on(api.bulkEnableHosts, ({ uuids }, caller) => changeHosts(ctx, caller, 'bulkEnableHosts', uuids, { isDisabled: false })),
    on(api.bulkDisableHosts, ({ uuids }, caller) => changeHosts(ctx, caller, 'bulkDisableHosts', uuids, { isDisabled: true })),
    on(api.bulkDeleteHosts, ({ uuids }, caller) => removeHosts(ctx, caller, uuids)),
    on(api.bulkUpdateHosts, ({ uuids, ...fields }, caller) => editHosts(ctx, caller, uuids, fields)),
    on(api.bulkSetHostsPort, ({ uuids, port }, caller) => changeHosts(ctx, caller, 'bulkSetHostsPort', uuids, { port })),
    on(api.bulkSetHostsInbound, ({ uuids, ...inbound }, caller) =>
      changeHosts(ctx, caller, 'bulkSetHostsInbound', uuids, inbound),
    ),
  ]
}
