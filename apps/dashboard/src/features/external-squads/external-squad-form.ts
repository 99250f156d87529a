import {
  templateType,
  updateExternalSquad,
  type CallInput,
  type ExternalSquad,
  type SquadRemarks,
  type TemplateType,
} from '@causeway/contract'
import type { Change } from '../../api/use-edit-form.ts'
import { numberOf, type NumberEntry } from '../../lib/numbers/number-entry.ts'

// The parts of an external squad as fields of its form. Lists are texts with one entry a line.

const SQUAD_PARTS = ['templates', 'settings', 'hosts', 'headers', 'devices', 'remarks', 'page'] as const
export type SquadPart = (typeof SQUAD_PARTS)[number]

/** The parts of a squad that replace something. */
export function overriddenParts(squad: ExternalSquad): SquadPart[] {
  const is: Record<SquadPart, boolean> = {
    templates: squad.templates.length > 0,
    settings: squad.subscriptionSettings !== null,
    hosts: squad.hostOverrides !== null,
    headers: Object.keys(squad.responseHeadersAdd).length > 0 || squad.responseHeadersRemove.length > 0,
    devices: squad.hwidSettings !== null,
    remarks: squad.customRemarks !== null,
    page: squad.subpageConfigUuid !== null,
  }
  return SQUAD_PARTS.filter((part) => is[part])
}

/** Empty: as the installation has it. */
export type Choice = '' | 'true' | 'false'
export const SQUAD_SWITCHES = ['serveJsonAtBaseSubscription', 'isShowCustomRemarks', 'randomizeHosts'] as const
export const REMARKS = [
  'expiredUsers',
  'limitedUsers',
  'disabledUsers',
  'emptyHosts',
  'HWIDMaxDevicesExceeded',
  'HWIDNotSupported',
] as const
export const TEMPLATE_TYPES = templateType.options.filter((type) => type !== 'SINGBOX_LEGACY')

type TemplateField = `template:${TemplateType}`
type RemarkField = `remark:${(typeof REMARKS)[number]}`

export type SquadForm = Record<TemplateField | RemarkField, string> &
  Record<(typeof SQUAD_SWITCHES)[number], Choice> & {
    serverDescription: string
    vlessRouteId: NumberEntry
    headersAdd: string
    headersRemove: string
    hasDevices: boolean
    isLimited: boolean
    deviceLimit: NumberEntry
    deviceAnnounce: string
    hasRemarks: boolean
    page: string
  }

const choice = (value: boolean | undefined): Choice => (value === undefined ? '' : value ? 'true' : 'false')
const lines = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function toSquadForm(squad: ExternalSquad): SquadForm {
  const { subscriptionSettings: settings, hostOverrides: hosts, hwidSettings: devices, customRemarks: remarks } = squad
  const templates = TEMPLATE_TYPES.map((type) => [
    `template:${type}`,
    squad.templates.find((chosen) => chosen.templateType === type)?.templateUuid ?? '',
  ])
  const texts = REMARKS.map((name) => [`remark:${name}`, (remarks?.[name] ?? []).join('\n')])
  return {
    ...(Object.fromEntries([...templates, ...texts]) as Record<TemplateField | RemarkField, string>), // one for each name
    serveJsonAtBaseSubscription: choice(settings?.serveJsonAtBaseSubscription),
    isShowCustomRemarks: choice(settings?.isShowCustomRemarks),
    randomizeHosts: choice(settings?.randomizeHosts),
    serverDescription: hosts?.serverDescription ?? '',
    vlessRouteId: hosts?.vlessRouteId ?? '',
    headersAdd: Object.entries(squad.responseHeadersAdd)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    headersRemove: squad.responseHeadersRemove.join('\n'),
    hasDevices: devices !== null,
    isLimited: devices?.enabled ?? true,
    deviceLimit: devices?.fallbackDeviceLimit ?? 3,
    deviceAnnounce: devices?.maxDevicesAnnounce ?? '',
    hasRemarks: remarks !== null,
    page: squad.subpageConfigUuid ?? '',
  }
}

/** A line of the added headers that is no pair of a name and a value. */
export function brokenHeader(text: string): string | undefined {
  return lines(text).find((line) => !/^[A-Za-z0-9_-]+\s*:/.test(line))
}

const REMARKS_NEEDED: readonly string[] = ['expiredUsers', 'limitedUsers', 'disabledUsers', 'emptyHosts']

/** Remarks replace those of the installation as a whole: of these names each needs a line. */
export function missingRemarks(form: SquadForm): string[] {
  return form.hasRemarks ? REMARKS_NEEDED.filter((name) => lines(form[`remark:${name}` as RemarkField]).length === 0) : []
}

type Edit = Omit<CallInput<typeof updateExternalSquad>, 'uuid'>

/** Only the parts in which something was changed. Members of the settings that this form does not know stay. */
export function toSquadPatch(squad: ExternalSquad, { values, changed }: Change<SquadForm>): Edit {
  const isChanged = (...names: (keyof SquadForm)[]) => names.some((name) => changed.has(name))
  const edit: Edit = {}
  if (isChanged(...TEMPLATE_TYPES.map((type): TemplateField => `template:${type}`)))
    edit.templates = [
      // Templates of types that this form does not show stay.
      ...squad.templates.filter((chosen) => !TEMPLATE_TYPES.some((type) => type === chosen.templateType)),
      ...TEMPLATE_TYPES.flatMap((type) => {
        const templateUuid = values[`template:${type}`]
        return templateUuid === '' ? [] : [{ templateType: type, templateUuid }]
      }),
    ]
  if (isChanged(...SQUAD_SWITCHES)) {
    const others = Object.entries(squad.subscriptionSettings ?? {}).filter(
      ([name]) => !SQUAD_SWITCHES.some((known) => known === name),
    )
    const chosen = SQUAD_SWITCHES.flatMap((name) => (values[name] === '' ? [] : [[name, values[name] === 'true'] as const]))
    edit.subscriptionSettings = Object.fromEntries([...others, ...chosen])
  }
  if (isChanged('serverDescription', 'vlessRouteId')) {
    const route = numberOf(values.vlessRouteId)
    edit.hostOverrides = {
      ...(values.serverDescription.trim() === '' ? {} : { serverDescription: values.serverDescription.trim() }),
      ...(route === undefined ? {} : { vlessRouteId: route }),
    }
  }
  if (isChanged('headersAdd'))
    edit.responseHeadersAdd = Object.fromEntries(
      lines(values.headersAdd).map((line) => {
        const [name = '', ...rest] = line.split(':')
        return [name.trim(), rest.join(':').trim()]
      }),
    )
  if (isChanged('headersRemove')) edit.responseHeadersRemove = lines(values.headersRemove)
  if (isChanged('hasDevices', 'isLimited', 'deviceLimit', 'deviceAnnounce'))
    edit.hwidSettings = values.hasDevices
      ? {
          enabled: values.isLimited,
          fallbackDeviceLimit: numberOf(values.deviceLimit) ?? 0,
          maxDevicesAnnounce: values.deviceAnnounce.trim() || null,
        }
      : null
  if (isChanged('hasRemarks', ...REMARKS.map((name): RemarkField => `remark:${name}`)))
    edit.customRemarks = values.hasRemarks ? remarksOf(squad, values) : null
  if (isChanged('page')) edit.subpageConfigUuid = values.page || null
  return edit
}

function remarksOf({ customRemarks }: ExternalSquad, values: SquadForm): SquadRemarks {
  const given = REMARKS.flatMap((name) => {
    const texts = lines(values[`remark:${name}`])
    return texts.length === 0 ? [] : [[name, texts] as const]
  })
  const { emptyInternalSquads } = customRemarks ?? {}
  const kept = emptyInternalSquads === undefined ? {} : { emptyInternalSquads }
  return { ...kept, ...Object.fromEntries(given) } as SquadRemarks // those needed are there, as missingRemarks() says
}
