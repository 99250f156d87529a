import {
  laterPageConfig,
  pluginConfig,
  sharedList,
  squadHostOverrides,
  squadHwidSettings,
  squadRemarks,
  squadSettings,
  templateType,
} from '@causeway/contract'
import type { z } from 'zod'
import type { Line, LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { existing, existingOne, noneKnown, ofKind, uuidsOf, type Known, type SmallTables } from './fleet.ts'
import { inOrder } from './inbounds.ts'
import { times } from './settings.ts'
import { headersAt } from './subscription-settings.ts'

// Contents of later versions that users, nodes and profiles refer to.

/** Snippets, lists, plugins, page configurations and external squads, each before what refers to it. */
export function translateShared(
  tables: SmallTables,
  settings: readonly Line[],
  findings: Findings,
): { lines: Line[]; known: Known } {
  const rows = (table: string) => inOrder(tables.get(table) ?? [])
  const templates = new Set(settings.flatMap((line) => (line.kind === 'subscriptionTemplate' ? [line.uuid] : [])))
  const plugins = rows('node_plugin').map((row, place) => pluginLine(row, place + 1, findings))
  const pages = rows('subscription_page_config').flatMap((row, place) => pageLine(row, place + 1, findings))
  const templatesBySquad = Map.groupBy(tables.get('external_squads_templates') ?? [], (row) => row['external_squad_uuid'] ?? '')
  const squads = rows('external_squads').map((row, place) =>
    squadLine(
      row,
      place + 1,
      { templates: templatesBySquad.get(row['uuid'] ?? '') ?? [], known: templates, pages: uuidsOf(pages) },
      findings,
    ),
  )
  return {
    lines: [
      ...ofKind('pageConfig', pages),
      ...ofKind('externalSquad', squads),
      ...ofKind(
        'snippet',
        rows('config_profile_snippets').map((row) => snippetLine(row, findings)),
      ),
      ...ofKind(
        'sharedList',
        rows('shared_lists').flatMap((row) => listLine(row, findings)),
      ),
      ...ofKind('nodePlugin', plugins),
    ],
    known: { ...noneKnown(), templates, plugins: uuidsOf(plugins), externalSquads: uuidsOf(squads) },
  }
}

function snippetLine(row: SourceRow, findings: Findings): LineOf<'snippet'> {
  const cells = new Cells(row, findings, `snippet ${row['name']}`)
  return { name: cells.text('name'), snippet: cells.json('snippet') ?? [], createdAt: cells.instant('created_at') }
}

/** A value that the schema takes; otherwise none, which is noted. */
function fitting<T extends z.ZodType>(schema: T, value: unknown, what: string, findings: Findings): z.output<T> | null {
  if (value === null) return null
  const { data, error } = schema.safeParse(value)
  const [issue] = error?.issues ?? []
  if (issue) findings.note('notCarried', [what, [issue.path.join('.'), issue.message].filter(Boolean).join(' ')].join(': '))
  return data ?? null
}

function listLine(row: SourceRow, findings: Findings): LineOf<'sharedList'>[] {
  const what = `list ${row['name']}`
  const cells = new Cells(row, findings, what)
  const list = fitting(sharedList, { name: cells.text('name'), config: cells.json('config') }, what, findings)
  if (!list) return []
  const { name, config } = list
  if (config.type === 'ipList') return [{ name, items: config.items, ...times(cells) }]
  findings.note('notCarried', `${what}, which has numbers of autonomous systems`)
  return []
}

function pluginLine(row: SourceRow, viewPosition: number, findings: Findings): LineOf<'nodePlugin'> {
  const what = `node plugin ${row['name']}`
  const cells = new Cells(row, findings, what)
  return {
    uuid: cells.text('uuid'),
    name: cells.text('name'),
    config: fitting(pluginConfig, cells.json('plugin_config'), what, findings),
    viewPosition,
    tags: cells.list('tags'),
    ...times(cells),
  }
}

function pageLine(row: SourceRow, viewPosition: number, findings: Findings): LineOf<'pageConfig'>[] {
  const what = `page configuration ${row['name']}`
  const cells = new Cells(row, findings, what)
  const config = fitting(laterPageConfig, cells.json('config') ?? {}, what, findings)
  if (config === null) return []
  const [uuid, name] = [cells.text('uuid'), cells.text('name')]
  return [{ uuid, name, config, viewPosition, tags: cells.list('tags'), ...times(cells) }]
}

interface Named {
  templates: SourceRow[]
  known: Set<string>
  pages: Set<string>
}

function squadLine(row: SourceRow, viewPosition: number, named: Named, findings: Findings): LineOf<'externalSquad'> {
  const what = `external squad ${row['name']}`
  const cells = new Cells(row, findings, what)
  const part = <T extends z.ZodType>(schema: T, column: string) =>
    fitting(schema, cells.json(column), `${what}, ${column}`, findings)
  const templates = named.templates.flatMap((each) => {
    const type = templateType.safeParse(each['template_type']).data
    const [template] = existing([each['template_uuid'] ?? ''], named.known, what, findings)
    return type && template !== undefined ? [{ templateType: type, template }] : []
  })
  return {
    uuid: cells.text('uuid'),
    name: cells.text('name'),
    templates,
    subscriptionSettings: part(squadSettings, 'subscription_settings'),
    hostOverrides: part(squadHostOverrides, 'host_overrides'),
    // Up to 2.8 those that are added.
    responseHeadersAdd: headersAt(cells, cells.has('response_headers') ? 'response_headers' : 'response_headers_add') ?? {},
    responseHeadersRemove: cells.list('response_headers_remove'),
    hwidSettings: part(squadHwidSettings, 'hwid_settings'),
    customRemarks: part(squadRemarks, 'custom_remarks'),
    pageConfig: existingOne(cells.maybeText('subpage_config_uuid'), named.pages, what, findings),
    viewPosition,
    tags: cells.list('tags'),
    ...times(cells),
  }
}
