import { canonicalJson, deriveInbounds, inboundsOf, isObject, type InboundRecord, type XrayObject } from '@causeway/xray'
import type { LineOf } from '../archive/kinds.ts'
import { Cells } from '../cells.ts'
import type { SourceRow } from '../copy-text.ts'
import type { Findings } from '../findings.ts'
import { takeName } from '../free-names.ts'

// Profiles with their inbounds. The source makes the records from the profiles at each of its starts, and so does this.

export interface ProfileLines {
  profiles: LineOf<'profile'>[]
  inbounds: LineOf<'inbound'>[]
}

/** Profiles in the order of their making; inbounds follow theirs. */
export function translateProfiles(profileRows: SourceRow[], inboundRows: SourceRow[], findings: Findings): ProfileLines {
  const lines: ProfileLines = { profiles: [], inbounds: [] }
  const tags = new Set<string>()
  const rowsByProfile = Map.groupBy(inboundRows, (row) => row['profile_uuid'])
  for (const row of inOrder(profileRows)) {
    const cells = new Cells(row, findings, `profile ${row['name']}`)
    const [uuid, name] = [cells.text('uuid'), cells.text('name')]
    const config = cells.json('config')
    const records = (rowsByProfile.get(uuid) ?? []).map((each) => recordOf(each, uuid, findings))
    const renamed = renameTakenTags({ name, config, records }, tags, findings)
    lines.profiles.push({
      uuid,
      name,
      config: renamed.config,
      viewPosition: lines.profiles.length + 1,
      tags: cells.list('tags'),
      createdAt: cells.instant('created_at'),
      updatedAt: cells.instant('updated_at'),
    })
    lines.inbounds.push(...refreshed(uuid, name, renamed, findings))
    rowsByProfile.delete(uuid)
  }
  for (const row of [...rowsByProfile.values()].flat())
    findings.note('missingReference', `inbound ${row['tag']} of a missing profile is left out`)
  return lines
}

/** The oldest first, as the source lists them; a position that an administrator gave counts before. */
export function inOrder(rows: SourceRow[]): SourceRow[] {
  const key = (row: SourceRow) => `${(row['view_position'] ?? '').padStart(12, '0')} ${row['created_at']} ${row['uuid']}`
  return rows.toSorted((one, other) => (key(one) < key(other) ? -1 : 1))
}

function recordOf(row: SourceRow, profile: string, findings: Findings): LineOf<'inbound'> {
  const cells = new Cells(row, findings, `inbound ${row['tag']}`)
  return {
    uuid: cells.text('uuid'),
    profile,
    tag: cells.text('tag'),
    type: cells.text('type'),
    network: cells.maybeText('network'),
    security: cells.maybeText('security'),
    port: cells.maybeWhole('port', { min: 0, max: 65_535 }),
    rawInbound: cells.json('raw_inbound'),
  }
}

interface Profile {
  name: string
  config: unknown
  records: LineOf<'inbound'>[]
}

function renameTakenTags({ name, config, records }: Profile, tags: Set<string>, findings: Findings): Profile {
  let changed = config
  const ownTags = new Set<string>()
  const named = records.map((record) => {
    const { tag } = record
    const isTwiceHere = ownTags.has(tag)
    ownTags.add(tag)
    const next = takeName(tag, tags)
    if (next === tag) return record
    findings.note('tagTwice', `inbound ${tag} of the profile ${name} becomes ${next}`)
    changed = withRenamedTag(changed, tag, next, isTwiceHere)
    return { ...record, tag: next }
  })
  return { name, config: changed, records: named }
}

/** Of two inbounds of one profile the second is renamed, and routing rules stay with the first. */
function withRenamedTag(config: unknown, from: string, to: string, isSecond: boolean): unknown {
  if (!isObject(config)) return config
  const at = inboundsOf(config).map((inbound) => inbound['tag'])
  const place = isSecond ? at.lastIndexOf(from) : at.indexOf(from)
  const inbounds = inboundsOf(config).map((inbound, index) => (index === place ? { ...inbound, tag: to } : inbound))
  return isSecond ? { ...config, inbounds } : { ...config, inbounds, ...withRenamedRules(config, from, to) }
}

function withRenamedRules({ routing }: XrayObject, from: string, to: string): XrayObject {
  if (!isObject(routing) || !Array.isArray(routing['rules'])) return {}
  const rename = (tag: unknown) => (tag === from ? to : tag)
  const rules = routing['rules'].map((rule: unknown) => {
    if (!isObject(rule) || rule['inboundTag'] === undefined) return rule
    const tags: unknown = rule['inboundTag']
    return { ...rule, inboundTag: Array.isArray(tags) ? tags.map(rename) : rename(tags) }
  })
  return { routing: { ...routing, rules } }
}

function refreshed(uuid: string, name: string, { config, records }: Profile, findings: Findings): LineOf<'inbound'>[] {
  const derived = new Map(derive(config).map((inbound) => [inbound.tag, inbound]))
  const lines = records.map((record) => {
    const inbound = derived.get(record.tag)
    if (inbound?.type !== record.type) {
      findings.note('inboundWithoutProfile', `inbound ${record.tag} of the profile ${name}`)
      return record
    }
    derived.delete(record.tag)
    const { rawInbound, ...columns } = inbound
    // A tag that was just renamed is no difference.
    const stored = isObject(record.rawInbound) ? { ...record.rawInbound, tag: record.tag } : record.rawInbound
    if (canonicalJson(stored) !== canonicalJson(rawInbound))
      findings.note('staleInbound', `inbound ${record.tag} of the profile ${name}`)
    return { ...record, ...columns, rawInbound }
  })
  for (const { rawInbound, ...columns } of derived.values()) {
    findings.note('inboundWithoutRecord', `inbound ${columns.tag} of the profile ${name}`)
    lines.push({ profile: uuid, ...columns, rawInbound })
  }
  return lines
}

function derive(config: unknown): InboundRecord[] {
  return isObject(config) ? deriveInbounds(config) : []
}
