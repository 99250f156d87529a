import { Button, Group, Modal, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { usePersistedView } from '../../ui/table/data-table-view.ts'
import { USER_DIALOGS } from './users.view.ts'

const KEY = 'users-mobile-notice'
const VERSION = 1
const NOT_DISMISSED = { isDismissed: false }

/** Says once that there is more room on a wide screen. Everything works here too, and what a link opened comes first. */
export function MobileNotice() {
  const { t } = useTranslation('users')
  const isSmall = useMediaQuery('(max-width: 500px)', undefined, { getInitialValueInEffect: false })
  const [notice, change] = usePersistedView(KEY, VERSION, NOT_DISMISSED)
  const isElsewhere = useSearch({
    strict: false,
    select: (search: Record<string, unknown>) => USER_DIALOGS.some((name) => search[name] !== undefined),
  })
  const dismiss = () => change({ isDismissed: true })
  if (!isSmall) return null
  return (
    <Modal
      opened={!isElsewhere && !notice.isDismissed}
      onClose={dismiss}
      title={t('mobile.title')}
      closeButtonProps={{ 'aria-label': t('mobile.dismiss') }}
    >
      <Text size="sm">{t('mobile.text')}</Text>
      <Group justify="flex-end" mt="md">
        <Button onClick={dismiss} data-autofocus>
          {t('mobile.dismiss')}
        </Button>
      </Group>
    </Modal>
  )
}
