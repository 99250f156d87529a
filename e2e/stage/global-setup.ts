import { setup } from '../../apps/server/test/postgres.ts'
import { buildDashboard } from '../../scripts/build-dashboard.ts'

/** Before all end-to-end tests: a built dashboard, and one PostgreSQL with a migrated template for the servers' databases. */
export default async function prepare(): Promise<() => Promise<void>> {
  // KEEP_DASHBOARD=1 tests against the dashboard that was built last, whatever its sources are now.
  if (process.env['KEEP_DASHBOARD'] !== '1') await buildDashboard()
  return setup()
}
