import type { getNodeDeliveries, Reply } from '@causeway/contract'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { nodeDeliveriesQuery } from '../nodes.queries.ts'
import classes from './node-phases.module.css'

const LINE_HEIGHT = 22

/** Deliveries that a node waits for, since when, and their obstacle. */
export function NodeDeliveries({ uuid }: { uuid: string }) {
  const { t } = useTranslation('nodes')
  const { data, error, refetch } = useQuery(nodeDeliveriesQuery(uuid))
  return (
    <PageSection title={t('deliveries.title')}>
      {data ? (
        <Waiting told={data} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={LINE_HEIGHT} />
      )}
    </PageSection>
  )
}

interface Line {
  what: string
  since: string | null
  note?: ReactNode
}

function Waiting({ told }: { told: Reply<typeof getNodeDeliveries> }) {
  const { t } = useTranslation('nodes')
  const { hold, configuration, stop, allUsers, filters, filterProblem, part, single: users } = told
  const counts = (['added', 'removed', 'changed'] as const)
    .filter((kind) => users[kind] > 0)
    .map((kind) => t(`deliveries.${kind}`, { count: users[kind] }))
  const lines: Line[] = [
    ...(configuration ? [{ what: t('deliveries.configuration'), since: configuration.since }] : []),
    ...(stop ? [{ what: t('deliveries.stop'), since: stop.since }] : []),
    ...(allUsers ? [{ what: t('deliveries.allUsers'), since: allUsers.since }] : []),
    ...(part ? [{ what: t(`deliveries.part.${part}`), since: null }] : []),
    ...(filters ? [{ what: t('deliveries.filters'), since: filters.since }] : []),
    ...(counts.length > 0
      ? [{ what: counts.join(t('deliveries.and')), since: users.since, note: <Problems told={users} /> }]
      : []),
  ]
  return (
    <>
      <p className={classes['sum']} style={{ marginTop: 0 }}>
        {hold === null ? t('deliveries.nothing') : t(`deliveries.hold.${hold}`)}
      </p>
      {filterProblem !== null && (
        <p className={classes['sum']}>{t('deliveries.filterProblem', { why: inOurWords(filterProblem) })}</p>
      )}
      {lines.length > 0 && (
        <ul className={classes['incidents']} aria-label={t('deliveries.title')} data-wide>
          {lines.map(({ what, since, note }) => (
            <li key={what}>
              <span className={classes['when']}>{since !== null && <RelativeTime at={since} />}</span>
              <span>
                {what}
                {note}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Problems({ told }: { told: Reply<typeof getNodeDeliveries>['single'] }) {
  const { t } = useTranslation('nodes')
  return (
    <>
      {told.problems.map(({ text, count }) => (
        <small key={text} className={classes['why']}>
          {t('deliveries.problem', { count, why: inOurWords(text) })}
        </small>
      ))}
      {told.nextAttemptAt !== null && (
        <small className={classes['why']}>
          {t('deliveries.next')} <RelativeTime at={told.nextAttemptAt} />
        </small>
      )}
    </>
  )
}
