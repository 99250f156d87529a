import { kinds, type OldLinks } from '@causeway/import'
import type { SecretStore } from './secret-store.ts'

/** The name of the secret that holds what an import brought of old links. */
export const OLD_LINKS = 'oldLinks'

/** Paths of another installation whose links go on; none where no import brought any. */
export async function readOldLinks(secrets: Pick<SecretStore, 'find'>): Promise<OldLinks> {
  const stored = await secrets.find(OLD_LINKS)
  return stored === undefined ? { paths: [], signed: null } : kinds.oldLinks.parse(JSON.parse(stored))
}
