import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { DrawerFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { UserStatusBadge } from './parts/user-status-badge.tsx'
import { USER_STATUSES } from './users.rules.ts'

const TOPICS = ['table', 'filters', 'selection', 'keys', 'limits'] as const

export function UsersHelpDrawer() {
  const { t } = useTranslation('users')
  const dialog = useDialog('help')
  return (
    <DrawerFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('help.title')} width={450}>
      <Stack gap="lg">
        {TOPICS.map((topic) => (
          <section key={topic}>
            <Text component="h3" fw={600}>
              {t(`help.${topic}.title`)}
            </Text>
            <Text size="sm">{t(`help.${topic}.text`)}</Text>
          </section>
        ))}
        <section>
          <Text component="h3" fw={600} mb="xs">
            {t('help.statuses')}
          </Text>
          <Stack gap="xs">
            {USER_STATUSES.map((status) => (
              <div key={status}>
                <UserStatusBadge status={status} />
                <Text size="sm" mt={2}>
                  {t(`help.status.${status}`)}
                </Text>
              </div>
            ))}
          </Stack>
        </section>
      </Stack>
    </DrawerFrame>
  )
}
