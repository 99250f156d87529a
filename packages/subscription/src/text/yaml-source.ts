import { isAlias, isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document } from 'yaml'

/** A template repeats a few blocks. Every alias costs a walk through all anchors. */
const MAX_ALIASES = 100
/** By how much a text may grow by its aliases. Blocks that are merged into a dozen groups double a real one. */
const MAX_GROWTH = 4
const FREE_CHARACTERS = 10_000
/** The parser recurses and would overflow; thousands of levels make no sense in a template. */
const OVERFLOW = 'Maximum call stack size exceeded'
const TOO_DEEP = 'Lists and maps lie too deep within each other'

/**
 * Parses YAML into plain data in a time that grows with the length of the text. The parser's own check for duplicate
 * keys compares each with all others, so it is off and made here. Aliases are weighed before any of them is followed.
 * @throws TypeError with a sentence that names the line
 */
export function parseYaml(source: string): unknown {
  try {
    return read(source)
  } catch (error) {
    throw error instanceof RangeError ? new TypeError(TOO_DEEP) : error
  }
}

function read(source: string): unknown {
  const lines = new LineCounter()
  const document = parseDocument(source, {
    merge: true,
    uniqueKeys: false,
    logLevel: 'error',
    lineCounter: lines,
    stringKeys: false,
  })
  const [error] = document.errors
  if (error) throw new TypeError(oneLine(error.message).replace(OVERFLOW, TOO_DEEP))
  check(document, source.length * MAX_GROWTH + FREE_CHARACTERS, (offset) => `line ${lines.linePos(offset).line}`)
  return document.toJS({ maxAliasCount: -1 })
}

/** Weighs what is there once its aliases are written out: names and values in characters, and one for each node. */
function check(document: Document.Parsed, maxWeight: number, placeOf: (offset: number) => string): void {
  /** The weight of each anchor's node; an anchor that is still open contains itself. */
  const weights = new Map<string, number>()
  let aliases = 0
  const refuse = (what: string, node: { range?: readonly number[] | null | undefined }): never => {
    throw new TypeError(`${what} at ${placeOf(node.range?.[0] ?? 0)}`)
  }
  const weigh = (node: unknown): number => {
    if (isAlias(node)) {
      aliases++
      if (aliases > MAX_ALIASES) return refuse(`More than ${MAX_ALIASES} aliases`, node)
      return weights.get(node.source) ?? refuse(`The alias *${node.source} stands for nothing before it`, node)
    }
    let weight = 1
    if (isScalar(node)) weight += String(node.value).length
    else if (isMap(node)) {
      const keys = new Set<unknown>()
      for (const { key, value } of node.items) {
        if (isScalar(key)) {
          if (keys.has(key.value) && key.value !== '<<') refuse(`The key ${String(key.value).slice(0, 50)} stands twice`, key)
          keys.add(key.value)
        }
        weight += weigh(key) + weigh(value)
      }
    } else if (isSeq(node))
      for (const item of node.items) weight += isPair(item) ? weigh(item.key) + weigh(item.value) : weigh(item)
    const anchor = isScalar(node) || isMap(node) || isSeq(node) ? node.anchor : undefined
    if (anchor !== undefined) weights.set(anchor, weight)
    if (weight > maxWeight) throw new TypeError(`With its aliases written out it has more than ${maxWeight} characters`)
    return weight
  }
  weigh(document.contents)
}

/** The parser shows the place in the text below its sentence. */
function oneLine(message: string): string {
  return (message.split('\n')[0] ?? message).replace(/:$/, '')
}
