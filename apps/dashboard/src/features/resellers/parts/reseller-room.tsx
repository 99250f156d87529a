import type { ResellerRoom } from '@causeway/contract'
import { Badge, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { Fact } from '../../../ui/fact.tsx'
import classes from './resellers-section.module.css'

/** What the signed-in reseller may promise, and has promised. */
export function ResellerRoomFacts({ room }: { room: ResellerRoom }) {
  const { t, i18n } = useTranslation('admins')
  const { name, users, maxUsers, promisedBytes, maxBytes, maxDays } = room
  const isFull = (maxUsers !== null && users >= maxUsers) || (maxBytes !== null && promisedBytes >= maxBytes)
  const count = (value: number) => numberFormat(i18n.language).format(value)
  const bytes = (value: number) => formatBytes(value, i18n.language)
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('reseller.whose', { name })}{' '}
        {isFull && (
          <Badge size="sm" variant="light" tt="none" color="orange">
            {t('reseller.full')}
          </Badge>
        )}
      </Text>
      <dl className={classes['figures']}>
        <Fact label={t('reseller.users')}>
          {maxUsers === null ? count(users) : t('reseller.of', { value: count(users), most: count(maxUsers) })}
        </Fact>
        <Fact label={t('reseller.promised')}>
          {maxBytes === null ? bytes(promisedBytes) : t('reseller.of', { value: bytes(promisedBytes), most: bytes(maxBytes) })}
        </Fact>
      </dl>
      {maxDays !== null && (
        <Text size="xs" c="dimmed">
          {t('reseller.days', { count: maxDays })}
        </Text>
      )}
    </Stack>
  )
}
