import { isObject, objectAt, type XrayObject } from './config.ts'
import { checkValues, type ProfileProblem } from './profile-values.ts'

// Parts of configurations that several profiles share. A profile names them, and is computed before anything reads it.

/** Contents by name, as stored. */
export type Snippets = ReadonlyMap<string, unknown>

/** Lists that take the elements of a snippet in the place where it is named. */
const SNIPPET_LISTS = ['outbounds', 'routing.rules', 'routing.balancers'] as const
/** Keys of the root that no snippet can bring: the panel itself relies on them. */
const KEPT_ROOT_KEYS: readonly string[] = ['api', 'inbounds', 'metrics', 'snippets', 'stats']
/** Place of the names whose keys are merged into the root. */
const ROOT = 'snippets'

/** A place of a profile that names a snippet. */
export interface SnippetUse {
  name: string
  /** For example `routing.rules[2]` or `snippets[0]`. */
  path: string
}

/** Names of snippets in a profile, with their places. */
export function snippetUses(config: unknown): SnippetUse[] {
  const inLists = SNIPPET_LISTS.flatMap((path) =>
    listAt(config, path).flatMap((element, index) => {
      const name = nameIn(element)
      return typeof name === 'string' ? { name, path: `${path}[${index}]` } : []
    }),
  )
  const atRoot = rootNames(config).flatMap((name, index) => (typeof name === 'string' ? { name, path: `${ROOT}[${index}]` } : []))
  return [...inLists, ...atRoot]
}

/** The profile with snippets in their places; itself where it names none. Unknown names leave nothing. */
export function computeProfile(config: XrayObject, snippets: Snippets): XrayObject {
  return snippetUses(config).length === 0 && !(ROOT in config) ? config : insert(config, snippets).config
}

/** Where a place of the computed profile comes from: a snippet and a place in it, or a place of the profile. */
export interface Origin {
  snippet: string | null
  path: string
}

/** Origins of places in a computed profile. */
export function snippetOrigins(config: XrayObject, snippets: Snippets): (path: string) => Origin {
  const { origins } = insert(config, snippets)
  return (path) => {
    for (const [computed, origin] of origins) {
      if (path !== computed && !path.startsWith(`${computed}.`) && !path.startsWith(`${computed}[`)) continue
      return { snippet: origin.snippet, path: `${origin.path}${path.slice(computed.length)}` }
    }
    return { snippet: null, path }
  }
}

interface Inserted {
  config: XrayObject
  /** Places that moved or came from a snippet. */
  origins: Map<string, Origin>
}

function insert(config: XrayObject, snippets: Snippets): Inserted {
  const origins = new Map<string, Origin>()
  const { [ROOT]: _, ...computed } = config
  for (const name of rootNames(config)) {
    if (typeof name !== 'string') continue
    for (const [index, element] of elementsOf(snippets.get(name)).entries()) {
      for (const [key, value] of Object.entries(isObject(element) ? element : {})) {
        if (Object.hasOwn(computed, key) || KEPT_ROOT_KEYS.includes(key)) continue
        computed[key] = value
        origins.set(key, { snippet: name, path: `[${index}].${key}` })
      }
    }
  }
  if (Array.isArray(computed['outbounds']))
    computed['outbounds'] = insertInto(computed['outbounds'], 'outbounds', snippets, origins)
  if (isObject(computed['routing'])) {
    const routing = { ...computed['routing'] }
    for (const key of ['rules', 'balancers']) {
      const list = routing[key]
      if (Array.isArray(list)) routing[key] = insertInto(list, `routing.${key}`, snippets, origins)
    }
    computed['routing'] = routing
  }
  // The longest place that holds another one is the one that counts.
  return { config: computed, origins: new Map([...origins].toSorted(([one], [other]) => other.length - one.length)) }
}

function insertInto(list: readonly unknown[], path: string, snippets: Snippets, origins: Map<string, Origin>): unknown[] {
  const whole: unknown[] = []
  const base = [...origins].find(([place]) => path === place || path.startsWith(`${place}.`))?.[1]
  for (const [index, element] of list.entries()) {
    const name = nameIn(element)
    if (name === undefined) {
      const own = `${path}[${index}]`
      const place = `${path}[${whole.length}]`
      if (own !== place && base === undefined) origins.set(place, { snippet: null, path: own })
      whole.push(element)
      continue
    }
    if (typeof name !== 'string') continue
    for (const [number, part] of elementsOf(snippets.get(name)).entries()) {
      origins.set(`${path}[${whole.length}]`, { snippet: name, path: `[${number}]` })
      whole.push(part)
    }
  }
  return whole
}

/** Mistakes in how a profile names snippets. */
export function checkSnippetUses(config: XrayObject, snippets: Snippets): ProfileProblem[] {
  const problems: ProfileProblem[] = []
  for (const path of SNIPPET_LISTS) {
    for (const [index, element] of listAt(config, path).entries()) {
      const name = nameIn(element)
      if (name === undefined) continue
      const place = `${path}[${index}]`
      if (typeof name !== 'string')
        problems.push({ path: `${place}.snippet`, message: `${place}.snippet is not text. Write the name of a snippet.` })
      else if (isObject(element) && Object.keys(element).length > 1)
        problems.push({ path: place, message: `${place} names the snippet "${name}" beside other keys. Remove the other keys.` })
    }
  }
  const root: unknown = config[ROOT]
  if (root !== undefined && (!Array.isArray(root) || root.some((name) => typeof name !== 'string')))
    problems.push({ path: ROOT, message: 'snippets is not a list of names of snippets.' })
  for (const { name, path } of snippetUses(config)) {
    if (!snippets.has(name)) {
      problems.push({ path, message: `${path} names the snippet "${name}", which does not exist.` })
      continue
    }
    if (!path.startsWith(`${ROOT}[`)) continue
    const keys = elementsOf(snippets.get(name)).flatMap((element) => (isObject(element) ? Object.keys(element) : []))
    for (const key of keys.filter((each) => KEPT_ROOT_KEYS.includes(each)))
      problems.push({ path, message: `${path}: the snippet "${name}" has "${key}", which only a profile itself can have.` })
  }
  return problems
}

/** More than any real one, and far below the bound of a profile. */
const MOST_ELEMENTS = 2000

/** Mistakes in a snippet by itself. Its paths begin with the number of the element. */
export function checkSnippet(snippet: readonly unknown[]): ProfileProblem[] {
  if (snippet.length === 0) return [{ path: '', message: 'The snippet has no element. Add at least one.' }]
  if (snippet.length > MOST_ELEMENTS)
    return [{ path: '', message: `The snippet has ${snippet.length} elements, and ${MOST_ELEMENTS} are the most.` }]
  return snippet
    .flatMap((element, index) => {
      const path = `[${index}]`
      if (!isObject(element)) return [{ path, message: `Element ${index + 1} is not a JSON object.` }]
      if (Object.keys(element).length === 0) return [{ path, message: `Element ${index + 1} is an empty object. Remove it.` }]
      const nested = ['snippet', 'snippets'].find((key) => Object.hasOwn(element, key))
      if (nested !== undefined)
        return [
          { path: `${path}.${nested}`, message: `Element ${index + 1} names a snippet. A snippet cannot hold another one.` },
        ]
      return nestedIn(element, index)
    })
    .concat(checkValues(snippet))
}

/** Elements for the root may hold lists, in which names would be inserted. */
function nestedIn(element: XrayObject, index: number): ProfileProblem[] {
  return snippetUses(element).map(({ path }) => ({
    path: `[${index}].${path}`,
    message: `Element ${index + 1} names a snippet. A snippet cannot hold another one.`,
  }))
}

/** Undefined unless the element stands for a snippet. */
function nameIn(element: unknown): unknown {
  return isObject(element) && Object.hasOwn(element, 'snippet') ? element['snippet'] : undefined
}

function rootNames(config: unknown): unknown[] {
  const names = isObject(config) ? config[ROOT] : undefined
  return Array.isArray(names) ? names : []
}

function listAt(config: unknown, path: (typeof SNIPPET_LISTS)[number]): unknown[] {
  const [first = '', second] = path.split('.')
  const found = second === undefined ? (isObject(config) ? config[first] : undefined) : objectAt(config, first)[second]
  return Array.isArray(found) ? found : []
}

function elementsOf(snippet: unknown): unknown[] {
  return Array.isArray(snippet) ? snippet : []
}

/** A mistake of a computed profile. With a snippet it is there, and the path is that of the name in the profile. */
export interface PlacedProblem extends ProfileProblem {
  snippet?: string
  /** In the snippet. */
  place?: string
}

/** Mistakes of a profile as nodes get it, each at its place in the profile or in a snippet. */
export function checkComputed(
  config: XrayObject,
  snippets: Snippets,
  check: (computed: XrayObject) => ProfileProblem[],
): PlacedProblem[] {
  const problems = check(computeProfile(config, snippets))
  const uses = snippetUses(config)
  if (uses.length === 0) return [...checkSnippetUses(config, snippets), ...problems]
  const originOf = snippetOrigins(config, snippets)
  const placed = problems.map(({ path, message }) => {
    const origin = originOf(path)
    if (origin.snippet === null) return { path: origin.path, message }
    const use = uses.find(({ name }) => name === origin.snippet)
    const text = `Snippet "${origin.snippet}", ${origin.path}: ${message}`
    return { path: use?.path ?? '', message: text, snippet: origin.snippet, place: origin.path }
  })
  return [...checkSnippetUses(config, snippets), ...placed]
}
