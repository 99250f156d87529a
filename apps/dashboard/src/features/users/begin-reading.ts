import type { QueryClient } from '@tanstack/react-query'
import { viewAt } from '../../ui/table/use-address-view.ts'
import { systemStatsQuery } from '../home/home.queries.ts'
import { USERS_COLUMN_IDS, usersTableKept } from './table/users-columns.tsx'
import { usersTableQuery } from './users.queries.ts'

/** Asks for the rows while the frame is still being drawn, so that the table is drawn with them. The page reads the same. */
export function beginReading(client: QueryClient, search: Record<string, unknown>): void {
  void client.prefetchQuery(usersTableQuery(viewAt(search, usersTableKept), USERS_COLUMN_IDS, false))
  void client.prefetchQuery(systemStatsQuery())
}
