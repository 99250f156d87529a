import { folderStore } from './folder-store.ts'
import { s3Store } from './s3-store.ts'
import type { Store, Target } from './store.ts'

/** Without a list of hosts every one is allowed: at a terminal of this machine. */
export function openStore(target: Target, allowedPrivateHosts?: readonly string[]): Store {
  return target.kind === 'folder' ? folderStore(target.path) : s3Store(target, allowedPrivateHosts)
}
