import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './refresh-button.module.css'

interface Props {
  /** What is read again, for those who do not see the page around the button. */
  label: string
  isBusy?: boolean
  onRefresh: () => void
}

/** Reads the page's data again. In words, so that nobody takes it for the shell's, which begins anew with everything. */
export function RefreshButton({ label, isBusy = false, onRefresh }: Props) {
  const { t } = useTranslation('ui')
  return (
    <Button
      variant="default"
      className={classes['refresh']!}
      leftSection={<IconRefresh size={16} aria-hidden />}
      aria-label={label}
      loading={isBusy}
      onClick={onRefresh}
    >
      {t('refresh')}
    </Button>
  )
}
