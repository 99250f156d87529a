import type * as api from '@causeway/contract'
import { errors, type Input } from '@causeway/contract'
import {
  hostMapperProblems,
  hostProxies,
  noAdditions,
  prepareHost,
  type Subscriber,
  type SubscriptionHost,
} from '@causeway/subscription'
import type { Db, Tx } from '../../db/driver/connect.ts'
import { fail, refuseField } from '../../http/errors.ts'
import { publicKey } from '../../lib/keys/public-key.ts'
import { findInboundOf, hasJsonTemplate, listSources } from './additions.queries.ts'

/** Stands for a user: no step can take over what is theirs. */
const SAMPLE: Subscriber = {
  shortUuid: 'sample',
  username: 'sample_user',
  status: 'ACTIVE',
  usedTrafficBytes: 0,
  lifetimeUsedTrafficBytes: 0,
  trafficLimitBytes: 0,
  trafficLimitStrategy: 'NO_RESET',
  expireAt: new Date('2099-01-01T00:00:00Z'),
  tag: null,
  email: null,
  telegramId: null,
  id: 0,
  description: null,
  hwidDeviceLimit: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  lastTrafficResetAt: null,
  vlessUuid: '00000000-0000-4000-8000-000000000000',
  trojanPassword: 'sample-password',
  ssPassword: 'sample-password',
}

type Additions = Pick<Input<typeof api.updateHost>, 'mapper' | 'xrayJsonTemplateUuid'>

/** Refuses steps that cannot be done to these hosts as they are now, and a template that is none of their kind. */
export async function refuseAdditions(
  tx: Tx,
  uuids: readonly string[],
  { mapper, xrayJsonTemplateUuid }: Additions,
): Promise<void> {
  if (xrayJsonTemplateUuid && !(await hasJsonTemplate(tx, xrayJsonTemplateUuid)))
    refuseField('xrayJsonTemplateUuid', 'must be the uuid of a template of the type XRAY_JSON')
  if (mapper === undefined) return
  for (const source of await listSources(tx, uuids)) {
    const host = prepareHost(source, publicKey)
    const [problem] = host ? hostMapperProblems(host, SAMPLE) : []
    if (problem) refuseField(`mapper.${problem.client}.${problem.step}.${problem.field}`, problem.message)
  }
}

/** Proxies of a host that is being edited. @throws configProfileNotFound, configProfileInboundNotFoundInSpecifiedProfile */
export async function previewMapper(db: Db, { inbound: at, ...fields }: Input<typeof api.previewHostMapper>) {
  const inbound = (await findInboundOf(db, at)) ?? fail(errors.configProfileInboundNotFoundInSpecifiedProfile)
  const host = prepareHost({ ...plainHost, ...withoutUndefined(fields), inbound }, publicKey)
  if (!host) return { problems: [], xrayJson: null, mihomo: null, singbox: null, base64: null }
  return { problems: hostMapperProblems(host, SAMPLE), ...hostProxies(host, SAMPLE) }
}

const plainHost: Omit<SubscriptionHost, 'inbound' | 'remark' | 'address' | 'port'> = {
  uuid: SAMPLE.vlessUuid,
  viewPosition: 0,
  path: null,
  sni: null,
  host: null,
  alpn: null,
  fingerprint: null,
  isDisabled: false,
  isHidden: false,
  securityLayer: 'DEFAULT',
  xHttpExtraParams: null,
  muxParams: null,
  sockoptParams: null,
  serverDescription: null,
  tags: [],
  overrideSniFromAddress: false,
  vlessRouteId: null,
  shuffleHost: false,
  mihomoX25519: false,
  allowInsecure: false,
  ...noAdditions,
}

/** Without members that are undefined, which would take the place of known ones. */
function withoutUndefined<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof T]: Exclude<T[Name], undefined> } // the same members
}
