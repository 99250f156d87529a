import { useQuery } from '@tanstack/react-query'
import { installationQuery } from '../installation.queries.ts'

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone whose days the installation counts; nothing until it is known. Where it cannot be read, the reader's own. */
export function useTimeZone(): string | undefined {
  const { data, isError } = useQuery({ ...installationQuery(), meta: {} })
  return data?.timeZone ?? (isError ? OWN_ZONE : undefined)
}
