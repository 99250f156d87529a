import { Text } from '@mantine/core'
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../../lib/numbers/bytes.ts'
import { dateFormat } from '../../../lib/numbers/formats.ts'
import { wholeDay } from '../../../lib/time/dates.ts'
import { dayEntries, type ChartSeries } from '../../../ui/chart/chart-series.ts'
import { HEAT_LEVELS, heatLevel, weeksOf } from './user.rules.ts'
import classes from './user.module.css'

interface Props {
  days: readonly string[]
  totals: readonly number[]
  series: readonly ChartSeries[]
}

const NAMED_NODES = 3
/** A day before or after is above or below, a week before or after to the side. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: -7,
  ArrowRight: 7,
  Home: -Infinity,
  End: Infinity,
}

/** A square for each day, a column for each week: dark where little went through. Arrow keys walk the days. */
export function UserHeatMap({ days, totals, series }: Props) {
  const { t, i18n } = useTranslation('users')
  const last = days.length - 1
  const [chosen, setChosen] = useState(last)
  const most = Math.max(0, ...totals)
  const weeks = weeksOf(days)

  function onKeyDown(event: KeyboardEvent): void {
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, chosen + step)))
  }

  const locale = i18n.language
  const nodes = dayEntries(series, chosen).slice(0, NAMED_NODES)
  const words = [
    `${wholeDay(new Date(days[chosen] ?? 0), locale, { timeZone: 'UTC' })}: ${formatBytes(totals[chosen] ?? 0, locale)}`,
    ...nodes.map(({ name, value }) => `${name} ${formatBytes(value, locale)}`),
  ].join(' · ')
  return (
    <div className={classes['heat']}>
      <div
        role="slider"
        tabIndex={0}
        dir="ltr"
        className={classes['weeks']}
        aria-label={t('page.heatMap')}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={chosen + 1}
        aria-valuetext={words}
        onKeyDown={onKeyDown}
      >
        {weeks.map((week) => {
          const first = week.find((place) => place !== undefined) ?? 0
          const day = days[first] ?? ''
          const isFirstOfMonth = week.some((place) => place !== undefined && (days[place] ?? '').endsWith('-01'))
          return (
            <div key={day} className={classes['week']}>
              <span className={classes['month']}>
                {isFirstOfMonth &&
                  dateFormat(locale, { month: 'short', timeZone: 'UTC' }).format(new Date(days[week.at(-1) ?? 0] ?? 0))}
              </span>
              {week.map((place, weekday) =>
                place === undefined ? (
                  <span key={weekday} className={classes['noDay']} />
                ) : (
                  <span
                    key={weekday}
                    className={classes['day']}
                    data-level={heatLevel(totals[place] ?? 0, most)}
                    data-chosen={place === chosen || undefined}
                    onPointerEnter={() => setChosen(place)}
                    onPointerDown={() => setChosen(place)}
                  />
                ),
              )}
            </div>
          )
        })}
      </div>
      <div className={classes['heatFoot']}>
        <Text size="xs" aria-hidden>
          {words}
        </Text>
        <span className={classes['scale']} aria-hidden>
          {t('page.less')}
          {Array.from({ length: HEAT_LEVELS }, (_, level) => (
            <span key={level} className={classes['day']} data-level={level} />
          ))}
          {t('page.more')}
        </span>
      </div>
    </div>
  )
}
