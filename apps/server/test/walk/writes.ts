import type { Writes } from './declared.ts'
import { adminWrites } from './writes/admins.ts'
import { authWrites, jobWrites } from './writes/auth.ts'
import { backupWrites } from './writes/backups.ts'
import { bulkUserWrites } from './writes/bulk-users.ts'
import { configProfileWrites } from './writes/config-profiles.ts'
import { externalSquadWrites } from './writes/external-squads.ts'
import { geoFileWrites } from './writes/geo-files.ts'
import { historyWrites } from './writes/history.ts'
import { hostWrites } from './writes/hosts.ts'
import { infraBillingWrites } from './writes/infra-billing.ts'
import { internalSquadWrites } from './writes/internal-squads.ts'
import { moveInWrites } from './writes/move-in.ts'
import { nodePluginWrites } from './writes/node-plugins.ts'
import { nodeWrites } from './writes/nodes.ts'
import { secondFactorWrites } from './writes/second-factor.ts'
import { settingsWrites } from './writes/settings.ts'
import { snippetWrites } from './writes/snippets.ts'
import { subscriptionWrites } from './writes/subscriptions.ts'
import { userWrites } from './writes/users.ts'
import { noticeWrites } from './writes/notices.ts'
import { webhookWrites } from './writes/webhooks.ts'

export const writes = {
  ...adminWrites,
  ...authWrites,
  ...backupWrites,
  ...bulkUserWrites,
  ...configProfileWrites,
  ...externalSquadWrites,
  ...geoFileWrites,
  ...historyWrites,
  ...hostWrites,
  ...infraBillingWrites,
  ...internalSquadWrites,
  ...jobWrites,
  ...moveInWrites,
  ...nodePluginWrites,
  ...nodeWrites,
  ...secondFactorWrites,
  ...settingsWrites,
  ...snippetWrites,
  ...subscriptionWrites,
  ...userWrites,
  ...noticeWrites,
  ...webhookWrites,
} satisfies Writes
