import { setup } from '../../apps/server/test/postgres.ts'

/** One PostgreSQL with a migrated template for the databases of servers from the checkout. */
export default function prepare(): Promise<() => Promise<void>> {
  return setup()
}
