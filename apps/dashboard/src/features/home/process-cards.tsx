import { Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { MetricStrip } from '../../ui/chart/metric-strip.tsx'
import { LoadingRows } from '../../ui/frames/states.tsx'
import { HomeSection } from './home-section.tsx'
import { healthQuery } from './home.queries.ts'
import { averageCpu, cpuColor, localSize, totalMemoryMib } from './home.rules.ts'
import classes from './home.module.css'

const MIB = 1024 ** 2

export function PanelUsageCard() {
  const { t, i18n } = useTranslation('home')
  const { data } = useQuery(healthQuery())
  const percent = numberFormat(i18n.language, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return (
    <HomeSection title={t('panel.title')}>
      <MetricStrip
        label={t('panel.title')}
        metrics={[
          { label: t('panel.processes'), value: data?.pm2Stats.length },
          {
            label: t('panel.memory'),
            value: data && <bdi>{formatBytes(totalMemoryMib(data.pm2Stats) * MIB, i18n.language)}</bdi>,
          },
          { label: t('panel.cpu'), value: data && <bdi>{percent.format(averageCpu(data.pm2Stats) / 100)}</bdi> },
        ]}
      />
    </HomeSection>
  )
}

export function ProcessesCard() {
  const { t, i18n } = useTranslation('home')
  const { data, isPending } = useQuery(healthQuery())
  const percent = numberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 2 })
  return (
    <HomeSection title={t('processes.title')}>
      {isPending && <LoadingRows count={3} height={32} />}
      {data && (
        <Table className={classes['processes']!} aria-label={t('processes.title')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('processes.name')}</Table.Th>
              <Table.Th>{t('processes.cpu')}</Table.Th>
              <Table.Th>{t('processes.memory')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.pm2Stats.map(({ name, cpu, memory }) => (
              <Table.Tr key={name}>
                <Table.Td>{name}</Table.Td>
                <Table.Td>
                  <span className={classes['cpu']} data-color={cpuColor(Number(cpu))}>
                    <bdi>{percent.format(Number(cpu) / 100)}</bdi>
                  </span>
                </Table.Td>
                <Table.Td>
                  <bdi>{localSize(memory, i18n.language)}</bdi>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </HomeSection>
  )
}
