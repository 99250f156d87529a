import {
  alpn,
  fingerprint,
  type CallInput,
  type ConfigProfile,
  type createHost,
  type Host,
  type Inbound,
  type planChange,
  type updateHost,
} from '@causeway/contract'
import type { Change } from '../../api/use-edit-form.ts'
import { numberOf, type NumberEntry } from '../../lib/numbers/number-entry.ts'

export type CreateHostBody = CallInput<typeof createHost>
export type UpdateHostBody = CallInput<typeof updateHost>

export type HostForm = {
  remark: string
  address: string
  port: NumberEntry
  /** The inverse of the wire's isDisabled. */
  isEnabled: boolean
  inbound: Inbound | null
  securityLayer: Host['securityLayer']
  sni: string
  host: string
  path: string
  /** Null: as the inbound says. Hosts from elsewhere may have values that cannot be chosen here. */
  alpn: string | null
  fingerprint: string | null
  serverDescription: string
  xHttpExtraText: string
  shuffleHost: boolean
  mihomoX25519: boolean
  allowInsecure: boolean
  /** Uuids of the nodes that are meant to serve the host. */
  nodes: string[]
}

export function emptyHostForm(): HostForm {
  return {
    remark: '',
    address: '',
    port: '',
    isEnabled: true,
    inbound: null,
    securityLayer: 'DEFAULT',
    sni: '',
    host: '',
    path: '',
    alpn: null,
    fingerprint: null,
    serverDescription: '',
    xHttpExtraText: '',
    shuffleHost: false,
    mihomoX25519: false,
    allowInsecure: false,
    nodes: [],
  }
}

export function toHostForm(host: Host, profiles: readonly ConfigProfile[]): HostForm {
  return {
    remark: host.remark,
    address: host.address,
    port: host.port,
    isEnabled: !host.isDisabled,
    inbound: findInbound(profiles, host.inbound.configProfileInboundUuid) ?? null,
    securityLayer: host.securityLayer,
    sni: host.sni ?? '',
    host: host.host ?? '',
    path: host.path ?? '',
    alpn: host.alpn,
    fingerprint: host.fingerprint,
    serverDescription: host.serverDescription ?? '',
    xHttpExtraText: host.xHttpExtraParams ? JSON.stringify(host.xHttpExtraParams, null, 2) : '',
    shuffleHost: host.shuffleHost,
    mihomoX25519: host.mihomoX25519,
    allowInsecure: host.allowInsecure,
    nodes: host.nodes,
  }
}

/** Undefined while no inbound is chosen or the port is empty. */
export function toCreateHost(form: HostForm): CreateHostBody | undefined {
  const port = numberOf(form.port)
  if (form.inbound === null || port === undefined) return undefined
  return { ...plainFields(form), port, inbound: inboundRef(form.inbound) }
}

/** Where a field of the form goes on the wire. */
const WIRE_NAMES: { [Name in keyof HostForm]: keyof CreateHostBody } = {
  remark: 'remark',
  address: 'address',
  port: 'port',
  isEnabled: 'isDisabled',
  inbound: 'inbound',
  securityLayer: 'securityLayer',
  sni: 'sni',
  host: 'host',
  path: 'path',
  alpn: 'alpn',
  fingerprint: 'fingerprint',
  serverDescription: 'serverDescription',
  xHttpExtraText: 'xHttpExtraParams',
  shuffleHost: 'shuffleHost',
  mihomoX25519: 'mihomoX25519',
  allowInsecure: 'allowInsecure',
  nodes: 'nodes',
}

/** Only what was changed: what this form does not know stays as it is. A host that lost its inbound is edited without one. */
export function toHostPatch(uuid: string, { values, changed }: Pick<Change<HostForm>, 'values' | 'changed'>): UpdateHostBody {
  const body = toHostBody(values)
  const names = new Set([...changed].map((name) => WIRE_NAMES[name] as string))
  return { uuid, ...Object.fromEntries(Object.entries(body).filter(([name]) => names.has(name))) }
}

/** The part of a change that may take a host away from users; undefined where nothing does. */
export function toHostPlan(uuid: string, { values, base, changed }: Change<HostForm>): CallInput<typeof planChange> | undefined {
  const isOff = changed.has('isEnabled') && !values.isEnabled
  const isMoved = changed.has('inbound') && base.inbound !== null
  if (!isOff && !isMoved) return undefined
  return { saveHost: { uuid, isDisabled: !values.isEnabled, inboundUuid: values.inbound?.uuid ?? null } }
}

/** The filled values of the form. */
export function toHostBody(form: HostForm): Partial<CreateHostBody> {
  const port = numberOf(form.port)
  return {
    ...plainFields(form),
    ...(port === undefined ? {} : { port }),
    ...(form.inbound === null ? {} : { inbound: inboundRef(form.inbound) }),
  }
}

function plainFields(form: HostForm) {
  return {
    remark: form.remark,
    address: form.address.trim(),
    isDisabled: !form.isEnabled,
    securityLayer: form.securityLayer,
    sni: form.sni,
    host: form.host,
    path: form.path,
    alpn: choosable(alpn.options, form.alpn),
    fingerprint: choosable(fingerprint.options, form.fingerprint),
    serverDescription: form.serverDescription === '' ? null : form.serverDescription,
    xHttpExtraParams: parseExtra(form.xHttpExtraText),
    shuffleHost: form.shuffleHost,
    mihomoX25519: form.mihomoX25519,
    allowInsecure: form.allowInsecure,
    nodes: form.nodes,
  }
}

/** A value that the wire takes; another one can only be kept, by not sending it. */
function choosable<Value extends string>(options: readonly Value[], given: string | null): Value | null {
  return options.find((option) => option === given) ?? null
}

function inboundRef(inbound: Inbound) {
  return { configProfileUuid: inbound.profileUuid, configProfileInboundUuid: inbound.uuid }
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
    alpn: choosable(alpn.options, host.alpn),
    fingerprint: choosable(fingerprint.options, host.fingerprint),
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
