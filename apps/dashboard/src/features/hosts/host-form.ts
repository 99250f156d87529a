import {
  alpn,
  fingerprint,
  mihomoIpVersion,
  type CallInput,
  type ConfigProfile,
  type createHost,
  type Host,
  type Inbound,
  type planChange,
  type updateHost,
} from '@causeway/contract'
import type { TFunction } from 'i18next'
import { isSameList, isSameSet } from '../../api/edit-merge.ts'
import { defineForm, type FormOf, type WireFields } from '../../api/form-table.ts'
import { mapperOf, mapperProblem, mapperText, type MapperText } from './additions/host-mapper.ts'
import { tagsOf } from './hosts.rules.ts'
import type { Change } from '../../api/use-edit-form.ts'
import { numberOf, PORT_RULE, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'

export type CreateHostBody = CallInput<typeof createHost>
export type UpdateHostBody = CallInput<typeof updateHost>

/** Fields of the contract that have no input here: a save leaves them as they are. */
type LeftAlone = 'finalMask' | 'disabledUntil' | 'tag' | 'overrideSniFromAddress' | 'vlessRouteId' | 'muxParams' | 'sockoptParams'
type HostWire = WireFields<UpdateHostBody, 'uuid' | LeftAlone>

/** Values that the form holds in another shape than the wire. */
interface OwnShapes {
  port: NumberEntry
  inbound: Inbound | null
  /** Null: as the inbound says. Hosts from elsewhere may have values that cannot be chosen here. */
  alpn: string | null
  fingerprint: string | null
  /** Text in JSON. */
  xHttpExtraParams: string
  pinnedPeerCertSha256: string
  verifyPeerCertByName: string
  xrayJsonTemplateUuid: string | null
  mihomoIpVersion: string | null
  mapper: MapperText
}

export type HostForm = FormOf<HostWire, OwnShapes>

/** Fills a form. */
export interface HostSource {
  host: Host
  profiles: readonly ConfigProfile[]
}

/** Texts and formats that labels of the fields need. */
export interface HostWords {
  t: TFunction<['hosts', 'ui']>
  numberProblem: (entry: NumberEntry, rule: NumberRule) => string | null
  nodeName: (uuid: string) => string
}

export const hostForm = defineForm<HostForm, HostWire, HostSource, HostWords>({
  isDisabled: {
    label: ({ t }) => t('field.enabled'),
    empty: () => false,
    fromEntity: ({ host }) => host.isDisabled,
    toWire: (isDisabled) => isDisabled,
    inWords: (isDisabled, words) => onOrOff(!isDisabled, words),
  },
  inbound: {
    label: ({ t }) => t('field.inbound'),
    empty: () => null,
    fromEntity: ({ host, profiles }) => findInbound(profiles, host.inbound.configProfileInboundUuid) ?? null,
    // A host that lost its inbound is edited without one.
    toWire: (inbound) =>
      inbound ? { configProfileUuid: inbound.profileUuid, configProfileInboundUuid: inbound.uuid } : undefined,
    isSame: (one, other) => one?.uuid === other?.uuid,
    inWords: (inbound) => inbound?.tag ?? '–',
  },
  remark: {
    label: ({ t }) => t('field.remark'),
    empty: () => '',
    fromEntity: ({ host }) => host.remark,
    toWire: (remark) => remark,
    check: (remark, { t }) => (remark.trim() === '' ? t('problem.remark') : null),
  },
  address: {
    label: ({ t }) => t('field.address'),
    empty: () => '',
    fromEntity: ({ host }) => host.address,
    toWire: (address) => address.trim(),
    check: (address, { t }) => (address.trim() === '' ? t('problem.address') : null),
  },
  port: {
    label: ({ t }) => t('field.port'),
    empty: () => '',
    fromEntity: ({ host }) => host.port,
    toWire: (port) => numberOf(port),
    check: (port, { t, numberProblem }) => (port === '' ? t('problem.port') : numberProblem(port, PORT_RULE)),
  },
  sni: text('sni'),
  host: text('host'),
  path: text('path'),
  securityLayer: {
    label: ({ t }) => t('field.securityLayer'),
    empty: () => 'DEFAULT',
    fromEntity: ({ host }) => host.securityLayer,
    toWire: (layer) => layer,
    inWords: (layer, { t }) => t(`security.${layer}`),
  },
  alpn: {
    label: ({ t }) => t('field.alpn'),
    empty: () => null,
    fromEntity: ({ host }) => host.alpn,
    toWire: (value) => toOption(alpn.options, value),
    inWords: (value, { t }) => value ?? t('asInbound'),
  },
  fingerprint: {
    label: ({ t }) => t('field.fingerprint'),
    empty: () => null,
    fromEntity: ({ host }) => host.fingerprint,
    toWire: (value) => toOption(fingerprint.options, value),
    inWords: (value, { t }) => value ?? t('asInbound'),
  },
  serverDescription: {
    label: ({ t }) => t('field.serverDescription'),
    empty: () => '',
    fromEntity: ({ host }) => host.serverDescription ?? '',
    toWire: (description) => description || null,
  },
  tags: {
    label: ({ t }) => t('field.tags'),
    empty: () => [],
    fromEntity: ({ host }) => tagsOf(host),
    toWire: (tags) => tags,
    isSame: isSameList,
    inWords: (tags) => tags.join(', ') || '–',
  },
  nodes: {
    label: ({ t }) => t('field.nodes'),
    empty: () => [],
    fromEntity: ({ host }) => host.nodes,
    toWire: (uuids) => uuids,
    isSame: isSameSet((uuid) => uuid),
    inWords: (uuids, { nodeName }) => uuids.map(nodeName).join(', '),
  },
  shuffleHost: flag('shuffleHost'),
  mihomoX25519: flag('mihomoX25519'),
  allowInsecure: flag('allowInsecure'),
  xHttpExtraParams: {
    label: ({ t }) => t('extra.open'),
    empty: () => '',
    fromEntity: ({ host }) => (host.xHttpExtraParams ? JSON.stringify(host.xHttpExtraParams, null, 2) : ''),
    toWire: (json) => parseExtra(json),
    check: (json, { t }) => (isJsonText(json) ? null : t('extra.invalid')),
  },
  isHidden: flag('isHidden'),
  keepSniBlank: flag('keepSniBlank'),
  pinnedPeerCertSha256: textOrNull('pinnedPeerCertSha256'),
  verifyPeerCertByName: textOrNull('verifyPeerCertByName'),
  excludedInternalSquads: {
    label: ({ t }) => t('additions.excludedSquads'),
    empty: () => [],
    fromEntity: ({ host }) => host.excludedInternalSquads ?? [],
    toWire: (uuids) => uuids,
    isSame: isSameSet((uuid) => uuid),
    inWords: (uuids) => String(uuids.length),
  },
  excludeFromSubscriptionTypes: {
    label: ({ t }) => t('additions.excludedTypes'),
    empty: () => [],
    fromEntity: ({ host }) => host.excludeFromSubscriptionTypes ?? [],
    toWire: (types) => types,
    isSame: isSameSet((type) => type),
    inWords: (types) => types.join(', ') || '–',
  },
  xrayJsonTemplateUuid: {
    label: ({ t }) => t('additions.jsonTemplate'),
    empty: () => null,
    fromEntity: ({ host }) => host.xrayJsonTemplateUuid ?? null,
    toWire: (uuid) => uuid,
    inWords: (uuid, { t }) => (uuid === null ? t('additions.jsonTemplateNone') : uuid),
  },
  mihomoIpVersion: {
    label: ({ t }) => t('additions.ipVersionLabel'),
    empty: () => null,
    fromEntity: ({ host }) => host.mihomoIpVersion ?? null,
    toWire: (version) => toOption(mihomoIpVersion.options, version),
    inWords: (version) => version ?? '–',
  },
  mapper: {
    label: ({ t }) => t('additions.mapper.open'),
    empty: () => '',
    fromEntity: ({ host }) => mapperText(host.mapper),
    toWire: (mapper) => mapperOf(mapper) ?? {},
    inWords: (mapper) => mapper || '–',
    check: (mapper, { t }) => {
      const problem = mapperProblem(mapper)
      return problem === undefined ? null : t('additions.mapper.invalid', { problem })
    },
  },
})

function text(name: 'sni' | 'host' | 'path') {
  return {
    label: ({ t }: HostWords) => t(`field.${name}`),
    empty: () => '',
    fromEntity: ({ host }: HostSource) => host[name] ?? '',
    toWire: (value: string) => value,
  }
}

type Flag = 'shuffleHost' | 'mihomoX25519' | 'allowInsecure' | 'isHidden' | 'keepSniBlank'

function flag(name: Flag) {
  return {
    label: ({ t }: HostWords) => t(`field.${name}`),
    empty: () => false,
    fromEntity: ({ host }: HostSource) => host[name] ?? false,
    toWire: (isOn: boolean) => isOn,
    inWords: onOrOff,
  }
}

function textOrNull(name: 'pinnedPeerCertSha256' | 'verifyPeerCertByName') {
  return {
    label: ({ t }: HostWords) => t(`field.${name}`),
    empty: () => '',
    fromEntity: ({ host }: HostSource) => host[name] ?? '',
    toWire: (value: string) => value.trim() || null,
  }
}

function onOrOff(isOn: boolean, { t }: HostWords): string {
  return isOn ? t('ui:edited.on') : t('ui:edited.off')
}

/** Undefined while no inbound is chosen or the port is empty. */
export function toCreateHost(form: HostForm): CreateHostBody | undefined {
  const { remark, address, port, inbound, ...others } = hostForm.toWire(form)
  if (remark === undefined || address === undefined || port === undefined || inbound === undefined) return undefined
  return { remark, address, port, inbound, ...others }
}

/** Only changed fields: what this form does not know stays as it is. */
export function toHostPatch(uuid: string, { values, changed }: Pick<Change<HostForm>, 'values' | 'changed'>): UpdateHostBody {
  return { uuid, ...hostForm.toWire(values, changed) }
}

/** The parts of a link. A change may leave apps with links that lead nowhere. */
const LINK_FIELDS = ['address', 'port', 'path', 'host', 'sni', 'securityLayer'] as const

/** The part of a change that may take a host away from users; undefined where nothing does. */
export function toHostPlan(uuid: string, { values, base, changed }: Change<HostForm>): CallInput<typeof planChange> | undefined {
  const isOff = changed.has('isDisabled') && values.isDisabled
  const isMoved = changed.has('inbound') && base.inbound !== null
  const links = LINK_FIELDS.filter((name) => changed.has(name))
  if (!isOff && !isMoved && links.length === 0) return undefined
  const link = hostForm.toWire(values, links)
  return { saveHost: { ...link, uuid, isDisabled: values.isDisabled, inboundUuid: values.inbound?.uuid ?? null } }
}

/** A value that the wire takes; another one can only be kept, by not sending it. */
function toOption<Value extends string>(options: readonly Value[], given: string | null): Value | null {
  return options.find((option) => option === given) ?? null
}

/** An empty text, or one that is not JSON, clears the parameters. */
function parseExtra(text: string): unknown {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return null
  }
}

export function isJsonText(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** A disabled copy with a name of its own; undefined for a host without inbound or profile. */
export function toClone(host: Host, suffix: string): CreateHostBody | undefined {
  const { configProfileUuid, configProfileInboundUuid } = host.inbound
  if (configProfileUuid === null || configProfileInboundUuid === null) return undefined
  return {
    ...host,
    inbound: { configProfileUuid, configProfileInboundUuid },
    remark: `Clone #${suffix}`,
    isDisabled: true,
    path: host.path ?? '',
    sni: host.sni ?? '',
    host: host.host ?? '',
    alpn: toOption(alpn.options, host.alpn),
    fingerprint: toOption(fingerprint.options, host.fingerprint),
    mihomoIpVersion: toOption(mihomoIpVersion.options, host.mihomoIpVersion ?? null),
    mapper: mapperOf(mapperText(host.mapper)) ?? {},
  }
}

function findInbound(profiles: readonly ConfigProfile[], uuid: string | null): Inbound | undefined {
  return profiles.flatMap(({ inbounds }) => inbounds).find((inbound) => inbound.uuid === uuid)
}

/** Settings of XHTTP beside its common ones. */
export const XHTTP_SAMPLE = {
  headers: {},
  xPaddingBytes: '100-1000',
  noGRPCHeader: false,
  scMaxEachPostBytes: 1_000_000,
  scMinPostsIntervalMs: 30,
  scStreamUpServerSecs: '20-80',
  xmux: {
    maxConcurrency: '16-32',
    maxConnections: 0,
    cMaxReuseTimes: 0,
    hMaxRequestTimes: '600-900',
    hMaxReusableSecs: '1800-3000',
    hKeepAlivePeriod: 0,
  },
}
