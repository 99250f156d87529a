import { familyOf, type EventName } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '../../ui/frames/page-header.tsx'
import { ErrorState, LoadingRows } from '../../ui/frames/states.tsx'
import { Chip } from '../../ui/rows/cells.tsx'
import { TextBlock } from './attempt-text.tsx'
import { eventKey } from './webhook-fields.tsx'
import { domainEventsQuery } from './webhooks.queries.ts'
import { FAMILIES } from './webhooks.rules.ts'
import classes from './webhooks.module.css'

/** Which events there are, when each is sent, and what its body looks like. */
export default function DomainEventsPage() {
  const { t } = useTranslation('webhooks')
  const kinds = useQuery(domainEventsQuery())
  return (
    <>
      <PageHeader
        title={t('eventsPage')}
        description={t('eventsDescription')}
        trail={[{ label: t('title'), to: '/dashboard/utils/webhooks' }]}
      />
      {kinds.isPending && <LoadingRows />}
      {kinds.isError && <ErrorState error={kinds.error} onRetry={() => void kinds.refetch()} />}
      {FAMILIES.map(({ family }) => {
        const events = (kinds.data?.events ?? []).filter(({ event }) => familyOf(event) === family)
        return (
          events.length > 0 && (
            <section key={family} className={classes['kinds']} aria-label={t(`family.${family}`)}>
              <h2>{t(`family.${family}`)}</h2>
              {events.map((kind) => (
                <Kind key={kind.event} {...kind} />
              ))}
            </section>
          )
        )
      })}
    </>
  )
}

function Kind({ event, body, isDue }: { event: EventName; body: string; isDue: boolean }) {
  const { t } = useTranslation('webhooks')
  return (
    <details className={classes['kind']}>
      <summary>
        <bdi className={classes['code']}>{event}</bdi>
        <span className={classes['kindWords']}>{t(`event.${eventKey(event)}`)}</span>
        {!isDue && <Chip text={t('switchedOff')} title={t('switchedOffHint')} />}
      </summary>
      <TextBlock label={t('sample')} text={body} />
    </details>
  )
}
