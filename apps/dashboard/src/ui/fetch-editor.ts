import { languageNow } from '../lib/languages.ts'
import { comeFirst } from '../lib/when-idle.ts'

/**
 * The editor with its library, the largest thing of all: fetched by the pages that show one, and by no other. Its own words come
 * first where it has them in the reader's language: it looks for them when it starts.
 */
export async function fetchEditor(): Promise<typeof import('./code-editor-canvas.tsx')> {
  const language = languageNow()
  if (language.startsWith('ru')) await import('monaco-editor/nls/lang/ru')
  if (language.startsWith('zh')) await import('monaco-editor/nls/lang/zh-cn')
  return import('./code-editor-canvas.tsx')
}

/** Begun by who goes to such a page, beside all else. That it failed is told by the editor, which fetches it again. */
export function beginEditor(): void {
  const letOthers = comeFirst()
  void fetchEditor().then(letOthers, letOthers)
}
