import {
  fetchSubscriptionPage,
  getSubscriptionPage,
  previewSubscriptionPage,
  publishSubscriptionPage,
  type PageLanguage,
  type PagePlatform,
  type Reply,
} from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { apiQuery, AS_WRITTEN } from '../../api/api-query.ts'
import { useApiMutation } from '../../api/use-api-mutation.ts'

type Preview = Reply<typeof previewSubscriptionPage>

/** The edited page must not change during editing: publishing compares. */
export const pageQuery = apiQuery(getSubscriptionPage, {}, { refetchOnWindowFocus: false, ...AS_WRITTEN })
export const previewQuery = (config: unknown, language: PageLanguage, platform: PagePlatform) =>
  apiQuery(
    previewSubscriptionPage,
    { config, language, platform },
    { quiet: true, placeholderData: (before: Preview | undefined) => before },
  )

export function usePublishPage() {
  const { t } = useTranslation('subscription-page')
  return useApiMutation(publishSubscriptionPage, {
    success: t('published'),
    onReply: (page, _, client) => client.setQueryData(pageQuery.queryKey, page),
    // A refusal may mean that a colleague has published in between.
    onFailure: (_, __, client) => void client.invalidateQueries({ queryKey: pageQuery.queryKey }),
  })
}

/** Its failure has a dialog of its own. */
export function useLoadPage() {
  return useApiMutation(fetchSubscriptionPage, { quiet: true })
}
