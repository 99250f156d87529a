import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import type { Permission } from './permissions.ts'

// One rule for all answers: what tells of a thing of another kind needs the permission to read that kind. Uuids and counts of
// other things are free; their names, addresses, states and figures are not.

/**
 * Members of answers that tell of a kind of thing, wherever they stand. `parent.name` is a member of that parent only. Lists of
 * uuids, and counts, are passed over.
 */
const membersOfKinds: Readonly<Record<string, Permission>> = {
  users: 'users.read',
  username: 'users.read',
  'user.email': 'users.read',
  'user.telegramId': 'users.read',
  'user.description': 'users.read',
  'user.tag': 'users.read',
  nodes: 'nodes.read',
  activeNodes: 'nodes.read',
  accessibleNodes: 'nodes.read',
  availableBillingNodes: 'nodes.read',
  lastConnectedNode: 'nodes.read',
  nodeName: 'nodes.read',
  'node.name': 'nodes.read',
  'node.countryCode': 'nodes.read',
  'billingNodes.name': 'nodes.read',
  'billingNodes.countryCode': 'nodes.read',
  'details.countryCode': 'nodes.read',
  hosts: 'hosts.read',
  follows: 'hosts.read',
  overrides: 'hosts.read',
  unsureHosts: 'hosts.read',
  leftOut: 'hosts.read',
  astray: 'hosts.read',
  configProfiles: 'profiles.read',
  profileName: 'profiles.read',
  configProfileName: 'profiles.read',
  // Holds private keys. Tags and ports belong to the node or squad that has chosen the inbound.
  rawInbound: 'profiles.read',
  internalSquads: 'squads.read',
  squads: 'squads.read',
  squadName: 'squads.read',
  'activeInternalSquads.name': 'squads.read',
  provider: 'billing.read',
  providerName: 'billing.read',
}

/** Members that are the subject of an area, although they name things of another one. */
const subjects: Readonly<Record<string, readonly string[]>> = {
  system: ['nodes', 'nodeName', 'users'], // statistics are of nodes and users
  wall: ['nodes'], // and of how they are
  hosts: ['internalSquads'], // which squads a host is for, by uuid
  subscriptions: ['username'], // a subscription is that of its user
}

/** Where something in an answer needs more permissions than the answer itself, by the form of the answer. */
export interface Reserved {
  permission?: Permission
  /** The value in its place for a caller without the permission. */
  empty?: unknown
  fields?: ReadonlyMap<string, Reserved>
  items?: Reserved
}

/** @throws for a member whose schema takes no empty value: its answer would break its form */
export function reservedOf(endpoint: Endpoint): Reserved | undefined {
  const [area = ''] = endpoint.access.split('.')
  if (endpoint.access === 'public') return undefined
  const own = subjects[area] ?? []
  const needed = { ...membersOfKinds, ...endpoint.reserved }
  const permissionOf = (name: string, parent: string, schema: z.core.$ZodType): Permission | undefined => {
    const key = [name, `${parent}.${name}`].find((each) => needed[each] !== undefined)
    const permission = key === undefined ? undefined : needed[key]
    if (key === undefined || permission === undefined || permission.startsWith(`${area}.`) || own.includes(name)) return undefined
    return isReference(schema) && !key.includes('.') && endpoint.reserved[key] === undefined ? undefined : permission
  }
  const find = (schema: z.core.$ZodType, name: string, parent: string): Reserved | undefined => {
    const permission = permissionOf(name, parent, schema)
    const inner = insideOf(schema, name, find)
    if (permission === undefined) return inner
    return { ...inner, permission, empty: emptyFor(schema, `${endpoint.name}: ${parent}.${name}`) }
  }
  return find(endpoint.response, '', '')
}

function insideOf(
  schema: z.core.$ZodType,
  name: string,
  find: (schema: z.core.$ZodType, name: string, parent: string) => Reserved | undefined,
): Reserved | undefined {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray || inner instanceof z.ZodRecord) {
    const items = insideOf(inner instanceof z.ZodArray ? inner.element : inner.valueType, name, find)
    return items && { items }
  }
  if (inner instanceof z.ZodUnion) {
    const all = inner.options.flatMap((option) => insideOf(option, name, find) ?? [])
    return all.reduce<Reserved | undefined>(
      (before, each) => ({ ...before, ...each, fields: new Map([...(before?.fields ?? []), ...(each.fields ?? [])]) }),
      undefined,
    )
  }
  if (!(inner instanceof z.ZodObject)) return undefined
  const fields = Object.entries(inner.shape).flatMap(([field, value]) => {
    const found = find(value, field, name)
    return found ? [[field, found] as const] : []
  })
  return fields.length > 0 ? { fields: new Map(fields) } : undefined
}

/** A number, or a list of uuids: refers to other things without telling of them. */
function isReference(schema: z.core.$ZodType): boolean {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) return !(unwrapped(inner.element) instanceof z.ZodObject)
  return inner instanceof z.ZodNumber
}

function emptyFor(schema: z.core.$ZodType, place: string): unknown {
  const empty = [null, [], ''].find((value) => z.safeParse(schema, value).success)
  if (empty === undefined) throw new Error(`${place} is reserved, but its schema takes neither null, nor an empty list or text.`)
  return empty
}

function unwrapped(schema: z.core.$ZodType): z.core.$ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  )
    return unwrapped(schema.unwrap())
  return schema instanceof z.ZodPipe
    ? unwrapped(schema.def.out instanceof z.ZodTransform ? schema.def.in : schema.def.out)
    : schema
}
