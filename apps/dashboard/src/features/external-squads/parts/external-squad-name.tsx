import { useQuery } from '@tanstack/react-query'
import { TextCell } from '../../../ui/rows/cells.tsx'
import { externalSquadsQuery } from '../external-squads.queries.ts'

/** The name of a user's external squad, or that there is none. */
export function ExternalSquadName({ uuid }: { uuid: string | null }) {
  const squads = useQuery({ ...externalSquadsQuery(), enabled: uuid !== null })
  return <TextCell text={squads.data?.externalSquads.find((squad) => squad.uuid === uuid)?.name ?? null} />
}
