import {
  checkSnippetUses,
  computeProfile,
  isObject,
  placeAt,
  snippetOrigins,
  snippetUses,
  type Place,
  type Snippets,
} from '@causeway/xray'
import { listPlaces } from './json-places.ts'
import { readConfig } from './panel-problem.ts'
import { placeOfPath } from './problem-place.ts'

/** A text as nodes get it, and the way back from places in it. */
export interface ComputedText {
  text: string
  /** Why the snippets that it names cannot be put in. */
  problem: { message: string; place: Place | undefined } | undefined
  /** The place in the text that was typed, with the snippet that a complaint is about. */
  comesFrom: (place: Place | undefined, message: string) => { place: Place | undefined; message: string }
}

/** Undefined where the text names no snippet: it is judged as it stands. */
export function computedText(text: string, snippets: Snippets): ComputedText | undefined {
  const config = readConfig(text)
  if (config === undefined || !isObject(config) || (snippetUses(config).length === 0 && !('snippets' in config))) return undefined
  const [problem] = checkSnippetUses(config, snippets)
  const computed = JSON.stringify(computeProfile(config, snippets), null, 2)
  const originOf = snippetOrigins(config, snippets)
  return {
    text: computed,
    problem: problem && { message: problem.message, place: placeOfPath(text, problem.path) },
    comesFrom: (place, message) => {
      const path = place && pathAt(computed, place)
      if (path === undefined) return { place: undefined, message }
      const origin = originOf(path)
      if (origin.snippet === null) return { place: placeOfPath(text, origin.path), message }
      const use = snippetUses(config).find(({ name }) => name === origin.snippet)
      const told = `Snippet "${origin.snippet}", ${origin.path}: ${message}`
      return { place: use && placeOfPath(text, use.path), message: told }
    },
  }
}

/** The innermost key or entry that begins at or before a place. */
function pathAt(text: string, place: Place): string | undefined {
  const isBefore = (at: number) => {
    const { line, column } = placeAt(text, at)
    return line < place.line || (line === place.line && column <= place.column)
  }
  const found = listPlaces(text).findLast(({ at }) => isBefore(at))
  return found?.path.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : path === '' ? step : `${path}.${step}`),
    '',
  )
}
