import { Alert } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { usePersistedView } from '../../ui/table/data-table-view.ts'

const KEY = 'users-mobile-notice'
const VERSION = 1
const NOT_DISMISSED = { isDismissed: false }

/** Says once that there is more room on a wide screen. Everything works here too, so that it interrupts nothing. */
export function MobileNotice() {
  const { t } = useTranslation('users')
  const isSmall = useMediaQuery('(max-width: 500px)', undefined, { getInitialValueInEffect: false })
  const [notice, change] = usePersistedView(KEY, VERSION, NOT_DISMISSED)
  if (!isSmall || notice.isDismissed) return null
  return (
    <Alert
      role="note"
      aria-label={t('mobile.title')}
      color="gray"
      p="xs"
      mb="xs"
      withCloseButton
      closeButtonLabel={t('mobile.dismiss')}
      onClose={() => change({ isDismissed: true })}
    >
      {t('mobile.text')}
    </Alert>
  )
}
