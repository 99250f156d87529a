import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { dayEntries } from './chart-series.ts'
import { formatCount, periodName, type ChartFigures } from './chart-unit.ts'
import { ModalFrame } from '../frames/frames.tsx'

interface Props {
  figures: ChartFigures
  /** Index of the day shown; undefined while closed. */
  day: number | undefined
  onDayChange: (day: number | undefined) => void
}

/** One day of the chart with all its figures, and the days before and after. */
export function ChartDayModal({ figures, day, onDayChange }: Props) {
  const { days, series, unit, line, running, colorOf } = figures
  const { t, i18n } = useTranslation('chart')
  const date = day === undefined ? undefined : days[day]
  const entries = day === undefined ? [] : dayEntries(series, day)
  const total = entries.reduce((sum, { value }) => sum + value, 0)
  const largest = entries[0]?.value ?? 1
  const name = date && periodName(date, unit, i18n.language, 'title')
  const title = name && day === running ? t('soFar', { period: name }) : name
  return (
    <ModalFrame isOpen={day !== undefined} onClose={() => onDayChange(undefined)} title={title} width={440}>
      {day !== undefined && (
        <Stack gap="sm">
          <Group justify="space-between">
            <ActionIcon
              variant="default"
              aria-label={t(`${unit.period}.previous`)}
              disabled={day <= 0}
              onClick={() => onDayChange(day - 1)}
            >
              <IconChevronLeft size={18} className="chart-arrow" />
            </ActionIcon>
            {!unit.isApart && (
              <Text fw={600} className="chart-figure">
                {t(unit.isPeak ? 'day.peak' : unit.isMean ? 'day.mean' : 'day.total', {
                  total: unit.format(total, i18n.language),
                })}
              </Text>
            )}
            <ActionIcon
              variant="default"
              aria-label={t(`${unit.period}.next`)}
              disabled={day >= days.length - 1}
              onClick={() => onDayChange(day + 1)}
            >
              <IconChevronRight size={18} className="chart-arrow" />
            </ActionIcon>
          </Group>
          {line && (
            <Text size="sm" c="dimmed" ta="center">
              {line.name}: <bdi>{formatCount(line, day, i18n.language)}</bdi>
            </Text>
          )}
          {entries.length === 0 && (
            <Text c="dimmed" ta="center" py="lg">
              {t(`${unit.period}.empty`)}
            </Text>
          )}
          <ul className="chart-day">
            {entries.map(({ key, name, value }) => (
              <li key={key}>
                <div className="chart-day-row">
                  <span className="chart-tooltip-swatch" style={{ background: colorOf(key) }} />
                  <span className="chart-legend-name" dir="auto">
                    {name}
                  </span>
                  <span className="chart-figure">{unit.format(value, i18n.language)}</span>
                </div>
                <div className="chart-day-bar" style={{ width: `${(value / largest) * 100}%`, background: colorOf(key) }} />
              </li>
            ))}
          </ul>
        </Stack>
      )}
    </ModalFrame>
  )
}
