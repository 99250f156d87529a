import type { CallInput, createNode, Inbound, Node, planChange, updateNode } from '@causeway/contract'
import type { Change } from '../../api/use-edit-form.ts'
import { bytesToGib, GIB_RULE, gibToBytes } from '../../lib/numbers/bytes.ts'
import { numberOf, PORT_RULE, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'

export type NodeForm = {
  name: string
  address: string
  port: NumberEntry
  countryCode: string
  isTrafficTrackingActive: boolean
  trafficLimitGib: NumberEntry
  trafficResetDay: NumberEntry
  notifyPercent: NumberEntry
  consumptionMultiplier: number
  providerUuid: string | null
  /** One value: inbounds mean nothing without their profile. */
  configProfile: { uuid: string | null; inbounds: readonly Inbound[] }
}

export type CreateNodeBody = CallInput<typeof createNode>
export type UpdateNodeBody = CallInput<typeof updateNode>

const DEFAULT_PORT = 2222

/** What may be typed into the fields of numbers. */
export const NUMBER_RULES = {
  port: PORT_RULE,
  trafficLimitGib: GIB_RULE,
  trafficResetDay: { decimals: 0, min: 1, max: 31 },
  notifyPercent: { decimals: 0, min: 0, max: 100, units: ['%', '٪'] },
} as const satisfies { [Name in keyof NodeForm]?: NumberRule }

/** They are sent also while they are out of sight, and then are as the server has them. */
export const TRACKING_NAMES = ['trafficLimitGib', 'trafficResetDay', 'notifyPercent'] as const

export function emptyNodeForm(): NodeForm {
  return {
    name: '',
    address: '',
    port: DEFAULT_PORT,
    countryCode: 'XX',
    isTrafficTrackingActive: false,
    trafficLimitGib: 0,
    trafficResetDay: 1,
    notifyPercent: 0,
    consumptionMultiplier: 1,
    providerUuid: null,
    configProfile: { uuid: null, inbounds: [] },
  }
}

export function toNodeForm(node: Node): NodeForm {
  return {
    name: node.name,
    address: node.address,
    port: node.port ?? '',
    countryCode: node.countryCode,
    isTrafficTrackingActive: node.isTrafficTrackingActive,
    trafficLimitGib: Number(bytesToGib(node.trafficLimitBytes ?? 0).toFixed(3)),
    trafficResetDay: node.trafficResetDay ?? 1,
    notifyPercent: node.notifyPercent ?? 0,
    consumptionMultiplier: node.consumptionMultiplier,
    providerUuid: node.providerUuid,
    configProfile: { uuid: node.configProfile.activeConfigProfileUuid, inbounds: node.configProfile.activeInbounds },
  }
}

/** The whole form: what a new node is made of. */
export function toCreateBody(form: NodeForm): CreateNodeBody | undefined {
  if (form.configProfile.uuid === null) return undefined
  return {
    name: form.name.trim(),
    address: form.address.trim(),
    port: numberOf(form.port),
    countryCode: form.countryCode,
    isTrafficTrackingActive: form.isTrafficTrackingActive,
    trafficLimitBytes: gibToBytes(numberOf(form.trafficLimitGib) ?? 0),
    trafficResetDay: numberOf(form.trafficResetDay) ?? 1,
    notifyPercent: numberOf(form.notifyPercent) ?? 0,
    consumptionMultiplier: form.consumptionMultiplier,
    providerUuid: form.providerUuid,
    configProfile: {
      activeConfigProfileUuid: form.configProfile.uuid,
      activeInbounds: form.configProfile.inbounds.map(({ uuid }) => uuid),
    },
  }
}

/** Where a field of the form goes on the wire. */
const WIRE_NAMES: { [Name in keyof NodeForm]: keyof CreateNodeBody } = {
  name: 'name',
  address: 'address',
  port: 'port',
  countryCode: 'countryCode',
  isTrafficTrackingActive: 'isTrafficTrackingActive',
  trafficLimitGib: 'trafficLimitBytes',
  trafficResetDay: 'trafficResetDay',
  notifyPercent: 'notifyPercent',
  consumptionMultiplier: 'consumptionMultiplier',
  providerUuid: 'providerUuid',
  configProfile: 'configProfile',
}

/** Only what was changed. A limit that was not touched keeps its exact bytes. */
export function toNodePatch(uuid: string, { values, changed }: Pick<Change<NodeForm>, 'values' | 'changed'>): UpdateNodeBody {
  const body = toCreateBody(values)
  const names = new Set([...changed].map((name) => WIRE_NAMES[name] as string))
  return { uuid, ...Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => names.has(name))) }
}

/** What of a change cuts connections or takes a node away from users; undefined where nothing does. */
export function toNodePlan(uuid: string, { values, changed }: Change<NodeForm>): CallInput<typeof planChange> | undefined {
  const { uuid: profileUuid, inbounds } = values.configProfile
  if (!changed.has('configProfile') || profileUuid === null) return undefined
  return { saveNode: { uuid, profileUuid, inbounds: inbounds.map((inbound) => inbound.uuid) } }
}
