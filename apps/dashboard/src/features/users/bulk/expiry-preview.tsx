import type { CallInput, previewExpiry } from '@causeway/contract'
import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { expiryPreviewQuery } from '../users.queries.ts'

type WhoExpires = Omit<CallInput<typeof previewExpiry>, 'expireAt'>

/** Preview of an extension: the number of users, those that start today, and those whose access never ends. */
export function ExtensionPreview({ who }: { who: WhoExpires }) {
  const { t, i18n } = useTranslation('users')
  const preview = useQuery(expiryPreviewQuery(who))
  if (preview.isPending) return <Skeleton height={16} width={260} />
  if (preview.isError) return <Text size="sm">{t('impact.unknown')}</Text>
  const shown = (count: number) => ({ count, shown: numberFormat(i18n.language).format(count) })
  const { users, past, endless } = preview.data
  const text = t('bulk.extend.users', shown(users))
  return (
    <Text size="sm" fw={600} role="note">
      {past > 0 ? t('bulk.extend.withPast', { users: text, past: t('bulk.extend.past', shown(past)) }) : text}
      {endless > 0 && <> · {t('bulk.extend.endless', shown(endless))}</>}
    </Text>
  )
}

/** Before many get one date: for how many of them it lies before the one they have. */
export function MovedBackNote({ who, expireAt }: { who: WhoExpires; expireAt: string }) {
  const { t, i18n } = useTranslation('users')
  const { data } = useQuery(expiryPreviewQuery({ ...who, expireAt }))
  if (!data || data.movedBack === 0) return null
  const number = numberFormat(i18n.language)
  return (
    <Text size="sm" c="var(--warn)" role="note">
      {t('bulk.movedBack', {
        count: data.movedBack,
        shown: number.format(data.movedBack),
        all: number.format(data.users),
      })}
    </Text>
  )
}
