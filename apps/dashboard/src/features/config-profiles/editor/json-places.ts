import { placeAt, type Place } from '@causeway/xray'

type Step = string | number

interface Found {
  path: readonly Step[]
  /** Where the key begins, or the entry of a list. */
  at: number
}

/** Where `path` stands in JSON; comments are passed over. Undefined where it is not there, or the text breaks off before. */
export function placeOf(text: string, path: readonly Step[]): Place | undefined {
  const found = listPlaces(text).find((one) => one.path.length === path.length && one.path.every((step, i) => step === path[i]))
  return found && placeAt(text, found.at)
}

const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\]:,]|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|#[^\n]*|[^\s"{}[\]:,/#]+/g

/** Every key and every entry of a list, in the order of the text. */
export function listPlaces(text: string): Found[] {
  const found: Found[] = []
  const stack: { step: Step; isList: boolean; isKeyNext: boolean }[] = []
  const path = () => stack.map(({ step }) => step)
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (/^(?:\/\/|\/\*|#)/.test(token)) continue
    const top = stack.at(-1)
    if (token === '}' || token === ']') stack.pop()
    else if (token === ',') {
      if (top?.isList) top.step = Number(top.step) + 1
      else if (top) top.isKeyNext = true
    } else if (token === ':') {
      if (top) top.isKeyNext = false
    } else if (top && !top.isList && top.isKeyNext) {
      top.step = keyOf(token)
      found.push({ path: path(), at: index })
    } else {
      if (top?.isList) found.push({ path: path(), at: index })
      if (token === '{') stack.push({ step: '', isList: false, isKeyNext: true })
      if (token === '[') stack.push({ step: 0, isList: true, isKeyNext: false })
    }
  }
  return found
}

function keyOf(token: string): string {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}
