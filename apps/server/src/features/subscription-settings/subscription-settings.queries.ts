import type { Input, updateSubscriptionSettings } from '@causeway/contract'
import { defaultSubscriptionSettings } from '@causeway/subscription'
import type { Db } from '../../db/driver/connect.ts'
import { asSent, editColumns } from '../../db/edit-columns.ts'

export type StoredSettings = Awaited<ReturnType<typeof readSettings>>

type SettingsEdit = Omit<Input<typeof updateSubscriptionSettings>, 'uuid' | 'reason' | 'customRemarks'>

/** The columns that an edit of the settings sets. */
export const settingsColumns = editColumns<'subscriptionSettings', SettingsEdit>({
  profileTitle: asSent,
  supportLink: asSent,
  profileUpdateInterval: asSent,
  isProfileWebpageUrlEnabled: asSent,
  serveJsonAtBaseSubscription: asSent,
  addUsernameToBaseSubscription: asSent,
  isShowCustomRemarks: asSent,
  happAnnounce: asSent,
  happRouting: asSent,
  expiredUsersRemarks: (lines) => JSON.stringify(lines),
  limitedUsersRemarks: (lines) => JSON.stringify(lines),
  disabledUsersRemarks: (lines) => JSON.stringify(lines),
  customResponseHeaders: (headers) => JSON.stringify(headers),
  randomizeHosts: asSent,
  responseRules: (rules) => (rules === null ? null : JSON.stringify(rules)),
  hwidSettings: (limit) => (limit === null ? null : JSON.stringify(limit)),
  emptyHostsRemarks: (lines) => JSON.stringify(lines),
  emptySquadsRemarks: (lines) => JSON.stringify(lines),
  hwidExceededRemarks: (lines) => JSON.stringify(lines),
  hwidMissingRemarks: (lines) => JSON.stringify(lines),
})

/** The one row of settings. A new panel gets it at the first read. */
export async function readSettings(db: Db) {
  const settings = await db.selectFrom('subscriptionSettings').selectAll().executeTakeFirst()
  if (settings) return settings
  const { expiredUsersRemarks, limitedUsersRemarks, disabledUsersRemarks, customResponseHeaders, ...plain } =
    defaultSubscriptionSettings
  await db
    .insertInto('subscriptionSettings')
    .values({
      ...plain,
      expiredUsersRemarks: JSON.stringify(expiredUsersRemarks),
      limitedUsersRemarks: JSON.stringify(limitedUsersRemarks),
      disabledUsersRemarks: JSON.stringify(disabledUsersRemarks),
      customResponseHeaders: JSON.stringify(customResponseHeaders),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.selectFrom('subscriptionSettings').selectAll().executeTakeFirstOrThrow()
}
