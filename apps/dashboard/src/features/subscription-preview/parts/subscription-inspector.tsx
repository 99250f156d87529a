import { Button } from '@mantine/core'
import { IconColumns2, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { countDifferences, type Preview } from '../subscription-preview.rules.ts'
import { SubscriptionPreview } from './subscription-preview.tsx'
import classes from './subscription-preview.module.css'

/** The answer to a user's app, or to two apps side by side. */
export function SubscriptionInspector({ userUuid }: { userUuid: string }) {
  const { t } = useTranslation('subscription-preview')
  const [isCompared, setCompared] = useState(false)
  const [first, setFirst] = useState<Preview>()
  const [second, setSecond] = useState<Preview>()
  const differences = isCompared && first && second ? countDifferences(first, second) : undefined
  return (
    <div>
      <Button
        variant="default"
        size="compact-sm"
        mb="sm"
        leftSection={isCompared ? <IconX size={16} aria-hidden /> : <IconColumns2 size={16} aria-hidden />}
        onClick={() => setCompared(!isCompared)}
      >
        {isCompared ? t('compare.end') : t('compare.start')}
      </Button>
      {differences && (
        <p className={classes['differences']} role="status">
          {differences.servers + differences.headers === 0
            ? t('compare.same')
            : `${t('compare.servers', { count: differences.servers })} · ${t('compare.headers', { count: differences.headers })}`}
        </p>
      )}
      <div className={classes['side']}>
        <section aria-label={t('compare.first')}>
          <SubscriptionPreview userUuid={userUuid} other={isCompared ? second : undefined} onRead={setFirst} />
        </section>
        {isCompared && (
          <section aria-label={t('compare.second')}>
            <SubscriptionPreview userUuid={userUuid} app="flclash" other={first} onRead={setSecond} />
          </section>
        )}
      </div>
    </div>
  )
}
