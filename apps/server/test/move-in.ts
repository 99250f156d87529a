import type { Line } from '@causeway/import'
import { connect } from '../src/db/driver/connect.ts'
import { loadArchive } from '../src/features/move-in/load.actions.ts'
import { openRemnawave, type Secrets } from '../src/features/move-in/remnawave.actions.ts'
import { openSource } from '../src/features/move-in-sources/source.actions.ts'
import { openSecretStore } from '../src/ground/secret-store.ts'
import { SESSION_SECRET, TOKEN_SECRET } from './remnawave-source.ts'

export const BOTH: Secrets = { sessionSecret: SESSION_SECRET, tokenSecret: TOKEN_SECRET }
export const NONE: Secrets = { sessionSecret: null, tokenSecret: null }

/** All that a source gives. */
export async function read(place: string, secrets: Secrets) {
  const opened = await openSource(place)
  try {
    const { lines, version, findings } = await openRemnawave(opened, secrets)
    const all: Line[] = []
    for await (const batch of lines) all.push(...batch)
    return { lines: all, version, findings: findings() }
  } finally {
    await opened.close()
  }
}

export async function storeOf(url: string) {
  const database = connect(url, { max: 1 })
  return { secrets: await openSecretStore(database.db, Buffer.alloc(32, 1)), close: () => database.close() }
}

/** Imports into an installation whose master key is that of the tests. */
export async function load(url: string, place: string, secrets: Secrets): Promise<void> {
  const [store, opened] = [await storeOf(url), await openSource(place)]
  try {
    await loadArchive({ url, secrets: store.secrets, source: 'remnawave' }, (await openRemnawave(opened, secrets)).lines)
  } finally {
    await opened.close()
    await store.close()
  }
}
