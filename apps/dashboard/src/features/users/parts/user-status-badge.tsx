import type { UserStatus } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { StatusBadge } from '../../../ui/status-badge.tsx'
import { statusColor } from '../users.rules.ts'

export function UserStatusBadge({ status }: { status: UserStatus }) {
  const { t } = useTranslation('users')
  return <StatusBadge color={statusColor(status)} label={t(`status.${status}`)} />
}
