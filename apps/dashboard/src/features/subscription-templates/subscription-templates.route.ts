import type { TemplateType } from '@causeway/contract'
import { pageRoute, type NavLabel, type PageRoute } from '../../lib/page-route.ts'

/** One page for each type: they differ in what they edit. */
function templateRoute<const Path extends string>(path: Path, title: NavLabel): PageRoute<Path, 'catalogue' | 'history'> {
  return pageRoute({
    path,
    title,
    texts: ['subscription-templates', 'template-catalogue'],
    search: ['catalogue', 'history'],
    page: () => import('./template-page.tsx'),
  })
}

export const xrayJsonRoute = templateRoute('/templates/xray-json', 'templateXrayJson')
export const mihomoRoute = templateRoute('/templates/mihomo', 'templateMihomo')
export const singBoxLegacyRoute = templateRoute('/templates/sg-legacy', 'templateSingBoxLegacy')
export const singBoxRoute = templateRoute('/templates/singbox', 'templateSingBox')
export const stashRoute = templateRoute('/templates/stash', 'templateStash')
export const clashRoute = templateRoute('/templates/clash', 'templateClash')

const TYPES: Readonly<Record<string, TemplateType>> = {
  [xrayJsonRoute.path]: 'XRAY_JSON',
  [mihomoRoute.path]: 'MIHOMO',
  [singBoxLegacyRoute.path]: 'SINGBOX_LEGACY',
  [singBoxRoute.path]: 'SINGBOX',
  [stashRoute.path]: 'STASH',
  [clashRoute.path]: 'CLASH',
}

/** Which template the page at this address edits. */
export function templateTypeAt(pathname: string): TemplateType | undefined {
  return TYPES[pathname.replace(/^\/dashboard/, '').replace(/\/$/, '')]
}
