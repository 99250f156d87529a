import { globSync, lstatSync, rmSync } from 'node:fs'

const MOST_REMOVED = 1000

/** Removes the sockets that these patterns name, and no other files. */
export function removeSockets(patterns: readonly string[]): void {
  for (const file of globSync([...patterns]).slice(0, MOST_REMOVED)) {
    if (lstatSync(file, { throwIfNoEntry: false })?.isSocket()) rmSync(file, { force: true })
  }
}
