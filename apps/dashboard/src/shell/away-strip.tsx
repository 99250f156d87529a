import { Button } from '@mantine/core'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isServerThere, useConnection } from '../api/connection.ts'
import classes from './away-strip.module.css'

const SECOND_MS = 1000

/** While the server cannot be reached: says so once for all that is on screen, and tries again by itself. */
export function AwayStrip() {
  const { isAway, nextTryAt } = useConnection()
  return isAway ? <Strip nextTryAt={nextTryAt} /> : null
}

function Strip({ nextTryAt }: { nextTryAt: number }) {
  const { t } = useTranslation()
  const [now, setNow] = useState(() => Date.now())
  const [isTrying, setTrying] = useState(false)

  async function tryNow(): Promise<void> {
    setTrying(true)
    await isServerThere()
    setTrying(false)
  }

  // Counts the seconds down, and asks when they are over.
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= nextTryAt) void isServerThere()
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [nextTryAt])

  const seconds = Math.max(0, Math.ceil((nextTryAt - now) / SECOND_MS))
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
