import { useQuery } from '@tanstack/react-query'
import { ownZone } from '../../../lib/numbers/formats.ts'
import { installationQuery } from '../installation.queries.ts'

/** The zone whose days the installation counts; nothing until it is known. Where it cannot be read, the reader's own. */
export function useTimeZone(): string | undefined {
  const { data, isError } = useQuery({ ...installationQuery(), meta: {} })
  return data?.timeZone ?? (isError ? ownZone() : undefined)
}
