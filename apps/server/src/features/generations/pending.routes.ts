import { errors, pending } from '@causeway/contract'
import { fail } from '../../http/errors.ts'
import type { Route } from '../../http/mount.ts'

/** Routes whose feature is not there: reads tell that there is nothing, writes are refused and change nothing. */
export function pendingRoutes(): Route[] {
  return pending.map(({ endpoint, reads }) => ({
    endpoint,
    handle: async () => {
      if (!reads) return fail(errors.notThereYet)
      return 'empty' in reads ? reads.empty : fail(errors[reads.missing])
    },
  }))
}
