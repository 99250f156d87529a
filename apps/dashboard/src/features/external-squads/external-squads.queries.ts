import {
  addUsersToExternalSquad,
  createExternalSquad,
  deleteExternalSquad,
  getExternalSquad,
  listExternalSquads,
  planExternalSquad,
  previewSubscription,
  removeUsersFromExternalSquad,
  reorderExternalSquads,
  updateExternalSquad,
  type CallInput,
  type ExternalSquad,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

export const externalSquadsQuery = () =>
  apiQuery(listExternalSquads, {}, { quiet: true, staleTime: seconds(5), refetchInterval: seconds(30) })

export const externalSquadQuery = (uuid: string) =>
  apiQuery(getExternalSquad, { uuid }, { refetchInterval: seconds(30), quiet: true })

/** Asked as a dialog opens: what was true before is of no use. */
export const externalSquadPlanQuery = (asked: CallInput<typeof planExternalSquad>) =>
  apiQuery(planExternalSquad, asked, { staleTime: 0, refetchOnWindowFocus: false, quiet: true })

export function useCreateExternalSquad(options: {
  onCreated: (squad: ExternalSquad) => void
  onFailure: (error: Error) => void
}) {
  const { t } = useTranslation('external-squads')
  return useApiMutation(createExternalSquad, {
    success: t('created'),
    result: ({ name }) => name,
    refreshes: [listExternalSquads],
    onReply: (squad, _, client) => {
      client.setQueryData(externalSquadQuery(squad.uuid).queryKey, squad)
      options.onCreated(squad)
    },
    onFailure: options.onFailure,
  })
}

export function useRenameExternalSquad({ onFailure }: { onFailure?: (error: Error) => void } = {}) {
  const { t } = useTranslation('external-squads')
  return useApiMutation(updateExternalSquad, {
    success: t('saved'),
    result: ({ name }) => name,
    refreshes: [listExternalSquads],
    ...(onFailure ? { onFailure, quiet: true } : {}),
  })
}

export function useSaveExternalSquad(form: FormTarget) {
  const { t } = useTranslation('external-squads')
  return useApiMutation(updateExternalSquad, {
    success: t('saved'),
    result: ({ name }) => name,
    form,
    refreshes: [listExternalSquads, previewSubscription],
    onReply: (squad, _, client) => client.setQueryData(externalSquadQuery(squad.uuid).queryKey, squad),
  })
}

export function useDeleteExternalSquad() {
  const { t } = useTranslation('external-squads')
  return useApiMutation(deleteExternalSquad, { isUndoable: true, success: t('deleted'), refreshes: [listExternalSquads] })
}

export function useAddAllToExternalSquad({ name }: ExternalSquad) {
  const { t } = useTranslation('external-squads')
  const task = { title: t('task.title'), pending: t('task.pending'), queued: t('task.adding', { name }) }
  return useApiMutation(addUsersToExternalSquad, { isUndoable: true, task, refreshes: [listExternalSquads] })
}

export function useRemoveAllFromExternalSquad({ name, info }: ExternalSquad) {
  const { t } = useTranslation('external-squads')
  const queued = t('task.removing', { name, count: info.membersCount })
  const task = { title: t('task.title'), pending: t('task.pending'), queued }
  return useApiMutation(removeUsersFromExternalSquad, { isUndoable: true, task, refreshes: [listExternalSquads] })
}

export function useReorderExternalSquads() {
  const { t } = useTranslation('ui')
  return useApiMutation(reorderExternalSquads, { success: t('order.saved'), refreshes: [listExternalSquads] })
}
