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

/** What a template would be made of; undefined when nothing is given that this type has. */
export function draftSource(draft: {
  templateType: TemplateType
  templateJson?: unknown
  encodedTemplateYaml?: string | undefined
}) {
  const { templateType, templateJson, encodedTemplateYaml } = draft
  if (contentKind(templateType) === 'json') return templateJson ? { templateYaml: null, templateJson } : undefined
  if (!encodedTemplateYaml) return undefined
  return { templateYaml: Buffer.from(encodedTemplateYaml, 'base64').toString('utf8'), templateJson: null }
}
