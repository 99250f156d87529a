import { isObject, orderSections } from '@causeway/xray'

/** A configuration as it stands in an editor. */
export function profileText(config: string): string {
  const parsed: unknown = JSON.parse(config)
  return JSON.stringify(isObject(parsed) ? orderSections(parsed) : parsed, null, 2)
}

/** A snippet as it stands in an editor. */
export function snippetText(snippet: string): string {
  return JSON.stringify(JSON.parse(snippet), null, 2)
}

/** Members of a configuration that open something. */
const SECRET_MEMBERS = new Set(['privateKey', 'secretKey', 'password', 'pass', 'mldsa65Seed'])

/** The same with its keys and passwords as marks, by which they can be told apart and not be used. */
export function profileTextToShow(config: string, markOf: (secret: string) => string): string {
  const hide = (name: string, value: unknown) =>
    SECRET_MEMBERS.has(name) && typeof value === 'string' && value !== '' ? `hidden (${markOf(value)})` : value
  return profileText(JSON.stringify(JSON.parse(config, hide)))
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
