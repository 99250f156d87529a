import { randomBytes } from 'node:crypto'
import { BROKEN, streamOf, StoreFailure, type Store } from './store.ts'

/** More than a store keeps beside its index. */
const TRIED_BYTES = 2 ** 18

/** Writes a file, lists, reads and compares it, and deletes it. @throws StoreFailure */
export async function tryStore(store: Store): Promise<void> {
  const name = `causeway-try-${randomBytes(6).toString('hex')}`
  const content = randomBytes(TRIED_BYTES)
  await store.write(name, streamOf(content), TRIED_BYTES)
  try {
    const listed = (await store.list()).find((file) => file.name === name)
    if (!listed) throw new StoreFailure(`${store.place} does not list a file that was just written there.`)
    const chunks: Uint8Array[] = []
    for await (const chunk of await store.read(name)) chunks.push(chunk)
    if (!Buffer.concat(chunks).equals(content)) throw new StoreFailure(BROKEN)
  } finally {
    await store.remove(name)
  }
  if ((await store.list()).some((file) => file.name === name))
    throw new StoreFailure(`${store.place} still lists a file that was deleted. Old backups could not be deleted there.`)
}
