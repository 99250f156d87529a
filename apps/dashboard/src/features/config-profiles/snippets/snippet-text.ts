import type { Snippet } from '@causeway/contract'
import { isObject, jsonFault, type XrayObject } from '@causeway/xray'

/** As the server's revisions are written, so that a difference is one. */
export function snippetText({ snippet }: Pick<Snippet, 'snippet'>): string {
  return JSON.stringify(snippet, null, 2)
}

/** The elements, or why the text is none that could be sent. */
export function readSnippet(
  text: string,
): { elements: XrayObject[] } | { fault: { message: string; line: number; column: number } } {
  const fault = jsonFault(text)
  if (fault) return { fault }
  const value: unknown = JSON.parse(text)
  if (Array.isArray(value) && value.every(isObject)) return { elements: value }
  return { fault: { message: 'A snippet is a list of objects: [{ … }]', line: 1, column: 1 } }
}
