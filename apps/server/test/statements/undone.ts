import * as api from '@causeway/contract'
import { runJobs } from '../jobs.ts'
import type { TestServer } from '../server.ts'
import { configOf, NOWHERE, type World } from '../walk/inhabitants.ts'

/** Undoes what deletes, what makes, what a job has done, and what stops at a conflict. */
export async function undoThings(server: TestServer, world: World): Promise<void> {
  const newest = async () => (await server.call(api.listHistory, { limit: 1 })).entries[0]
  const undo = async () => {
    const id = (await newest())?.id ?? 0
    await server.call(api.planUndo, { id })
    await server.call(api.undoEntry, { id })
    await runJobs(server.ctx)
    await server.call(api.getHistoryEntry, { id })
  }
  await server.call(api.deleteUser, { uuid: world.users.ann })
  await undo()
  await server.call(api.deleteNode, { uuid: world.nodes.gamma })
  await undo()
  await server.call(api.createNode, {
    name: 'undone',
    address: '127.0.0.9',
    ...NOWHERE,
    configProfile: { activeConfigProfileUuid: world.profiles.Spare, activeInbounds: [world.inbounds['P_VLESS'] ?? ''] },
  })
  await undo()
  await server.call(api.createConfigProfile, {
    name: 'Undone',
    config: configOf([{ tag: 'UNDONE', port: 4499, protocol: 'vless', settings: { clients: [], decryption: 'none' } }]),
  })
  await undo()
  await server.call(api.bulkUpdateUsers, { uuids: [world.users.ann], fields: { tag: 'BULK' } })
  await runJobs(server.ctx)
  await server.call(api.planUndo, { id: (await newest())?.id ?? 0, only: world.users.ann })
  await undo()
  await server.call(api.listDeleted, { search: 'ann' })
  const uuid = world.users.ben
  await server.call(api.updateUser, { uuid, tag: 'ONE' })
  const entry = await newest()
  await server.call(api.updateUser, { uuid, tag: 'TWO' })
  const which = { actor: entry?.actor.uuid ?? '', from: entry?.at ?? '', to: entry?.at ?? '' }
  const { fingerprint } = await server.call(api.planUndoOfActor, which)
  await server.call(api.undoOfActor, { ...which, fingerprint })
  await runJobs(server.ctx)
}
