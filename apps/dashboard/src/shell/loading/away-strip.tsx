import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useConnection } from '../../api/connection.ts'
import classes from './away-strip.module.css'
import { useTries } from './use-tries.ts'

/** While the server cannot be reached: says so once for all that is on screen, and tries again by itself. */
export function AwayStrip() {
  const { isAway, nextTryAt } = useConnection()
  return isAway ? <Strip nextTryAt={nextTryAt} /> : null
}

function Strip({ nextTryAt }: { nextTryAt: number }) {
  const { t } = useTranslation()
  const { seconds, isTrying, tryNow } = useTries(nextTryAt)
  return (
    <div className={classes['strip']}>
      <IconPlugConnectedX size={18} aria-hidden color="var(--bad)" />
      <span role="alert">{t('away.title')}</span>
      <span className={classes['countdown']}>{t('away.next', { seconds })}</span>
      <Button size="compact-xs" variant="default" loading={isTrying} onClick={() => void tryNow()}>
        {t('away.try')}
      </Button>
    </div>
  )
}
