import { errors, generationVersions, type Endpoint, type Generation, type KnownError } from '@causeway/contract'
import type { Differences } from '../../http/differences.ts'
import { ApiError } from '../../http/errors.ts'

// Every difference between generations that members beside each other cannot carry (docs/wire.md 37). Nothing else in the house
// knows of generations: handlers answer as 2.1 does, with the members of all.

type Answer = Record<string, unknown>
type Change = (answer: unknown, generation: Generation) => unknown

/** By endpoint; the generations named get the answer changed. */
const changes: Record<string, { since: Generation; change: Change }> = {
  ...each(
    ['listNodes', 'getNode', 'createNode', 'updateNode', 'enableNode', 'disableNode', 'reorderNodes'],
    // Seconds as text up to 2.6, as a number since 2.7.
    { since: '2.8', change: (answer) => everyObject(answer, (node) => ({ ...node, xrayUptime: Number(node['xrayUptime']) })) },
  ),
  // Programs decide by it what they may call.
  ...each(['getMetadata', 'getRecap'], {
    since: '2.8',
    change: (answer, generation) => everyObject(answer, (told) => ({ ...told, version: generationVersions[generation] })),
  }),
}

/** Lookups that find nothing: an error up to 2.2, an empty list up to 2.8, and gone with 404 since 3.0. */
const emptyLists: Record<string, KnownError> = each(
  ['listUsersByTelegramId', 'listUsersByEmail', 'listUsersByTag'],
  errors.usersNotFound,
)

const HOST_WRITES = new Set(['createHost', 'updateHost', 'bulkUpdateHosts'])
const order = Object.keys(generationVersions)

export const differences: Differences = {
  body: ({ name }, body) => (HOST_WRITES.has(name) ? hostBody(body) : body),
  change({ name }: Endpoint, generation) {
    const known = changes[name]
    if (!known || order.indexOf(generation) < order.indexOf(known.since)) return undefined
    return (answer) => known.change(answer, generation)
  },
  instead({ name }, generation, error) {
    const empty = emptyLists[name]
    const isEmpty = generation === '2.8' && empty && error instanceof ApiError && error.code === empty.code
    return isEmpty ? { answer: [] } : undefined
  },
}

/** One tag became a list in 2.8, which says more, and XHTTP parameters got another spelling; later programs clear texts by null. */
function hostBody({ tag, tags, xhttpExtraParams, internalSquads, ...body }: Answer): Answer {
  const cleared = ['path', 'sni', 'host'].filter((name) => body[name] === null).map((name) => [name, ''])
  return {
    ...body,
    ...Object.fromEntries(cleared),
    ...(tags === undefined ? { tag } : { tags }),
    ...(isObject(internalSquads) && internalSquads['mode'] === 'EXCLUDE'
      ? { excludedInternalSquads: internalSquads['squads'] }
      : {}),
    ...(xhttpExtraParams === undefined ? {} : { xHttpExtraParams: xhttpExtraParams }),
  }
}

function each<T>(names: string[], entry: T): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, entry]))
}

/** Of an answer that is an object, or a list of them. */
function everyObject(answer: unknown, change: (each: Answer) => Answer): unknown {
  if (Array.isArray(answer)) return answer.map((one) => everyObject(one, change))
  return isObject(answer) ? change(answer) : answer
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null
}
