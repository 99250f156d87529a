import type { CallInput, createNode, Inbound, Node, updateNode } from '@causeway/contract'
import { bytesToGib, gibToBytes } from '../../lib/bytes.ts'

export interface NodeForm {
  name: string
  address: string
  /** Number inputs hold an empty text while nothing is entered. */
  port: number | ''
  countryCode: string
  isTrafficTrackingActive: boolean
  trafficLimitGib: number | ''
  trafficResetDay: number | ''
  notifyPercent: number | ''
  consumptionMultiplier: number
  activeConfigProfileUuid: string | null
  activeInbounds: readonly Inbound[]
}

export type CreateNodeBody = CallInput<typeof createNode>
export type UpdateNodeBody = CallInput<typeof updateNode>

const DEFAULT_PORT = 2222

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
    activeConfigProfileUuid: null,
    activeInbounds: [],
  }
}

export function toNodeForm(node: Node): NodeForm {
  return {
    name: node.name,
    address: node.address,
    port: node.port ?? '',
    countryCode: node.countryCode,
    isTrafficTrackingActive: node.isTrafficTrackingActive,
    trafficLimitGib: Math.round(bytesToGib(node.trafficLimitBytes ?? 0) * 100) / 100,
    trafficResetDay: node.trafficResetDay ?? 1,
    notifyPercent: node.notifyPercent ?? 0,
    consumptionMultiplier: node.consumptionMultiplier,
    activeConfigProfileUuid: node.configProfile.activeConfigProfileUuid,
    activeInbounds: node.configProfile.activeInbounds,
  }
}

/** The whole form: what a new node is made of. */
export function toCreateBody(form: NodeForm): CreateNodeBody | undefined {
  if (form.activeConfigProfileUuid === null) return undefined
  return {
    name: form.name.trim(),
    address: form.address.trim(),
    port: form.port === '' ? undefined : form.port,
    countryCode: form.countryCode,
    isTrafficTrackingActive: form.isTrafficTrackingActive,
    trafficLimitBytes: gibToBytes(form.trafficLimitGib === '' ? 0 : form.trafficLimitGib),
    trafficResetDay: form.trafficResetDay === '' ? 1 : form.trafficResetDay,
    notifyPercent: form.notifyPercent === '' ? 0 : form.notifyPercent,
    consumptionMultiplier: form.consumptionMultiplier,
    configProfile: {
      activeConfigProfileUuid: form.activeConfigProfileUuid,
      activeInbounds: form.activeInbounds.map(({ uuid }) => uuid),
    },
  }
}

/** What differs from the node. A limit that was not touched keeps its exact bytes. */
export function toNodePatch(form: NodeForm, node: Node): UpdateNodeBody {
  const body = toCreateBody(form)
  const before = toCreateBody(toNodeForm(node))
  const patch: UpdateNodeBody = { uuid: node.uuid }
  if (body === undefined) return patch
  return { ...patch, ...changedFields(body, before) }
}

function changedFields(body: CreateNodeBody, before: CreateNodeBody | undefined): Partial<CreateNodeBody> {
  const same = (name: keyof CreateNodeBody) => JSON.stringify(body[name]) === JSON.stringify(before?.[name])
  return Object.fromEntries(Object.entries(body).filter(([name]) => !same(name as keyof CreateNodeBody))) // entries of body itself
}
