import { getSystemStats, importUsers, listUsers, planUserImport } from '@causeway/contract'
import { useApiMutation } from '../../../api/use-api-mutation.ts'

/** A preview that fails says so beside the file. */
export const usePlanImport = () => useApiMutation(planUserImport, { quiet: true })

export const useImportUsers = () => useApiMutation(importUsers, { refreshes: [listUsers, getSystemStats] })
