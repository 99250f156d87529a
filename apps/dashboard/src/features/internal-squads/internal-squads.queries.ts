import {
  addUsersToInternalSquad,
  changeUsers,
  createInternalSquad,
  deleteInternalSquad,
  getInternalSquad,
  listInternalSquads,
  removeUsersFromInternalSquad,
  reorderInternalSquads,
  updateInternalSquad,
  type InternalSquad,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const internalSquadsQuery = () => apiQuery(listInternalSquads, {}, { staleTime: seconds(5), refetchInterval: seconds(30) })
export const internalSquadQuery = (uuid: string) =>
  apiQuery(getInternalSquad, { uuid }, { refetchInterval: seconds(30), quiet: true })

export function useCreateInternalSquad(options: {
  onCreated: (squad: InternalSquad) => void
  onFailure: (error: Error) => void
}) {
  const { t } = useTranslation('internal-squads')
  return useApiMutation(createInternalSquad, {
    success: t('created'),
    result: ({ name }) => name,
    refreshes: [listInternalSquads],
    onReply: (squad, _, client) => {
      client.setQueryData(internalSquadQuery(squad.uuid).queryKey, squad)
      options.onCreated(squad)
    },
    onFailure: options.onFailure,
  })
}

export function useUpdateInternalSquad({ onFailure }: { onFailure?: (error: Error) => void } = {}) {
  const { t } = useTranslation('internal-squads')
  return useApiMutation(updateInternalSquad, {
    success: t('updated'),
    result: ({ name }) => name,
    refreshes: [listInternalSquads],
    onReply: (squad, _, client) => client.setQueryData(internalSquadQuery(squad.uuid).queryKey, squad),
    ...(onFailure ? { onFailure, quiet: true } : {}),
  })
}

export function useDeleteInternalSquad() {
  const { t } = useTranslation('internal-squads')
  return useApiMutation(deleteInternalSquad, { isUndoable: true, success: t('deleted'), refreshes: [listInternalSquads] })
}

/** The job's progress is what the card counts, so that the toast names the change and not the queue. */
export function useAddAllUsers({ name }: InternalSquad) {
  const { t } = useTranslation('internal-squads')
  const task = { title: t('task.title'), pending: t('task.pending'), queued: t('task.adding', { name }) }
  return useApiMutation(addUsersToInternalSquad, { isUndoable: true, task, refreshes: [listInternalSquads] })
}

export function useRemoveAllUsers({ name, info }: InternalSquad) {
  const { t } = useTranslation('internal-squads')
  const queued = t('task.removing', { name, count: info.membersCount })
  const task = { title: t('task.title'), pending: t('task.pending'), queued }
  return useApiMutation(removeUsersFromInternalSquad, { isUndoable: true, task, refreshes: [listInternalSquads] })
}

/** Members are moved by a job; the figures follow it by the list's own polling. */
export function useMoveMembers() {
  const { t } = useTranslation('internal-squads')
  return useApiMutation(changeUsers, {
    success: ({ affectedRows }) => t('move.started', { count: affectedRows }),
    refreshes: [listInternalSquads],
  })
}

export function useReorderInternalSquads() {
  const { t } = useTranslation('ui')
  return useApiMutation(reorderInternalSquads, { success: t('order.saved'), refreshes: [listInternalSquads] })
}
