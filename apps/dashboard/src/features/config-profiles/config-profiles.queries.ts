import {
  createConfigProfile,
  deleteConfigProfile,
  getConfigProfile,
  getValidator,
  listConfigProfiles,
  listHosts,
  listInternalSquads,
  listNodes,
  listProfileRevisions,
  planChange,
  reorderConfigProfiles,
  updateConfigProfile,
  type CallInput,
  type ConfigProfile,
} from '@causeway/contract'
import { queryOptions } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'
import type { CodeSchema } from '../../ui/editor/code-editor-parts.ts'

/** Refetched on focus, so that nothing shown is minutes old. */
export const configProfilesQuery = () => apiQuery(listConfigProfiles, {}, { staleTime: seconds(30), refetchOnWindowFocus: true })

export const configProfileQuery = (uuid: string) =>
  apiQuery(getConfigProfile, { uuid }, { staleTime: seconds(30), enabled: uuid !== '', ...AS_WRITTEN })

/** Where the validator lies changes with the server only. */
export const validatorQuery = () => apiQuery(getValidator, {}, { staleTime: Infinity, quiet: true })

/** Always of this moment: the fleet goes on meanwhile. */
export const planQuery = (change: CallInput<typeof planChange>) =>
  apiQuery(planChange, change, { staleTime: 0, refetchOnWindowFocus: false, quiet: true })

/** The words of a configuration, for completion and hints. Without them the editor is a plainer one. */
export const schemaQuery = () =>
  queryOptions({
    queryKey: ['xraySchema'],
    staleTime: Infinity,
    queryFn: async ({ client, signal }): Promise<CodeSchema> => {
      const { schemaUrl } = await client.fetchQuery(validatorQuery())
      const reply = await fetch(schemaUrl, { signal })
      const schema: unknown = await reply.json()
      if (typeof schema !== 'object' || schema === null) throw new Error(`${schemaUrl} is no schema`)
      return { uri: schemaUrl, schema: { ...schema } }
    },
  })

/** Hosts, squads and nodes follow what became of the inbounds. */
export function useUpdateConfigProfile(options: {
  onSaved?: (profile: ConfigProfile) => void
  onFailure: (error: Error) => void
}) {
  const { t } = useTranslation('config-profiles')
  return useApiMutation(updateConfigProfile, {
    success: t('updated'),
    result: ({ name }) => name,
    refreshes: [listConfigProfiles, listProfileRevisions, listNodes, listHosts, listInternalSquads],
    quiet: true,
    onReply: (profile) => options.onSaved?.(profile),
    onFailure: options.onFailure,
  })
}

export function useCreateConfigProfile(options: { onCreated: () => void; onFailure: (error: Error) => void }) {
  const { t } = useTranslation('config-profiles')
  return useApiMutation(createConfigProfile, {
    success: t('created'),
    result: ({ name }) => name,
    refreshes: [listConfigProfiles],
    onReply: options.onCreated,
    onFailure: options.onFailure,
  })
}

/** Its nodes stop, its inbounds leave the squads, its hosts are left without one. */
export function useDeleteConfigProfile() {
  const { t } = useTranslation('config-profiles')
  return useApiMutation(deleteConfigProfile, {
    isUndoable: true,
    success: t('deleted'),
    refreshes: [listConfigProfiles, listNodes, listHosts, listInternalSquads],
  })
}

export function useReorderConfigProfiles() {
  const { t } = useTranslation('ui')
  return useApiMutation(reorderConfigProfiles, { success: t('order.saved'), refreshes: [listConfigProfiles] })
}
