import * as api from '@causeway/contract'
import type { Served } from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { CallerQueue } from '../../http/caller-queue.ts'
import { on, type Route } from '../../http/mount.ts'
import { everyone, type Scope } from '../../lib/scope.ts'
import { searchExternalSquads, searchHosts, searchNodes, searchProfiles, searchSquads, searchUsers } from './search.queries.ts'
import { searchTerms } from './search.rules.ts'

const NOTHING = { users: [], nodes: [], hosts: [], internalSquads: [], externalSquads: [], configProfiles: [] }
/** Searches of one caller that wait for each other. Each takes six connections of the pool. */
const MOST_SEARCHES = 10

export function searchRoutes({ db }: Ctx): Route[] {
  const searches = new CallerQueue(MOST_SEARCHES)
  return [on(api.searchAll, ({ text }, caller) => searches.run(caller, () => searchEverything(db, caller.scope, text)))]
}

async function searchEverything(db: Db, scope: Scope, text: string): Promise<Served<typeof api.searchAll>> {
  const terms = searchTerms(text)
  if (!terms) return NOTHING
  // A reseller's squads are few, and what else there is concerns everyone's users.
  if (scope !== everyone) return { ...NOTHING, users: await searchUsers(db, scope, terms) }
  const [users, nodes, hosts, internalSquads, externalSquads, configProfiles] = await Promise.all([
    searchUsers(db, scope, terms),
    searchNodes(db, terms),
    searchHosts(db, terms),
    searchSquads(db, terms),
    searchExternalSquads(db, terms),
    searchProfiles(db, terms),
  ])
  return { users, nodes, hosts, internalSquads, externalSquads, configProfiles }
}
