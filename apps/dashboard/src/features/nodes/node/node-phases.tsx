import type { listNodePhases, Reply } from '@causeway/contract'
import { SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { exactTime } from '../../../lib/time/dates.ts'
import { shortDuration } from '../../../lib/time/durations.ts'
import { RelativeTime } from '../../../ui/calendar/relative-time.tsx'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { ErrorState } from '../../../ui/frames/states.tsx'
import { nodePhasesQuery } from '../nodes.queries.ts'
import { incidentsOf, servedShare, spansOf, type Span } from './phases.rules.ts'
import classes from './node-phases.module.css'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const HOURS = { day: 24, month: 720 } as const
const SHOWN = 6
const STRIP_HEIGHT = 36

/** When it served and when it did not, as a strip, with the reasons below. */
export function NodePhases({ uuid }: { uuid: string }) {
  const { t } = useTranslation('nodes')
  const [period, setPeriod] = useState<keyof typeof HOURS>('day')
  const { data, error, refetch } = useQuery(nodePhasesQuery(uuid))
  return (
    <PageSection
      title={t('phases.title')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('phases.period')}
          value={period}
          onChange={(value) => setPeriod(value === 'month' ? 'month' : 'day')}
          data={[
            { value: 'day', label: t('phases.day') },
            { value: 'month', label: t('phases.month') },
          ]}
        />
      }
    >
      {data ? (
        <Phases told={data} hours={HOURS[period]} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Skeleton height={STRIP_HEIGHT} />
      )}
    </PageSection>
  )
}

function Phases({ told, hours }: { told: Reply<typeof listNodePhases>; hours: number }) {
  const { t, i18n } = useTranslation('nodes')
  const toMs = Date.parse(told.now)
  const fromMs = toMs - hours * HOUR_MS
  const spans = spansOf(told.phases, fromMs, toMs)
  const share = servedShare(spans)
  const incidents = incidentsOf(spans)
  // Rounded down: what was away for a second did not serve all the time.
  const percent = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2, roundingMode: 'floor' })
  const sum = share === undefined ? t('phases.nothingKnown') : t('phases.served', { share: percent.format(share) })
  const words = useSpanWords()
  return (
    <>
      <div className={classes['strip']} role="img" aria-label={`${sum} ${t('phases.incidents', { count: incidents.length })}`}>
        {spans.map((span) => (
          <span
            key={span.fromMs}
            className={classes['span']}
            data-standing={span.standing}
            data-crash={span.isCrash || undefined}
            style={{ flexGrow: span.toMs - span.fromMs }}
            title={`${words(span)} · ${exactTime(new Date(span.fromMs), i18n.language)}`}
          />
        ))}
      </div>
      <div className={classes['axis']} aria-hidden>
        <span>{exactTime(new Date(fromMs), i18n.language)}</span>
        <span>{t('phases.now')}</span>
      </div>
      <p className={classes['sum']}>
        {sum} {incidents.length === 0 && share !== undefined && t('phases.noIncidents')}
      </p>
      {incidents.length > 0 && (
        <ul className={classes['incidents']} aria-label={t('phases.list')}>
          {incidents.slice(0, SHOWN).map((span) => (
            <li key={`${span.fromMs} ${span.isCrash}`}>
              <span className={classes['when']}>
                <RelativeTime at={new Date(span.fromMs).toISOString()} />
              </span>
              <span className={classes['long']}>
                {!span.isCrash && (
                  <bdi>
                    {span.toMs === toMs && '≥ '}
                    {shortDuration((span.toMs - span.fromMs) / SECOND_MS, i18n.language)}
                  </bdi>
                )}
              </span>
              <span>{words(span)}</span>
            </li>
          ))}
          {incidents.length > SHOWN && (
            <li className={classes['more']}>{t('phases.more', { count: incidents.length - SHOWN })}</li>
          )}
        </ul>
      )}
    </>
  )
}

function useSpanWords(): (span: Span) => string {
  const { t } = useTranslation('nodes')
  return ({ phase, reason, isCrash }) => {
    if (isCrash) return t('phases.crash')
    const name = t(`phases.is.${phase}`)
    return reason === null || reason === '' ? name : `${name}: ${inOurWords(reason)}`
  }
}
