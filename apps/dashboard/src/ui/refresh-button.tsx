import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './refresh-button.module.css'

interface Props {
  /** The name of the refreshed data, for screen readers. */
  label: string
  isBusy?: boolean
  onRefresh: () => void
}

/** Reads the page's data again. Labelled in words, to be told from the shell's button, which reloads everything. */
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
