import type { CallInput, ConfigProfile, createHost, Host, Inbound, updateHost } from '@causeway/contract'

/** The values that a select may send; null means "as the inbound says". */
export const ALPN = ['h3', 'h2', 'http/1.1', 'h2,http/1.1', 'h3,h2,http/1.1', 'h3,h2'] as const
export const FINGERPRINTS = ['chrome', 'firefox', 'safari', 'ios', 'android', 'edge', 'qq', 'random', 'randomized'] as const
export const SECURITY_LAYERS = ['DEFAULT', 'TLS', 'NONE'] as const

export type CreateHostBody = CallInput<typeof createHost>
export type UpdateHostBody = CallInput<typeof updateHost>

export interface HostForm {
  remark: string
  address: string
  /** Number inputs hold an empty text while nothing is entered. */
  port: number | ''
  /** The inverse of the wire's isDisabled. */
  isEnabled: boolean
  inbound: Inbound | null
  securityLayer: (typeof SECURITY_LAYERS)[number]
  sni: string
  host: string
  path: string
  alpn: (typeof ALPN)[number] | null
  fingerprint: (typeof FINGERPRINTS)[number] | null
  serverDescription: string
  xHttpExtraText: string
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
    alpn: ALPN.find((value) => value === host.alpn) ?? null,
    fingerprint: FINGERPRINTS.find((value) => value === host.fingerprint) ?? null,
    serverDescription: host.serverDescription ?? '',
    xHttpExtraText: host.xHttpExtraParams ? JSON.stringify(host.xHttpExtraParams, null, 2) : '',
  }
}

/** Undefined while no inbound is chosen or the port is empty. */
export function toCreateHost(form: HostForm): CreateHostBody | undefined {
  if (form.inbound === null || form.port === '') return undefined
  return { ...plainFields(form), port: form.port, inbound: inboundRef(form.inbound) }
}

/** A host that lost its inbound is edited without naming one. */
export function toHostPatch(form: HostForm, uuid: string): UpdateHostBody {
  return {
    uuid,
    ...plainFields(form),
    ...(form.port === '' ? {} : { port: form.port }),
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
    alpn: form.alpn,
    fingerprint: form.fingerprint,
    serverDescription: form.serverDescription === '' ? null : form.serverDescription,
    xHttpExtraParams: parseExtra(form.xHttpExtraText),
  }
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
    alpn: ALPN.find((value) => value === host.alpn) ?? null,
    fingerprint: FINGERPRINTS.find((value) => value === host.fingerprint) ?? null,
  }
}

function findInbound(profiles: readonly ConfigProfile[], uuid: string | null): Inbound | undefined {
  return profiles.flatMap(({ inbounds }) => inbounds).find((inbound) => inbound.uuid === uuid)
}

/** What XHTTP understands beside its common settings. */
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
