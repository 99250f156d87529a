import type { TemplateType } from '@causeway/contract'

/**
 * Templates are rendered for every fetch: a text of this size still costs milliseconds. Real ones have a few thousand
 * characters.
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

/** The template of this name among those of a type. Names are compared exactly, as response rules write them. */
export function templateNamed<T extends { templateType: TemplateType; name: string }>(
  templates: readonly T[],
  type: TemplateType,
  name: string,
): T | undefined {
  return templates.find((template) => template.templateType === type && template.name === name)
}

export function toTemplate<T extends { templateYaml: string | null }>({ templateYaml, ...template }: T) {
  return {
    ...template,
    encodedTemplateYaml: templateYaml === null ? null : Buffer.from(templateYaml, 'utf8').toString('base64'),
  }
}

interface Draft {
  templateType: TemplateType
  templateJson?: unknown
  encodedTemplateYaml?: string | undefined
}

/** The field whose content this type does not have: a caller that sends it means something that would not happen. */
export function misplacedField({ templateType, templateJson, encodedTemplateYaml }: Draft): string | undefined {
  if (contentKind(templateType) === 'yaml') return templateJson === undefined ? undefined : 'templateJson'
  return encodedTemplateYaml ? 'encodedTemplateYaml' : undefined
}

/** What is said of it. */
export function misplacedText({ templateType }: Draft): string {
  const field = contentKind(templateType) === 'yaml' ? 'encodedTemplateYaml' : 'templateJson'
  return `is not the content of a ${templateType} template, which is in ${field}`
}

/** The parts of a new template; undefined when none that its type has is given. */
export function draftSource(draft: Draft) {
  const { templateType, templateJson, encodedTemplateYaml } = draft
  if (contentKind(templateType) === 'json') return templateJson ? { templateYaml: null, templateJson } : undefined
  if (!encodedTemplateYaml) return undefined
  return { templateYaml: Buffer.from(encodedTemplateYaml, 'base64').toString('utf8'), templateJson: null }
}
