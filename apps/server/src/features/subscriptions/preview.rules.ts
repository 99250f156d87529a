import type { Input, previewSubscription } from '@causeway/contract'
import { noAdditions, type SubscriptionHost } from '@causeway/subscription'

export type HostDraft = NonNullable<Input<typeof previewSubscription>['hosts']>[number]

interface HostRow extends Omit<SubscriptionHost, 'inbound' | 'tags'> {
  tag: string | null
  tags: string[]
  disabledUntil: Date | null
  id: number
  configProfileId: number | null
  configProfileInboundId: number | null
}

/** Rows of hosts as they would be with these changes; new ones stand behind all others, as they do when they are made. */
export function withDrafts(
  rows: readonly HostRow[],
  drafts: readonly HostDraft[],
  inbounds: readonly { id: number; uuid: string }[],
  newUuid: () => string,
): HostRow[] {
  const changed = new Map(
    drafts.flatMap((draft) => (draft.uuid === undefined ? [] : [[draft.uuid.toLowerCase(), draft] as const])),
  )
  const known = new Set(rows.map(({ uuid }) => uuid))
  const stored = rows.map((row) => laidOver(row, changed.get(row.uuid), inbounds))
  const made = drafts
    .filter(({ uuid }) => uuid === undefined || !known.has(uuid.toLowerCase()))
    .map((draft) => laidOver({ ...emptyRow, uuid: newUuid() }, draft, inbounds))
  return [...stored, ...made]
}

function laidOver(row: HostRow, draft: HostDraft | undefined, inbounds: readonly { id: number; uuid: string }[]): HostRow {
  if (!draft) return row
  const { uuid: _uuid, inbound, nodes: _nodes, ...fields } = draft
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
  if (!inbound) return { ...row, ...given }
  const found = inbounds.find(({ uuid }) => uuid === inbound.configProfileInboundUuid.toLowerCase())
  return { ...row, ...given, configProfileInboundId: found?.id ?? null }
}

const emptyRow: Omit<HostRow, 'uuid'> = {
  id: 0,
  viewPosition: Number.MAX_SAFE_INTEGER,
  remark: '',
  address: '',
  port: 443,
  path: null,
  sni: null,
  host: null,
  alpn: null,
  fingerprint: null,
  isDisabled: false,
  securityLayer: 'DEFAULT',
  xHttpExtraParams: null,
  muxParams: null,
  sockoptParams: null,
  configProfileId: null,
  configProfileInboundId: null,
  serverDescription: null,
  tag: null,
  tags: [],
  isHidden: false,
  overrideSniFromAddress: false,
  vlessRouteId: null,
  shuffleHost: false,
  mihomoX25519: false,
  allowInsecure: false,
  ...noAdditions,
  excludedInternalSquads: [],
  excludeFromSubscriptionTypes: [],
  disabledUntil: null,
}
