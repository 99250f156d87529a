import { ActionIcon, useComputedColorScheme, VisuallyHidden } from '@mantine/core'
import { IconArrowBarToUp, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { dateFormat, numberFormat } from '../../lib/numbers/formats.ts'
import { perWholeDay, seriesColors } from '../chart/chart-series.ts'
import { Tooltip } from '../frames/tooltip.tsx'
import { NoValue } from '../rows/cells.tsx'
import { busiestOf, differenceOf } from './compare.rules.ts'
import classes from './compare.module.css'
import type { Compared } from './use-compared.ts'

export interface ComparedThing {
  id: string
  name: string
  /** The name with its sign, leading to the page of the thing. */
  label: ReactNode
  isGone: boolean
}

/** A figure besides the traffic. */
export interface ComparedColumn {
  head: string
  cell: (id: string) => ReactNode
}

interface Props {
  things: readonly ComparedThing[]
  days: readonly string[]
  valuesOf: (id: string) => readonly number[] | undefined
  columns: readonly ComparedColumn[]
  compared: Compared
}

const ICON = 16

/** The figures of the charts, a row for each thing. On a phone each row is a card whose cells carry their heads. */
export function CompareTable({ things, days, valuesOf, columns, compared: { ids, remove, putFirst } }: Props) {
  const { t, i18n } = useTranslation('compare')
  const scheme = useComputedColorScheme('dark')
  const colorOf = seriesColors(ids, [], scheme)
  const [first] = things
  const base = first && !first.isGone ? total(valuesOf(first.id)) : undefined
  const heads = [
    t('column.name'),
    t('column.total'),
    t('column.difference', { name: first?.name ?? '' }),
    t('column.perDay'),
    t('column.busiest'),
    ...columns.map(({ head }) => head),
  ]
  const head = (place: number) => ({ 'data-head': heads[place] })
  const size = (bytes: number) => <bdi>{formatBytes(bytes, i18n.language)}</bdi>
  return (
    <div className={classes['box']} tabIndex={0} role="region" aria-label={t('figures')}>
      <table className={classes['table']} aria-label={t('figures')}>
        <thead>
          <tr>
            {heads.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
            <th scope="col">
              <VisuallyHidden>{t('column.actions')}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {things.map(({ id, name, label, isGone }, place) => {
            const values = isGone ? undefined : valuesOf(id)
            const sum = total(values)
            const busiest = values && busiestOf(values)
            const perDay = values && perWholeDay(values)
            return (
              <tr key={id}>
                <th scope="row">
                  <span className={classes['name']}>
                    <span className={classes['swatch']} style={{ background: isGone ? undefined : colorOf(id) }} />
                    {label}
                  </span>
                </th>
                <td {...head(1)}>{sum === undefined ? <NoValue /> : size(sum)}</td>
                <td {...head(2)}>
                  {place === 0 ? (
                    <span className={classes['quiet']}>{t('base')}</span>
                  ) : sum === undefined || base === undefined ? (
                    <NoValue />
                  ) : (
                    <DifferenceText figure={sum} base={base} />
                  )}
                </td>
                <td {...head(3)}>{typeof perDay === 'number' ? size(perDay) : <NoValue />}</td>
                <td {...head(4)}>
                  {values === undefined || busiest === undefined ? (
                    <NoValue />
                  ) : (
                    <>
                      {size(values[busiest] ?? 0)}{' '}
                      <span className={classes['quiet']}>
                        {dateFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
                          new Date(days[busiest] ?? 0),
                        )}
                      </span>
                    </>
                  )}
                </td>
                {columns.map((column, index) => (
                  <td key={column.head} {...head(index + 5)}>
                    {isGone ? <NoValue /> : column.cell(id)}
                  </td>
                ))}
                <td className={classes['actions']}>
                  {place > 0 && !isGone && (
                    <Tooltip label={t('putFirst', { name })}>
                      <ActionIcon aria-label={t('putFirst', { name })} onClick={() => putFirst(id)}>
                        <IconArrowBarToUp size={ICON} />
                      </ActionIcon>
                    </Tooltip>
                  )}
                  <Tooltip label={t('remove', { name })}>
                    <ActionIcon aria-label={t('remove', { name })} onClick={() => remove(id)}>
                      <IconX size={ICON} />
                    </ActionIcon>
                  </Tooltip>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function total(values: readonly number[] | undefined): number | undefined {
  return values?.reduce((sum, bytes) => sum + bytes, 0)
}

/** In words and in bytes, for what is far apart and for what is near. */
function DifferenceText({ figure, base }: { figure: number; base: number }) {
  const { t, i18n } = useTranslation('compare')
  const difference = differenceOf(figure, base)
  const locale = i18n.language
  const words = () => {
    switch (difference.is) {
      case 'more':
      case 'less':
        return t(difference.is, {
          share: numberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(difference.part),
        })
      case 'times':
        return t('times', { count: Math.round(difference.times * 10) / 10 })
      case 'same':
      case 'nearlySame':
      case 'only':
        return t(difference.is)
    }
  }
  if (difference.is === 'same') return <>{words()}</>
  const sign = figure > base ? '+' : '−'
  return (
    <>
      {words()}{' '}
      <bdi className={classes['quiet']} dir="ltr">
        {sign}
        {formatBytes(Math.abs(figure - base), locale)}
      </bdi>
    </>
  )
}
