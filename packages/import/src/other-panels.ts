import { objectAt, type XrayObject } from '@causeway/xray'
import type { LineOf } from './archive/kinds.ts'

// Panels of another kind than the 2.x one keep less of users and hosts; what they lack is made, or stays unset.

/** Clock and randomness for a translation, as packages have neither. */
export interface Making {
  now: string
  newUuid: () => string
  /** A text for a link or password. */
  newText: () => string
}

export const MAX_REMARK = 40

export const UNSET_USER = {
  extraTrafficBytes: 0,
  email: null,
  firstConnectedAt: null,
  lastConnectedNode: null,
  lastTrafficResetAt: null,
  lastTriggeredThreshold: 0,
  subLastOpenedAt: null,
  externalSquad: null,
} satisfies Partial<LineOf<'user'>>

/** Members of hosts of later generations, without effect until they are set. */
const UNSET_ADDITIONS = {
  keepSniBlank: false,
  xrayJsonTemplate: null,
  excludedSquads: [],
  excludedTypes: [],
  finalMask: null,
  pinnedPeerCertSha256: null,
  verifyPeerCertByName: null,
  mihomoIpVersion: null,
  mapper: {},
} satisfies Partial<LineOf<'host'>>

export const UNSET_HOST = {
  ...UNSET_ADDITIONS,
  xHttpExtraParams: null,
  muxParams: null,
  sockoptParams: null,
  serverDescription: null,
  tags: [],
  isHidden: false,
  overrideSniFromAddress: false,
  vlessRouteId: null,
  shuffleHost: false,
  mihomoX25519: false,
  nodes: [],
} satisfies Partial<LineOf<'host'>>

/** The inbound with users that have no flow, as its clients were given none. */
export function withoutFlow(inbound: XrayObject): XrayObject {
  return { ...inbound, settings: { ...objectAt(inbound, 'settings'), flow: '' } }
}
