import { templateType, type TemplateType } from '@causeway/contract'

/** The page of each type. */
export const TEMPLATE_PATHS = {
  XRAY_JSON: '/templates/xray-json',
  MIHOMO: '/templates/mihomo',
  SINGBOX_LEGACY: '/templates/sg-legacy',
  SINGBOX: '/templates/singbox',
  STASH: '/templates/stash',
  CLASH: '/templates/clash',
} as const satisfies Record<TemplateType, string>

const TYPES = new Map<string, TemplateType>(templateType.options.map((type) => [TEMPLATE_PATHS[type], type]))

/** Which template the page at this address edits. */
export function templateTypeAt(pathname: string): TemplateType | undefined {
  return TYPES.get(pathname.replace(/^\/dashboard/, '').replace(/\/$/, ''))
}
