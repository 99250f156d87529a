import { isObject, orderSections } from '@causeway/xray'

/** A configuration as it stands in an editor. */
export function profileText(config: string): string {
  const parsed: unknown = JSON.parse(config)
  return JSON.stringify(isObject(parsed) ? orderSections(parsed) : parsed, null, 2)
}

/** A template as it stands in an editor. */
export function templateText({
  templateYaml,
  templateJson,
}: {
  templateYaml?: unknown
  templateJson?: unknown
}): string | undefined {
  if (typeof templateYaml === 'string') return templateYaml
  return typeof templateJson === 'string' ? JSON.stringify(JSON.parse(templateJson), null, 2) : undefined
}
