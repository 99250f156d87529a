import {
  createApiToken,
  createLimitedApiToken,
  deleteApiToken,
  getApiTokenDetails,
  listApiTokenDetails,
  listApiTokens,
  updateApiToken,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery } from '../../api/api-query.ts'
import { useApiMutation, type FormTarget } from '../../api/use-api-mutation.ts'
import { seconds } from '../../lib/time/durations.ts'

/** The wire's list: texts of tokens, and where the documents of the API are. */
export const tokensQuery = () => apiQuery(listApiTokens, {})
/** Limits of tokens, and their last use. */
export const tokenDetailsQuery = () => apiQuery(listApiTokenDetails, {}, { refetchInterval: seconds(15) })
export const tokenQuery = (uuid: string) => apiQuery(getApiTokenDetails, { uuid }, { refetchInterval: seconds(15), quiet: true })

const lists = [listApiTokens, listApiTokenDetails]

interface CreateOptions {
  form: FormTarget
  onCreated: (token: { uuid: string; token: string }) => void
}

/** A token without limits is the wire's own. */
export function useCreateApiToken({ form, onCreated }: CreateOptions) {
  const { t } = useTranslation('api-tokens')
  return useApiMutation(createApiToken, { success: t('created'), refreshes: lists, form, onReply: onCreated })
}

export function useCreateLimitedApiToken({ form, onCreated }: CreateOptions) {
  const { t } = useTranslation('api-tokens')
  return useApiMutation(createLimitedApiToken, { success: t('created'), refreshes: lists, form, onReply: onCreated })
}

export function useUpdateApiToken(form: FormTarget) {
  const { t } = useTranslation('api-tokens')
  return useApiMutation(updateApiToken, { success: t('updated'), refreshes: lists, form })
}

export function useDeleteApiToken() {
  const { t } = useTranslation('api-tokens')
  return useApiMutation(deleteApiToken, { isUndoable: true, success: t('deleted'), refreshes: lists })
}
