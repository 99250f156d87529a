import { isUuid, wireId, type Endpoint } from '@causeway/contract'
import { ValidationError } from './errors.ts'
import { toWireIssues } from './issues.ts'

/** Uuids of users by their numbers; those that are gone are missing. */
export type FindUuids = (ids: number[]) => Promise<ReadonlyMap<number, string>>

/** A uuid of no user, so that an unknown number is answered as an unknown uuid is. */
export const NO_UUID = '00000000-0000-0000-0000-000000000000'

export interface RequestInput {
  params: Record<string, unknown>
  body: Record<string, unknown>
}

/**
 * Puts uuids in the place of numbers of users, in parameters and in the body.
 * @throws ValidationError for a number that can be none, and where both kinds name different users
 */
export async function withUserUuids({ userKeys }: Endpoint, sent: RequestInput, find: FindUuids): Promise<RequestInput> {
  const [params, body] = [{ ...sent.params }, { ...sent.body }]
  for (const [key, numberKey] of Object.entries(userKeys)) {
    const param = params[key]
    if (typeof param === 'string' && /^\d+$/.test(param)) params[key] = (await uuidsOf([Number(param)], key, find))[0] ?? NO_UUID
    if (numberKey === key) {
      if (body[key] !== undefined) body[key] = await mixed(body[key], key, find)
      continue
    }
    const given = body[numberKey]
    if (given === undefined || given === null) continue
    delete body[numberKey]
    const isList = Array.isArray(given)
    const uuids = await uuidsOf(isList ? given : [given], numberKey, find)
    const named = isList ? uuids.filter((uuid) => uuid !== undefined) : (uuids[0] ?? NO_UUID)
    refuseOthers(body[key], named, numberKey)
    body[key] = named
  }
  return { params, body }
}

/** A list whose members are of either kind. */
async function mixed(list: unknown, key: string, find: FindUuids): Promise<unknown> {
  if (!Array.isArray(list) || !list.some((each) => typeof each === 'number')) return list
  const isNumber = (each: unknown) => typeof each === 'number'
  const uuids = await uuidsOf(list.filter(isNumber), key, find)
  return [...list.filter((each) => !isNumber(each)), ...uuids.filter((uuid) => uuid !== undefined)]
}

async function uuidsOf(given: unknown[], key: string, find: FindUuids): Promise<(string | undefined)[]> {
  const ids = given.map((one, index) => {
    const { data, error } = wireId.safeParse(one, { reportInput: true })
    if (error)
      throw new ValidationError(
        toWireIssues(error.issues.map((issue) => ({ ...issue, path: given.length === 1 ? [key] : [key, index] }))),
      )
    return data
  })
  const known = ids.length === 0 ? new Map<number, string>() : await find([...new Set(ids)])
  return ids.map((id) => known.get(id))
}

function refuseOthers(uuids: unknown, named: string | string[], key: string): void {
  if (uuids === undefined) return
  const one = [uuids].flat().map((uuid) => (typeof uuid === 'string' && isUuid(uuid) ? uuid.toLowerCase() : uuid))
  const other = [named].flat()
  const isSame = one.length === other.length && one.every((uuid) => typeof uuid === 'string' && other.includes(uuid))
  if (isSame) return
  throw new ValidationError([{ code: 'custom', path: [key], message: 'names another user than the uuid does' }])
}
