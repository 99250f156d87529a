import { defaultSubscriptionSettings } from '@causeway/subscription'
import type { Db } from '../../db/driver/connect.ts'

export type StoredSettings = Awaited<ReturnType<typeof readSettings>>

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
