import {
  continueNodeUpdate,
  deleteGeoFile,
  getGeoFiles,
  getNodeUpdates,
  listNodes,
  pauseNodeUpdate,
  startNodeUpdate,
  takeBackNodeUpdate,
  uploadGeoFile,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../../api/api-query.ts'
import { useApiMutation } from '../../../api/use-api-mutation.ts'
import { seconds } from '../../../lib/time/durations.ts'

/** Followed closely while nodes are being updated. */
export const nodeUpdatesQuery = () =>
  apiQuery(
    getNodeUpdates,
    {},
    {
      staleTime: seconds(3),
      refetchInterval: ({ state }) => seconds(state.data?.last?.state === 'running' ? 3 : 30),
      quiet: true,
    },
  )

const FOLLOWING = [getNodeUpdates, listNodes]

export function useStartNodeUpdate(options: { onStarted: () => void }) {
  const { t } = useTranslation('node-updates')
  return useApiMutation(startNodeUpdate, { success: t('started'), refreshes: FOLLOWING, onReply: options.onStarted })
}

export function useNodeUpdateActions() {
  const pause = useApiMutation(pauseNodeUpdate, { refreshes: FOLLOWING })
  const goOn = useApiMutation(continueNodeUpdate, { refreshes: FOLLOWING })
  const takeBack = useApiMutation(takeBackNodeUpdate, { refreshes: FOLLOWING })
  return { pause, goOn, takeBack }
}

export const geoFilesQuery = () => apiQuery(getGeoFiles, {}, { staleTime: seconds(5) })

const OF_GEO_FILES = [getGeoFiles, getNodeUpdates]

export function useUploadGeoPiece() {
  return useApiMutation(uploadGeoFile, { quiet: true })
}

export function useDeleteGeoFile() {
  return useApiMutation(deleteGeoFile, { refreshes: OF_GEO_FILES })
}
