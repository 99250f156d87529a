import { jsonFault, placeAt, type Place } from '@causeway/xray'
import { listPlaces, placeOf } from './json-places.ts'

/** `inbounds[2].tag` as the server writes it. */
export function placeOfPath(text: string, path: string): Place | undefined {
  const steps = path.split(/[.[\]]+/).filter((step) => step !== '')
  const typed = steps.map((step) => (/^\d+$/.test(step) ? Number(step) : step))
  for (let length = typed.length; length > 0; length--) {
    const place = placeOf(text, typed.slice(0, length))
    if (place) return place
  }
  return undefined
}

const UNREAD = 'failed to read config file: invalid character'

/** Where it is no JSON; undefined where that is a comment, which Xray takes. */
function brokenPlace(text: string): Place | undefined {
  const fault = jsonFault(text)
  const isComment = fault && /^[#/]/.test(text.split('\n')[fault.line - 1]?.slice(fault.column - 1) ?? '')
  return fault && !isComment ? { line: fault.line, column: fault.column } : undefined
}

/**
 * Where in the text lies what Xray complains of. It names a line where the text cannot be read, else an inbound or outbound by
 * its tag, and mostly the key or the value. Undefined where it says nothing of a place.
 */
export function placeOfProblem(text: string, message: string): Place | undefined {
  if (/\bEOF$/.test(message)) return placeAt(text, text.trimEnd().length)
  const [, line, char] = /at line (\d+) char (\d+)/.exec(message)?.map(Number) ?? []
  const said = line === undefined || char === undefined ? undefined : { line, column: char + 1 }
  // Xray counts within the value itself where that has a reader of its own.
  const isInValue = said?.line === 1 && said.column <= 2 && / invalid /.test(message)
  if (said && !isInValue) return said
  const [, kind, tag] = /(inbound|outbound) config with (?:tag|outbound tag) (.+?)(?:: |$)/i.exec(message) ?? []
  const [, doubled] = /existing tag found: (.+)$/.exec(message) ?? []
  const within = kind === undefined || tag === undefined ? undefined : scopeOf(text, `${kind.toLowerCase()}s`, tag)
  if (doubled !== undefined) return tagPlaces(text, doubled).at(1)
  const unread = message.startsWith(UNREAD) ? brokenPlace(text) : undefined
  return innermost(text, message, within) ?? within?.place ?? said ?? unread ?? sectionPlace(text, message)
}

/** Of a whole section it says which, in words of its own: `burst observatory`, `DNS`. */
function sectionPlace(text: string, message: string): Place | undefined {
  const name = /failed to build ([\w ]+) configuration/.exec(message)?.[1]?.replaceAll(' ', '').toLowerCase()
  const section = listPlaces(text).find(({ path: [key, ...rest] }) => rest.length === 0 && String(key).toLowerCase() === name)
  return section && placeAt(text, section.at)
}

interface Scope {
  path: string
  place: Place
}

/** The object of this list that has this tag. */
function scopeOf(text: string, list: string, tag: string): Scope | undefined {
  const found = listPlaces(text).find(
    ({ path, at }) => path.length === 3 && path[0] === list && path[2] === 'tag' && valueAfter(text, at) === JSON.stringify(tag),
  )
  return found && { path: JSON.stringify(found.path.slice(0, 2)).slice(0, -1), place: placeAt(text, found.at) }
}

function tagPlaces(text: string, tag: string): Place[] {
  return listPlaces(text)
    .filter(({ path, at }) => path.at(-1) === 'tag' && path.length === 3 && valueAfter(text, at) === JSON.stringify(tag))
    .map(({ at }) => placeAt(text, at))
}

/** The last key or value that the message names and the text has. */
function innermost(text: string, message: string, within: Scope | undefined): Place | undefined {
  const inScope = listPlaces(text).filter(({ path }) => !within || JSON.stringify(path).startsWith(within.path))
  const keys = [...message.matchAll(/"([A-Za-z0-9_]+)(?:\[\d+\])?"/g)].map(([, key]) => key).toReversed()
  const byKey = keys.map((key) => inScope.find(({ path }) => path.at(-1) === key)).find((found) => found !== undefined)
  if (byKey) return placeAt(text, byKey.at)
  const values = [...message.matchAll(/(?:invalid|unknown|unsupported)[^:]*: (?=(\S.*))|"(?=([^"]+))/g)].map(
    (found) => found[1] ?? found[2],
  )
  const byValue = inScope.find(({ at }) => {
    const given = valueAfter(text, at)?.replaceAll(/^"|"$/g, '')
    // It may hold colons itself, as `env:PORT` does.
    return given && values.some((value) => value === given || value?.startsWith(`${given}:`) || value?.startsWith(`${given} `))
  })
  return byValue && placeAt(text, byValue.at)
}

/** The value behind a key, or the list entry itself. */
function valueAfter(text: string, at: number): string | undefined {
  const rest = text.slice(at, at + 2000)
  return (
    /^"(?:[^"\\]|\\.)*"\s*:\s*("(?:[^"\\]|\\.)*"|[^\s,}\]]+)/.exec(rest)?.[1] ?? /^("(?:[^"\\]|\\.)*"|[^\s,}\]]+)/.exec(rest)?.[1]
  )
}
