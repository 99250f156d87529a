import type { Ctx } from './ctx.ts'
import { signInJobs } from './features/auth/auth.jobs.ts'
import { backupsJobs } from './features/backups/backups.jobs.ts'
import { bulkUsersJobs } from './features/bulk-users/bulk-users.jobs.ts'
import { resetsJobs } from './features/bulk-users/resets.jobs.ts'
import { certificatesJobs } from './features/fleet/certificates.jobs.ts'
import { clockJobs } from './features/clock/clock.jobs.ts'
import { domainEventsJobs } from './features/domain-events/domain-events.jobs.ts'
import { connectionsJobs } from './features/connections/connections.jobs.ts'
import { closingRuleJobs } from './features/closing-rule/closing-rule.jobs.ts'
import { startFleet } from './features/fleet/fleet.jobs.ts'
import { hostsJobs } from './features/hosts/hosts.jobs.ts'
import { usageHistoryJobs } from './features/usage-history/usage-history.jobs.ts'
import { externalMembersJobs } from './features/external-squads/external-members.jobs.ts'
import { membersJobs } from './features/internal-squads/members.jobs.ts'
import { noticesJobs } from './features/notices/notices.jobs.ts'
import { startNotices } from './features/notices/worker.actions.ts'
import { nodeTrafficJobs } from './features/nodes/node-traffic.jobs.ts'
import { nodesJobs } from './features/nodes/nodes.jobs.ts'
import { retentionJobs } from './features/retention/retention.jobs.ts'
import { rolloutsJobs } from './features/rollouts/rollouts.jobs.ts'
import { usageJobs } from './features/traffic/traffic.jobs.ts'
import { topUsersJobs } from './features/usage/top-users.jobs.ts'
import { undoJobs } from './features/undo/undo.jobs.ts'
import { userImportJobs } from './features/user-import/user-import.jobs.ts'
import { usersJobs } from './features/users/users.jobs.ts'
import type { Registered } from './jobs/kinds.ts'
import { startWebhooks } from './features/webhooks/worker.actions.ts'
import { startRunner } from './jobs/runner.ts'

/** Every kind of job and everything that recurs, as features register them. */
export const registered: Registered = {
  kinds: [
    ...bulkUsersJobs,
    ...resetsJobs.kinds,
    ...membersJobs,
    ...externalMembersJobs,
    ...nodesJobs,
    ...rolloutsJobs,
    ...closingRuleJobs.kinds,
    ...undoJobs,
    ...backupsJobs.kinds,
    ...userImportJobs,
  ],
  recurring: [
    ...usersJobs,
    ...resetsJobs.recurring,
    ...hostsJobs,
    ...backupsJobs.recurring,
    ...nodeTrafficJobs,
    ...usageJobs,
    ...topUsersJobs,
    ...signInJobs,
    ...certificatesJobs,
    ...closingRuleJobs.recurring,
    ...usageHistoryJobs,
    ...clockJobs,
    ...retentionJobs,
    ...domainEventsJobs,
    ...connectionsJobs,
    ...noticesJobs,
  ],
}

/**
 * Starts background jobs. Nodes are not served by jobs: each has a loop under its lease, which waits for answers
 * every few seconds (decision 013).
 */
export async function startJobs(ctx: Ctx): Promise<{ stop(): Promise<void> }> {
  const fleet = startFleet(ctx)
  const runner = await startRunner(ctx, registered)
  const webhooks = await startWebhooks(ctx)
  const notices = await startNotices(ctx)
  return { stop: async () => void (await Promise.all([runner.stop(), fleet.stop(), webhooks.stop(), notices.stop()])) }
}
