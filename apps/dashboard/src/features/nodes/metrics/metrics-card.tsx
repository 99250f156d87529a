import { ActionIcon, Text } from '@mantine/core'
import { IconChartBar, IconEdit, IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { exactTime } from '../../../lib/time/dates.ts'
import { numberFormat } from '../../../lib/numbers/formats.ts'
import { CountryFlag } from '../../../ui/country-flag.tsx'
import { RollingBytes } from '../../../ui/traffic/rolling-bytes.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { METRICS_PERIOD_MS } from './metrics.queries.ts'
import type { NodeMetrics, TagTraffic } from './metrics.rules.ts'
import { Tooltip } from '../../../ui/frames/tooltip.tsx'
import classes from './metrics.module.css'

/** `asOf`: nothing newer could be read than this. */
export function MetricsCard({ node, asOf }: { node: NodeMetrics; asOf: string | undefined }) {
  const { t, i18n } = useTranslation('node-metrics')
  const edit = useDialog('edit')
  const users = useDialog('node')
  const online = t('online', { count: node.usersOnline })
  return (
    <article className={classes['card']} aria-label={node.name} data-away={!node.isConnected || undefined}>
      <header className={classes['head']}>
        <div className={classes['who']}>
          <h2 className={classes['name']}>
            <CountryFlag code={node.countryCode} />
            <bdi>{node.name}</bdi>
          </h2>
          <Text size="xs" c="dimmed" truncate dir="auto">
            {node.providerName ?? t('noProvider')}
          </Text>
        </div>
        <Tooltip label={online}>
          <span className={classes['online']} role="img" aria-label={online}>
            <IconUsers size={16} aria-hidden />
            {numberFormat(i18n.language).format(node.usersOnline)}
          </span>
        </Tooltip>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('users', { name: node.name })}
          onClick={() => users.open(node.uuid)}
        >
          <IconChartBar size={18} />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t('edit', { name: node.name })}
          onClick={() => edit.open(node.uuid)}
        >
          <IconEdit size={18} />
        </ActionIcon>
      </header>
      <AsOf node={node} asOf={asOf} />
      <Tags title={t('inbounds')} none={t('noInbounds')} tags={node.inbounds} />
      <Tags title={t('outbounds')} none={t('noOutbounds')} tags={node.outbounds} />
    </article>
  )
}

/** A node whose figures cannot be read shows their time. */
function AsOf({ node, asOf }: { node: NodeMetrics; asOf: string | undefined }) {
  const { t, i18n } = useTranslation('node-metrics')
  if (node.isConnected && asOf === undefined) return null
  const at = node.countedThroughAt
  const time = exactTime(new Date(at ?? asOf ?? 0), i18n.language)
  const sentence = node.isConnected ? 'asOf' : node.isDisabled ? 'disabled' : 'stale'
  return (
    <Text size="xs" className={classes['asOf']!}>
      {at === null ? t('never') : t(sentence, { time })}
    </Text>
  )
}

function Tags({ title, none, tags }: { title: string; none: string; tags: readonly TagTraffic[] }) {
  const { t } = useTranslation('node-metrics')
  return (
    <table className={classes['tags']}>
      <caption className={classes['caption']}>{title}</caption>
      {tags.length > 0 && (
        <thead>
          <tr>
            <th scope="col">{t('tag')}</th>
            <th scope="col">{t('upload')}</th>
            <th scope="col">{t('download')}</th>
          </tr>
        </thead>
      )}
      <tbody>
        {tags.length === 0 && (
          <tr>
            <td colSpan={3} className={classes['none']}>
              {none}
            </td>
          </tr>
        )}
        {tags.map(({ tag, uploadBytes, downloadBytes }) => (
          <tr key={tag} data-idle={uploadBytes + downloadBytes === 0 || undefined}>
            <th scope="row" title={tag}>
              <bdi>{tag}</bdi>
            </th>
            <td>
              <RollingBytes bytes={uploadBytes} overMs={METRICS_PERIOD_MS} />
            </td>
            <td>
              <RollingBytes bytes={downloadBytes} overMs={METRICS_PERIOD_MS} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
