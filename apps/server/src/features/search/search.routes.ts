import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'
import { searchHosts, searchNodes, searchProfiles, searchSquads, searchUsers } from './search.queries.ts'
import { searchTerms } from './search.rules.ts'

export function searchRoutes({ db }: Ctx): Route[] {
  return [
    on(api.searchAll, async ({ text }) => {
      const terms = searchTerms(text)
      if (!terms) return { users: [], nodes: [], hosts: [], internalSquads: [], configProfiles: [] }
      const [users, nodes, hosts, internalSquads, configProfiles] = await Promise.all([
        searchUsers(db, terms),
        searchNodes(db, terms),
        searchHosts(db, terms),
        searchSquads(db, terms),
        searchProfiles(db, terms),
      ])
      return { users, nodes, hosts, internalSquads, configProfiles }
    }),
  ]
}
