import type { SquadHostOverrides, SquadHwidSettings, SquadRemarks, SquadSettings, TemplateType } from '@causeway/contract'

/** What members of an external squad get in place of the settings of the installation. */
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
