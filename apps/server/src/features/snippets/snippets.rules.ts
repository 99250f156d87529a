import {
  checkComputed,
  checkProfile,
  checkSnippet,
  isObject,
  type PlacedProblem,
  type ProfileProblem,
  type Snippets,
  type XrayObject,
} from '@causeway/xray'

interface NamedProfile {
  name: string
  config: unknown
}

export interface SnippetProblem {
  /** In the snippet. */
  path: string
  message: string
  /** The profile that it spoils; null where the snippet itself is wrong. */
  profile: string | null
}

interface Checked {
  name: string
  snippet: readonly XrayObject[]
  snippets: Snippets
  profiles: readonly NamedProfile[]
  /** Of a profile as nodes get it, besides those that hold everywhere. */
  check?: (config: XrayObject) => ProfileProblem[]
}

/** Mistakes of a snippet by itself, and those that profiles which name it would have with it and have not now. */
export function snippetProblems({ name, snippet, snippets, profiles, check = () => [] }: Checked): SnippetProblem[] {
  const own = checkSnippet(snippet).map((problem) => ({ ...problem, profile: null }))
  if (own.length > 0) return own
  const next = new Map([...snippets, [name, snippet]])
  return profiles.flatMap(({ name: profile, config }) => {
    if (!isObject(config)) return []
    const problemsWith = (all: Snippets) =>
      checkComputed(config, all, (computed) => [...checkProfile(computed), ...check(computed)])
    const known = new Set(problemsWith(snippets).map(({ message }) => message))
    return problemsWith(next)
      .filter(({ message }) => !known.has(message))
      .map((problem) => ({ path: placeIn(problem, name), message: `Profile "${profile}": ${problem.message}`, profile }))
  })
}

function placeIn({ snippet, place }: PlacedProblem, name: string): string {
  return snippet === name ? (place ?? '') : ''
}
