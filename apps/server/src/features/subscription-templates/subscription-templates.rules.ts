import type { TemplateType } from '@causeway/contract'

/**
 * Templates are written out for everybody who fetches: a text of this size still costs a few thousandths of a second. Real
 * ones have a few thousand characters.
 */
export const MAX_TEMPLATE_CHARACTERS = 250_000

/** Which of the two contents a type has; the other is null. */
export function contentKind(type: TemplateType): 'yaml' | 'json' {
  switch (type) {
    case 'MIHOMO':
    case 'STASH':
    case 'CLASH':
      return 'yaml'
    case 'XRAY_JSON':
    case 'SINGBOX':
    case 'SINGBOX_LEGACY':
      return 'json'
  }
}

export function toTemplate<T extends { templateYaml: string | null }>({ templateYaml, ...template }: T) {
  return {
    ...template,
    encodedTemplateYaml: templateYaml === null ? null : Buffer.from(templateYaml, 'utf8').toString('base64'),
  }
}
