/** Anything that can be picked in the search. */
export interface Entry {
  id: string
  label: string
  /** Search words that are never shown. */
  words?: string
}

export interface EntryGroup<Item extends Entry> {
  name: string
  entries: readonly Item[]
}

/**
 * How well a text matches. 0: the whole name, 1: its beginning, 2: the beginning of a word in it, 3: the beginnings
 * of several words in any order, 4: some part; undefined: not at all.
 */
export function fit(label: string, text: string): number | undefined {
  const [name, typed] = [foldText(label), foldText(text)]
  if (name === typed) return 0
  if (name.startsWith(typed)) return 1
  const at = name.indexOf(typed)
  if (beginsWord(name, at)) return 2
  const words = typed.split(' ')
  if (words.length > 1 && words.every((word) => hasWord(name, word))) return 3
  return at < 0 ? undefined : 4
}

/** One spelling of what keyboards and people spell in several: Russian yo, Arabic letters in Persian, half spaces. */
function foldText(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replaceAll('ي', 'ی')
    .replaceAll('ك', 'ک')
    .replaceAll(/[\s\u200c]+/g, ' ')
    .trim()
}

function beginsWord(name: string, at: number): boolean {
  return at === 0 || /[\s:_\-./@]/.test(name[at - 1] ?? '')
}

/** Chinese writes no blanks between words, so that every character may begin one. */
function hasWord(name: string, word: string): boolean {
  const isHan = /\p{Script=Han}/u.test(word)
  for (let at = name.indexOf(word); at >= 0; at = name.indexOf(word, at + 1)) if (isHan || beginsWord(name, at)) return true
  return false
}

/** The entries that a text fits, the best first. */
export function filterEntries<Item extends Entry>(entries: readonly Item[], text: string): Item[] {
  return entries
    .map((entry) => ({ entry, score: bestFit(entry, text) }))
    .filter(({ score }) => score < Infinity)
    .toSorted((one, other) => one.score - other.score)
    .map(({ entry }) => entry)
}

/** Groups by their best entry; the server's own order within a group stays. */
export function rankGroups<Item extends Entry>(groups: readonly EntryGroup<Item>[], text: string): EntryGroup<Item>[] {
  const best = ({ entries }: EntryGroup<Item>) => Math.min(...entries.map((entry) => Math.min(bestFit(entry, text), LAST)))
  return groups.filter(({ entries }) => entries.length > 0).toSorted((one, other) => best(one) - best(other))
}

/** Found by something that is not in the name. */
const LAST = 5

function bestFit({ label, words = '' }: Entry, text: string): number {
  return Math.min(fit(label, text) ?? Infinity, ...words.split(',').map((word) => fitOfOther(word.trim(), text)))
}

/** Hidden words rank below names: `ann` means Anna, and not the page with the announcement. */
function fitOfOther(word: string, text: string): number {
  const best = fit(word, text) ?? Infinity
  if (best === 0) return 2
  return best < 4 ? 3 : best
}

export interface Command<Verb extends string> {
  verb: Verb
  /** The subject of the result. */
  object: string
}

const SHORTEST_VERB = 3

/** "disable Warsaw", "dis warsaw": a verb or its beginning, and what it is about. `verbs` are comma-separated spellings. */
export function readCommand<Verb extends string>(text: string, verbs: Readonly<Record<Verb, string>>): Command<Verb> | undefined {
  const typed = text.trim().toLowerCase()
  let found: (Command<Verb> & { length: number }) | undefined
  for (const verb in verbs)
    for (const spelling of verbs[verb].split(',').map((one) => one.trim().toLowerCase())) {
      const length = lengthOfVerb(typed, spelling)
      if (length <= (found?.length ?? 0)) continue
      found = { verb, object: text.trim().slice(length).trim(), length }
    }
  return found && found.object !== '' ? { verb: found.verb, object: found.object } : undefined
}

/** How much of the text the verb takes. Chinese writes no blanks between words. */
function lengthOfVerb(typed: string, spelling: string): number {
  if (typed.startsWith(`${spelling} `) || (/\p{Script=Han}/u.test(spelling) && typed.startsWith(spelling))) return spelling.length
  const [first = ''] = typed.split(/\s/)
  return first.length >= SHORTEST_VERB && first.length < typed.length && spelling.startsWith(first) ? first.length : 0
}
