// JSON as it was written. What a parser would refuse has a place here, and so has what it would read and not give back as it was.

/** Where in a text something stands, counted from 1. */
export interface Place {
  line: number
  column: number
}

export interface JsonFault extends Place {
  /** `lost`: it is JSON, but once read and written again it would say something else. */
  kind: 'broken' | 'lost'
  message: string
}

/**
 * How many levels within each other the body of a request may have. Xray's own configuration has fewer than ten; recursion over
 * some thousand would end in an overflow.
 */
export const MAX_BODY_DEPTH = 100
/** How many values. Each costs a hundred bytes and more once it is parsed, and a body of commas has one per two bytes. */
export const MAX_BODY_VALUES = 120_000
/** Some levels and values are around a text that is sent. */
const MAX_DEPTH = MAX_BODY_DEPTH - 10
const MAX_VALUES = MAX_BODY_VALUES - 100
const WHITE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const COMMENT = /\/[/*]|#/y
const WHOLE = /^-?\d+$/

/** The first thing that is no JSON; where there is none, the first that would be lost; undefined where all is kept. */
export function jsonFault(text: string): JsonFault | undefined {
  const found = new Scan(text).run()
  return found && { kind: found.kind, message: found.message, ...placeAt(text, found.at) }
}

/**
 * The place where the nesting exceeds the bound, also in text that is not JSON yet. A recursive parser could overflow
 * on such a text; this does not.
 */
export function depthFault(text: string): JsonFault | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE) at = endOfString(text, at)
    else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) depth--
    else if ((sign === OPEN_OBJECT || sign === OPEN_LIST) && ++depth > MAX_DEPTH)
      return { kind: 'lost', message: TOO_DEEP, ...placeAt(text, at) }
  }
  return undefined
}

/** At its last letter; where it is not closed, at the end of its line. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign === QUOTE || sign === LINE_BREAK) return at
    if (sign === BACKSLASH) at++
  }
  return text.length
}

/** Line and column of an offset, both from 1, as editors count. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

interface Found {
  kind: JsonFault['kind']
  message: string
  at: number
}

/**
 * The expected next token: a value, a value or the end of its list, a key, a key or the end of its object, a colon,
 * or the token after a value.
 */
type Next = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'after'

/** Without recursion, so that nothing is too deep for it. */
class Scan {
  readonly #text: string
  #at = 0
  #next: Next = 'value'
  #comma = 0
  #values = 0
  /** The keys of each object that is open; undefined for a list. */
  readonly #open: (Set<string> | undefined)[] = []
  #lost: Found | undefined

  constructor(text: string) {
    this.#text = text
  }

  run(): Found | undefined {
    for (;;) {
      this.#match(WHITE)
      if (this.#at >= this.#text.length)
        return this.#isWhole() ? this.#lost : this.#broken('The text ends before it is complete.')
      const broken = this.#step(this.#text.charAt(this.#at))
      if (broken) return broken
    }
  }

  #isWhole(): boolean {
    return this.#next === 'after' && this.#open.length === 0
  }

  #step(sign: string): Found | undefined {
    if (sign === '}' || sign === ']') return this.#close(sign)
    switch (this.#next) {
      case 'key':
      case 'first key':
        return sign === '"' ? this.#key() : this.#unexpected()
      case 'colon':
        if (sign !== ':') return this.#unexpected()
        return this.#pass('value')
      case 'after':
        if (sign !== ',' || this.#open.length === 0) return this.#unexpected()
        this.#comma = this.#at
        return this.#pass(this.#open.at(-1) ? 'key' : 'value')
      case 'value':
      case 'first value':
        return this.#value(sign)
    }
  }

  #pass(next: Next): undefined {
    this.#at++
    this.#next = next
  }

  #close(sign: string): Found | undefined {
    const isObject = sign === '}'
    if (this.#open.length === 0 || (this.#open.at(-1) !== undefined) !== isObject) return this.#unexpected()
    if (this.#next === (isObject ? 'key' : 'value'))
      return this.#broken(`A comma stands before a "${sign}", with nothing between.`, this.#comma)
    if (this.#next !== 'after' && this.#next !== (isObject ? 'first key' : 'first value')) return this.#unexpected()
    this.#open.pop()
    return this.#pass('after')
  }

  #value(sign: string): Found | undefined {
    // As the server counts them: keys are values too.
    if (++this.#values > MAX_VALUES) this.#lose(TOO_MANY, this.#at)
    if (sign === '{' || sign === '[') {
      if (this.#open.length >= MAX_DEPTH) this.#lose(TOO_DEEP, this.#at)
      this.#open.push(sign === '{' ? new Set() : undefined)
      return this.#pass(sign === '{' ? 'first key' : 'first value')
    }
    this.#next = 'after'
    if (sign === '"') return this.#string() === undefined ? this.#brokenString() : undefined
    const from = this.#at
    if (this.#match(WORD)) return undefined
    if (!this.#match(NUMBER)) return this.#unexpected()
    const number = this.#text.slice(from, this.#at)
    if (!isKept(number)) this.#lose(`The number ${number.slice(0, 40)} cannot be kept exactly.`, from)
    return undefined
  }

  #key(): Found | undefined {
    this.#values++
    const from = this.#at
    const key = this.#string()
    if (key === undefined) return this.#brokenString()
    const keys = this.#open.at(-1)
    if (keys?.has(key)) this.#lose(`The key "${key.slice(0, 40)}" stands twice in one object.`, from)
    if (key === '__proto__') this.#lose('The key "__proto__" cannot be kept.', from)
    keys?.add(key)
    this.#next = 'colon'
    return undefined
  }

  /** The parsed text; undefined where it is invalid, with the place of the mistake. */
  #string(): string | undefined {
    const from = this.#at++
    let hasEscapes = false
    for (; this.#at < this.#text.length; this.#at++) {
      const code = this.#text.charCodeAt(this.#at)
      if (code < 0x20) return undefined
      if (code === QUOTE) {
        const written = this.#text.slice(from, ++this.#at)
        const said = hasEscapes ? String(JSON.parse(written)) : written.slice(1, -1)
        if (said.includes('\u0000')) this.#lose('A text has the character U+0000, which cannot be stored.', from)
        else if (!said.isWellFormed()) this.#lose('A text has half a character (a lone surrogate), which cannot be stored.', from)
        return said
      }
      if (code !== BACKSLASH) continue
      hasEscapes = true
      const escape = this.#at
      if (!this.#match(ESCAPE)) return undefined
      this.#at = Math.max(escape, this.#at - 1)
    }
    return undefined
  }

  #brokenString(): Found {
    if (this.#at >= this.#text.length) return this.#broken('A text has no end.')
    const isControl = this.#text.charCodeAt(this.#at) < 0x20
    return this.#broken(
      isControl ? 'A line break or another control character stands inside a text.' : 'JSON has no such escape.',
    )
  }

  #unexpected(): Found {
    if (this.#text.charCodeAt(this.#at) === BYTE_ORDER_MARK)
      return this.#broken('A byte order mark (U+FEFF) stands here. Remove it.')
    const from = this.#at
    const isComment = this.#match(COMMENT)
    this.#at = from
    if (isComment) return this.#broken('A comment stands here. JSON has none, so it would not be kept: remove it.')
    return this.#broken(`"${String.fromCodePoint(this.#text.codePointAt(from) ?? 0)}" is not expected here.`)
  }

  #broken(message: string, at = this.#at): Found {
    return { kind: 'broken', message, at }
  }

  #lose(message: string, at: number): void {
    this.#lost ??= { kind: 'lost', message, at }
  }

  /** Goes behind what matches here. */
  #match(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const isThere = pattern.test(this.#text)
    if (isThere) this.#at = pattern.lastIndex
    return isThere
  }
}

const TOO_DEEP = `More than ${MAX_DEPTH} levels lie within each other here, which is not taken.`
const TOO_MANY = `More than ${MAX_VALUES} keys and values stand before this place, which is not taken.`
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LINE_BREAK = 0x0a
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = 0xfeff

/** Every reader rounds fractions; whole numbers are keys, marks and sizes. */
function isKept(number: string): boolean {
  const value = Number(number)
  return Number.isFinite(value) && (!WHOLE.test(number) || String(value) === number || BigInt(number) === BigInt(value))
}
