import { pageRoute, type NavLabel, type PageRoute } from '../../lib/page-route.ts'
import { beginEditor } from '../../ui/editor/fetch-editor.ts'
import { TEMPLATE_PATHS } from './template-paths.ts'

/** One page for each type: they differ in what they edit. */
function templateRoute<const Path extends string>(
  path: Path,
  title: NavLabel,
): PageRoute<Path, 'catalogue' | 'revisions' | 'template' | 'create' | 'rename' | 'order'> {
  return pageRoute({
    path,
    title,
    texts: ['subscription-templates', 'template-catalogue', 'revisions'],
    search: ['catalogue', 'revisions', 'template', 'create', 'rename', 'order'],
    page: () => import('./template-page.tsx'),
    begin: beginEditor,
  })
}

export const xrayJsonRoute = templateRoute(TEMPLATE_PATHS.XRAY_JSON, 'templateXrayJson')
export const mihomoRoute = templateRoute(TEMPLATE_PATHS.MIHOMO, 'templateMihomo')
export const singBoxLegacyRoute = templateRoute(TEMPLATE_PATHS.SINGBOX_LEGACY, 'templateSingBoxLegacy')
export const singBoxRoute = templateRoute(TEMPLATE_PATHS.SINGBOX, 'templateSingBox')
export const stashRoute = templateRoute(TEMPLATE_PATHS.STASH, 'templateStash')
export const clashRoute = templateRoute(TEMPLATE_PATHS.CLASH, 'templateClash')
