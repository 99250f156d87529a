import { getSystemStats, importUsers, listUsers, planUserImport } from '@causeway/contract'
import { useApiMutation, type FormTarget } from '../../../api/use-api-mutation.ts'

/** What is wrong with the file is said beside it. */
export const usePlanImport = (form: FormTarget) => useApiMutation(planUserImport, { form })

export const useImportUsers = () => useApiMutation(importUsers, { refreshes: [listUsers, getSystemStats] })
