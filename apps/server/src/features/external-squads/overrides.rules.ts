import type {
  ExternalSquadEdit,
  SquadHostOverrides,
  SquadHwidSettings,
  SquadRemarks,
  SquadSettings,
  TemplateType,
} from '@causeway/contract'

/** Settings of the members of an external squad, in place of those of the installation. */
export interface SquadOverrides {
  uuid: string
  templates: readonly { templateType: TemplateType; templateUuid: string }[]
  subscriptionSettings: SquadSettings | null
  hostOverrides: SquadHostOverrides | null
  responseHeadersAdd: Record<string, string>
  responseHeadersRemove: string[]
  hwidSettings: SquadHwidSettings | null
  customRemarks: SquadRemarks | null
  subpageConfigUuid: string | null
}

/** The overrides that an edit sets. Parts without a member replace nothing, and are stored as none. Undefined parts stay. */
export function editedParts(edit: Omit<ExternalSquadEdit, 'name' | 'templates'>) {
  const { responseHeaders, subscriptionSettings, hostOverrides, hwidSettings, customRemarks } = edit
  return {
    subscriptionSettings: orNone(subscriptionSettings),
    hostOverrides: orNone(hostOverrides),
    hwidSettings: orNone(hwidSettings),
    customRemarks: orNone(customRemarks),
    responseHeadersAdd: edit.responseHeadersAdd ?? (responseHeaders === null ? {} : responseHeaders),
    responseHeadersRemove: edit.responseHeadersRemove,
    subpageConfigUuid: edit.subpageConfigUuid,
  }
}

function orNone<Part extends object>(part: Part | null | undefined): Part | null | undefined {
  return part && Object.keys(part).length === 0 ? null : part
}

interface Settings {
  expiredUsersRemarks: string[]
  limitedUsersRemarks: string[]
  disabledUsersRemarks: string[]
}

/** The settings with those of the squad in their place: single settings by member, remarks as a whole. */
export function effectiveSettings<S extends Settings>(
  settings: S,
  { subscriptionSettings, customRemarks }: Pick<SquadOverrides, 'subscriptionSettings' | 'customRemarks'>,
): S & { emptyHostsRemarks?: readonly string[]; emptySquadsRemarks?: readonly string[] } {
  const remarks = customRemarks && {
    expiredUsersRemarks: customRemarks.expiredUsers,
    limitedUsersRemarks: customRemarks.limitedUsers,
    disabledUsersRemarks: customRemarks.disabledUsers,
    emptyHostsRemarks: customRemarks.emptyHosts,
    emptySquadsRemarks: customRemarks.emptyInternalSquads ?? customRemarks.emptyHosts,
  }
  return { ...settings, ...subscriptionSettings, ...remarks }
}

/** A host as members see it. Absent and empty members leave it as it is. */
export function overriddenHost<H extends { serverDescription: string | null; vlessRouteId: number | null }>(
  host: H,
  { serverDescription, vlessRouteId }: SquadHostOverrides,
): H {
  return {
    ...host,
    ...(serverDescription ? { serverDescription } : {}),
    ...(vlessRouteId === undefined || vlessRouteId === null ? {} : { vlessRouteId }),
  }
}
