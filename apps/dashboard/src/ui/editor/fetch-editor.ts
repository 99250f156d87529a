import { languageNow } from '../../lib/languages.ts'
import { comeFirst } from '../../lib/when-idle.ts'

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

/**
 * Starts the download on navigation to such a page, in parallel with everything else. The editor reports a failure
 * and fetches again.
 */
export function beginEditor(): void {
  const letOthers = comeFirst()
  void fetchEditor().then(letOthers, letOthers)
}
