import { setup } from '../../apps/server/test/postgres.ts'
import { buildDashboard } from '../../scripts/build-dashboard.ts'
import { endLeftPrograms } from './processes.ts'

/** Before all end-to-end tests: a built dashboard, and one PostgreSQL with a migrated template for the servers' databases. */
export default async function prepare(): Promise<() => Promise<void>> {
  endLeftPrograms()
  await buildDashboard()
  return setup()
}
