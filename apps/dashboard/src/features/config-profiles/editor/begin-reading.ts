import type { QueryClient } from '@tanstack/react-query'
import { configProfileQuery, schemaQuery } from '../config-profiles.queries.ts'

/** Asks for what the editor shows while its code is still being fetched. The page reads the same. */
export function beginReading(client: QueryClient, uuid: string): void {
  void client.prefetchQuery(configProfileQuery(uuid))
  void client.prefetchQuery(schemaQuery())
}
