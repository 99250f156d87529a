import { deleteMoveInFile, getMoveIn, markMoveIn, runMoveIn, uploadMoveInFile } from '@causeway/contract'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

/** Quiet: when an import ends, the server is away for a moment. */
export const moveInQuery = () => apiQuery(getMoveIn, {}, { staleTime: 0, quiet: true })

export const pollPause = (isRunning: boolean): number => seconds(isRunning ? 1 : 5)

export function useRunMoveIn(form: FormTarget) {
  return useApiMutation(runMoveIn, { form, refreshes: [getMoveIn] })
}

export function useMarkMoveIn() {
  return useApiMutation(markMoveIn, { refreshes: [getMoveIn] })
}

export function useDeleteFile() {
  return useApiMutation(deleteMoveInFile, { refreshes: [getMoveIn] })
}

/** One piece of a file. */
export function useUploadPiece() {
  return useApiMutation(uploadMoveInFile, { quiet: true })
}
