import type { SubscriptionTemplate, TemplateType } from '@causeway/contract'
import type { CodeLanguage, CodePlace } from '../../ui/editor/code-editor-parts.ts'

const YAML_TYPES: readonly TemplateType[] = ['MIHOMO', 'STASH', 'CLASH']

export function languageOf(type: TemplateType): CodeLanguage {
  return YAML_TYPES.includes(type) ? 'yaml' : 'json'
}

/** As it stands in the editor: YAML as it was written, JSON with two spaces. */
export function toText({ templateType, templateJson, encodedTemplateYaml }: SubscriptionTemplate): string {
  if (languageOf(templateType) === 'json') return JSON.stringify(templateJson ?? {}, null, 2)
  return new TextDecoder().decode(Uint8Array.from(atob(encodedTemplateYaml ?? ''), (character) => character.charCodeAt(0)))
}

/** As the wire wants it. @throws when JSON cannot be read. */
export function toInput(templateType: TemplateType, text: string) {
  if (languageOf(templateType) === 'yaml') return { templateType, encodedTemplateYaml: toBase64(text) }
  return { templateType, templateJson: JSON.parse(text) as Record<string, unknown> } // anything else is the server's to refuse
}

function toBase64(text: string): string {
  const bytes = new TextEncoder().encode(text)
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Which line a sentence of the server speaks of. */
export function placeIn(sentence: string): CodePlace | undefined {
  const [, line, column] = /line (\d+)(?:,? column (\d+))?/.exec(sentence) ?? []
  return line === undefined ? undefined : { line: Number(line), column: Number(column ?? 1) }
}
