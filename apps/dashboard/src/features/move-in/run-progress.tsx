import type { MoveIn } from '@causeway/contract'
import { Button, Progress, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { useMarkMoveIn } from './move-in.queries.ts'
import { progressOf } from './move-in.rules.ts'
import classes from './move-in.module.css'

/** How far a rehearsal or an import is. It goes on when the page is left. */
export function RunProgress({ state }: { state: MoveIn }) {
  const { t, i18n } = useTranslation('move-in')
  const mark = useMarkMoveIn()
  const { running } = state
  if (!running) return null
  const share = progressOf(state)
  const number = numberFormat(i18n.language)
  const { user = 0, userUsage = 0 } = running.counts
  return (
    <section className={classes['card']} role="status" aria-label={t('progress')}>
      <Text size="sm" fw={600}>
        {t(running.isDryRun ? 'rehearsing' : 'importing')}
        {share !== undefined && ` ${numberFormat(i18n.language, { style: 'percent' }).format(share)}`}
      </Text>
      <Progress
        value={share === undefined ? 100 : share * 100}
        animated={share === undefined}
        my="xs"
        aria-label={t('progress')}
      />
      <Text size="sm" className={classes['figures']!}>
        {t('soFar', { users: number.format(user), days: number.format(userUsage) })}
      </Text>
      {running.finishing && (
        <Text size="sm" className={classes['figures']!}>
          {t('finishing', { done: number.format(running.finishing.done), total: number.format(running.finishing.total) })}
        </Text>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        {t(running.isDryRun ? 'goesOn' : 'goesOnClosed')}
      </Text>
      <Button
        variant="default"
        size="compact-sm"
        mt="sm"
        loading={mark.isPending || running.isCancelled}
        onClick={() => mark.mutate({ mark: 'cancel' })}
      >
        {t('cancel')}
      </Button>
    </section>
  )
}
