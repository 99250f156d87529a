import type { CodeLanguage } from './code-editor-parts.ts'

/** A language that cannot be set up leaves a plain editor, in which can be written and saved all the same. */
export function configureLanguage(language: CodeLanguage, configure: () => void): void {
  try {
    configure()
  } catch (error) {
    console.error(`Failed to configure Monaco ${language.toUpperCase()}`, error)
  }
}

/**
 * Where the object or list begins that was closed just before `end`, or undefined when what is between is not whole JSON yet.
 * Broken text is never touched while it is typed.
 */
export function closedBlockStart(text: string, end: number): number | undefined {
  const { closed, isString } = readBrackets(text.slice(0, end))
  const start = isString ? undefined : closed
  if (start === undefined) return undefined
  try {
    JSON.parse(text.slice(start, end))
    return start
  } catch {
    return undefined
  }
}

/**
 * How much of `after` a key stands for that closes what is closed there already. The editor closes what is opened. That typing
 * the same sign means this one it forgets after formatting and line breaks, and never knows of a quote behind a backslash.
 */
export function repeatedCloser(before: string, key: string, after: string): number {
  if (key === '"') return after.startsWith(key) && ESCAPED_BACKSLASH.test(before) && readBrackets(before).isString ? 1 : 0
  if (key !== '}' && key !== ']') return 0
  const next = after.search(/\S|$/)
  if (after[next] !== key || isBalanced(before + key + after)) return 0
  return isBalanced(before + key + after.slice(next + 1)) ? next + 1 : 0
}

const ESCAPED_BACKSLASH = /(?<!\\)(?:\\\\)+$/

function isBalanced(text: string): boolean {
  return readBrackets(text).open?.length === 0
}

interface Brackets {
  /** Places of what is not closed yet; undefined once a bracket has closed what was not open. */
  open: number[] | undefined
  /** Where the block begins that the last closing bracket ended. */
  closed: number | undefined
  /** The text ends inside a string. */
  isString: boolean
}

/** Brackets outside strings. A string ends with its line at the latest. */
function readBrackets(text: string): Brackets {
  const open: number[] = []
  let isSound = true
  let closed: number | undefined
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (isString) {
      if (sign === '\\') at++
      else if (sign === '"' || sign === '\n') isString = false
    } else if (sign === '"') isString = true
    else if (sign === '{' || sign === '[') open.push(at)
    else if (sign === '}' || sign === ']') {
      closed = open.pop()
      isSound &&= closed !== undefined && text[closed] === (sign === '}' ? '{' : '[')
    }
  }
  return { open: isSound ? open : undefined, closed, isString }
}
