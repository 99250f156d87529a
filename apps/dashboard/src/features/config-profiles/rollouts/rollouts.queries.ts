import {
  continueRollout,
  getConfigProfile,
  getRolloutConfig,
  getSnippet,
  listConfigProfiles,
  listRollouts,
  listSnippets,
  pauseRollout,
  prepareRollout,
  prepareSnippetRollout,
  startRollout,
  startSnippetRollout,
  takeBackRollout,
  waiveRolloutProof,
} from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { seconds } from '../../../lib/time/durations.ts'

/** The last roll-out of each profile. Followed by the event stream, else by the clock. */
export const rolloutsQuery = () =>
  apiQuery(listRollouts, {}, { staleTime: seconds(10), refetchInterval: seconds(15), refetchOnWindowFocus: true, quiet: true })

/** The last one of a profile. */
export function useRollout(profileUuid: string) {
  return useQuery(rolloutsQuery()).data?.rollouts.find((rollout) => rollout.profileUuid === profileUuid)
}

/** Of a profile, or of a snippet. Users online change from minute to minute. */
export const candidatesQuery = (uuid: string, isOfSnippet = false) =>
  isOfSnippet
    ? apiQuery(prepareSnippetRollout, { uuid }, { staleTime: 0, quiet: true })
    : apiQuery(prepareRollout, { uuid }, { staleTime: 0, quiet: true })

/** A sent revision never changes. */
export const rolloutConfigQuery = (uuid: string) => apiQuery(getRolloutConfig, { uuid }, { staleTime: Infinity })

const FOLLOWING = [listRollouts, getConfigProfile, listConfigProfiles]

export function useStartRollout(options: { onStarted: () => void }) {
  const { t } = useTranslation('profile-editor')
  return useApiMutation(startRollout, {
    success: t('rollout.begun'),
    refreshes: FOLLOWING,
    onReply: options.onStarted,
  })
}

export function useStartSnippetRollout(options: { onStarted: () => void }) {
  const { t } = useTranslation('profile-editor')
  return useApiMutation(startSnippetRollout, {
    success: t('rollout.begun'),
    refreshes: [listRollouts, listSnippets, getSnippet],
    onReply: options.onStarted,
  })
}

export function useRolloutActions() {
  const pause = useApiMutation(pauseRollout, { refreshes: FOLLOWING })
  const goOn = useApiMutation(continueRollout, { refreshes: FOLLOWING })
  const waiveProof = useApiMutation(waiveRolloutProof, { refreshes: FOLLOWING })
  const takeBack = useApiMutation(takeBackRollout, { refreshes: FOLLOWING })
  return { pause, goOn, waiveProof, takeBack }
}
