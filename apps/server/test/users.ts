import * as api from '@causeway/contract'
import type { CallInput, User } from '@causeway/contract'
import type { TestServer } from './server.ts'

export const NEVER = '2099-01-01T00:00:00.000Z'
/** A uuid that nothing has. */
export const UNKNOWN = '00000000-0000-4000-8000-000000000000'

let count = 0

/** A user of a name of its own. */
export function makeUser(server: TestServer, fields: Partial<CallInput<typeof api.createUser>> = {}): Promise<User> {
  return server.call(api.createUser, { username: `user_${count++}`, expireAt: NEVER, ...fields })
}

/** What the tables call a user. */
export async function idOf({ ctx: { db } }: TestServer, uuid: string): Promise<number> {
  return (await db.selectFrom('users').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow()).id
}

/** Sets what polls of nodes would set. */
export async function spend(
  { ctx: { db } }: TestServer,
  uuid: string,
  usedTrafficBytes: number,
  more: { onlineAt?: Date; lastConnectedNodeId?: number; lastTriggeredThreshold?: number } = {},
): Promise<void> {
  await db
    .updateTable('userUsage')
    .set({ usedTrafficBytes, lifetimeUsedTrafficBytes: usedTrafficBytes, ...more })
    .where('userId', '=', (from) => from.selectFrom('users').select('id').where('uuid', '=', uuid))
    .execute()
}

export async function setStatus({ ctx: { db } }: TestServer, uuid: string, status: 'LIMITED' | 'EXPIRED'): Promise<void> {
  await db.updateTable('users').set({ status }).where('uuid', '=', uuid).execute()
}

/** Status of a refusal and what it says: the code of the catalogue, or the paths of the fields. */
export async function refused(
  server: TestServer,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  body?: unknown,
): Promise<[number, string | undefined]> {
  const reply = await server.send(method, url, body)
  const { errorCode, errors } = reply.body as { errorCode?: string; errors?: { path: string[] }[] } // shapes A and B of the wire
  return [reply.status, errorCode ?? errors?.map((issue) => issue.path.join('.')).join(' ')]
}
