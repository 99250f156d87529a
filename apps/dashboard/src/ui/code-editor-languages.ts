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
  const open: number[] = []
  let start: number | undefined
  let isText = false
  for (let i = 0; i < end; i++) {
    const character = text[i]
    if (isText) {
      if (character === '\\') i++
      else if (character === '"') isText = false
    } else if (character === '"') isText = true
    else if (character === '{' || character === '[') open.push(i)
    else if (character === '}' || character === ']') start = open.pop()
  }
  if (isText || start === undefined) return undefined
  try {
    JSON.parse(text.slice(start, end))
    return start
  } catch {
    return undefined
  }
}
