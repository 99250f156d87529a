import {
  isHostAddress,
  isIpAddress,
  type CallInput,
  type createNode,
  type Inbound,
  type Node,
  type planChange,
  type updateNode,
  type NodeIp,
} from '@causeway/contract'
import type { TFunction } from 'i18next'
import { isSameList, isSameSet } from '../../api/edit-merge.ts'
import { defineForm, type FormOf, type WireFields } from '../../api/form-table.ts'
import type { Change } from '../../api/use-edit-form.ts'
import { countryName } from '../../lib/countries.ts'
import { bytesToGib, GIB_RULE, gibToBytes } from '../../lib/numbers/bytes.ts'
import { numberOf, PORT_RULE, type NumberEntry, type NumberRule } from '../../lib/numbers/number-entry.ts'

export type CreateNodeBody = CallInput<typeof createNode>
export type UpdateNodeBody = CallInput<typeof updateNode>

type NodeWire = WireFields<UpdateNodeBody, 'uuid'>

/** Values that the form holds in another shape than the wire. */
interface OwnShapes {
  port: NumberEntry
  /** GiB. */
  trafficLimitBytes: NumberEntry
  trafficResetDay: NumberEntry
  notifyPercent: NumberEntry
  providerUuid: string | null
  note: string
  ips: readonly NodeIp[]
  activePluginUuid: string | null
  /** One value: inbounds mean nothing without their profile. */
  configProfile: { uuid: string | null; inbounds: readonly Inbound[] }
}

export type NodeForm = FormOf<NodeWire, OwnShapes>

/** Texts and formats that labels of the fields need. */
export interface NodeWords {
  t: TFunction<['nodes', 'ui']>
  language: string
  numberProblem: (entry: NumberEntry, rule: NumberRule) => string | null
  providerName: (uuid: string | null) => string | undefined
  pluginName: (uuid: string | null) => string | undefined
}

const DEFAULT_PORT = 2222

/** Bounds of the number fields. */
export const NUMBER_RULES = {
  port: PORT_RULE,
  trafficLimitBytes: GIB_RULE,
  trafficResetDay: { decimals: 0, min: 1, max: 31 },
  notifyPercent: { decimals: 0, min: 0, max: 100, units: ['%', '٪'] },
} as const satisfies { [Name in keyof NodeForm]?: NumberRule }

const isSameInbounds = isSameSet(({ uuid }: Inbound) => uuid)

export const nodeForm = defineForm<NodeForm, NodeWire, Node, NodeWords>({
  name: {
    label: ({ t }) => t('field.name'),
    empty: () => '',
    fromEntity: (node) => node.name,
    toWire: (name) => name.trim(),
    check: (name, { t }) => (name.trim() === '' ? t('problem.name') : null),
  },
  countryCode: {
    label: ({ t }) => t('field.country'),
    empty: () => 'XX',
    fromEntity: (node) => node.countryCode,
    toWire: (code) => code,
    inWords: (code, { language }) => countryName(code, language),
  },
  address: {
    label: ({ t }) => t('field.address'),
    empty: () => '',
    fromEntity: (node) => node.address,
    toWire: (address) => address.trim(),
    check: (address, { t }) => {
      if (address.trim() === '') return t('problem.address')
      return isHostAddress(address.trim()) ? null : t('problem.addressUnusable')
    },
  },
  port: {
    label: ({ t }) => t('field.port'),
    empty: () => DEFAULT_PORT,
    fromEntity: (node) => node.port ?? '',
    toWire: (port) => numberOf(port),
    check: (port, { t, numberProblem }) => (port === '' ? t('problem.port') : numberProblem(port, NUMBER_RULES.port)),
  },
  providerUuid: {
    label: ({ t }) => t('field.provider'),
    empty: () => null,
    fromEntity: (node) => node.providerUuid,
    toWire: (uuid) => uuid,
    inWords: (uuid, { providerName }) => providerName(uuid) ?? '–',
  },
  activePluginUuid: {
    label: ({ t }) => t('field.plugin'),
    empty: () => null,
    fromEntity: (node) => node.activePluginUuid ?? null,
    toWire: (uuid) => uuid,
    inWords: (uuid, { pluginName }) => pluginName(uuid) ?? '–',
  },
  tags: {
    label: ({ t }) => t('field.tags'),
    empty: () => [],
    fromEntity: (node) => node.tags ?? [],
    toWire: (tags) => tags,
    isSame: isSameList,
    inWords: (tags) => tags.join(', ') || '–',
  },
  note: {
    label: ({ t }) => t('field.note'),
    empty: () => '',
    fromEntity: (node) => node.note ?? '',
    toWire: (note) => note.trim() || null,
  },
  ips: {
    label: ({ t }) => t('field.ips'),
    empty: () => [],
    fromEntity: (node) => node.ips ?? [],
    // A row that was added and not filled is none.
    toWire: (ips) => ips.filter(({ ip }) => ip !== ''),
    isSame: (one, other) => JSON.stringify(one) === JSON.stringify(other),
    inWords: (ips) => ips.map(({ ip }) => ip).join(', ') || '–',
    check: (ips, { t }) => {
      const wrong = ips.find(({ ip }) => ip !== '' && !isIpAddress(ip))
      return wrong === undefined ? null : t('problem.ip', { ip: wrong.ip })
    },
  },
  configProfile: {
    label: ({ t }) => t('section.config'),
    empty: () => ({ uuid: null, inbounds: [] }),
    fromEntity: ({ configProfile }) => ({
      uuid: configProfile.activeConfigProfileUuid,
      inbounds: configProfile.activeInbounds,
    }),
    toWire: ({ uuid, inbounds }) =>
      uuid === null ? undefined : { activeConfigProfileUuid: uuid, activeInbounds: inbounds.map((inbound) => inbound.uuid) },
    isSame: (one, other) => one.uuid === other.uuid && isSameInbounds(one.inbounds, other.inbounds),
    inWords: ({ inbounds }) => inbounds.map(({ tag }) => tag).join(', ') || '–',
    check: ({ uuid }, { t }) => (uuid === null ? t('problem.configProfile') : null),
  },
  isTrafficTrackingActive: {
    label: ({ t }) => t('field.tracking'),
    empty: () => false,
    fromEntity: (node) => node.isTrafficTrackingActive,
    toWire: (isActive) => isActive,
  },
  trafficLimitBytes: {
    label: ({ t }) => t('field.limit'),
    empty: () => 0,
    // Limits set through the API need not be whole GiB.
    fromEntity: (node) => Number(bytesToGib(node.trafficLimitBytes ?? 0).toFixed(3)),
    toWire: (gib) => gibToBytes(numberOf(gib) ?? 0),
    inWords: (gib) => `${numberOf(gib) ?? 0} GiB`,
    check: whileTracking('trafficLimitBytes'),
  },
  trafficResetDay: {
    label: ({ t }) => t('field.resetDay'),
    empty: () => 1,
    fromEntity: (node) => node.trafficResetDay ?? 1,
    toWire: (day) => numberOf(day) ?? 1,
    check: whileTracking('trafficResetDay'),
  },
  notifyPercent: {
    label: ({ t }) => t('field.notify'),
    empty: () => 0,
    fromEntity: (node) => node.notifyPercent ?? 0,
    toWire: (percent) => numberOf(percent) ?? 0,
    inWords: (percent) => `${numberOf(percent) ?? 0} %`,
    check: whileTracking('notifyPercent'),
  },
  consumptionMultiplier: {
    label: ({ t }) => t('field.multiplier'),
    empty: () => 1,
    fromEntity: (node) => node.consumptionMultiplier,
    toWire: (multiplier) => multiplier,
    inWords: (multiplier) => `${multiplier}×`,
  },
})

/** Numbers of traffic tracking are hidden while it is off, and then are as the server has them. */
function whileTracking(name: keyof typeof NUMBER_RULES) {
  return (entry: NumberEntry, { t, numberProblem }: NodeWords, form: NodeForm): string | null => {
    if (!form.isTrafficTrackingActive) return null
    return entry === '' ? t('ui:number.missing') : numberProblem(entry, NUMBER_RULES[name])
  }
}

/** Undefined while no config profile is chosen. */
export function toCreateBody(form: NodeForm): CreateNodeBody | undefined {
  const { name, address, configProfile, ...others } = nodeForm.toWire(form)
  if (name === undefined || address === undefined || configProfile === undefined) return undefined
  return { name, address, configProfile, ...others }
}

/** Only changed fields. A limit that was not touched keeps its exact bytes. */
export function toNodePatch(uuid: string, { values, changed }: Pick<Change<NodeForm>, 'values' | 'changed'>): UpdateNodeBody {
  return { uuid, ...nodeForm.toWire(values, changed) }
}

/** What of a change cuts connections or takes a node away from users; undefined where nothing does. */
export function toNodePlan(uuid: string, { values, changed }: Change<NodeForm>): CallInput<typeof planChange> | undefined {
  const { uuid: profileUuid, inbounds } = values.configProfile
  const isOfCore = changed.has('configProfile') && profileUuid !== null
  const isMoved = changed.has('address') || changed.has('port')
  if (!isOfCore && !isMoved) return undefined
  return {
    saveNode: {
      uuid,
      ...(isOfCore ? { profileUuid, inbounds: inbounds.map((inbound) => inbound.uuid) } : {}),
      ...(isMoved ? { address: values.address.trim(), port: numberOf(values.port) ?? null } : {}),
    },
  }
}
