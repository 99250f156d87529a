import type { Node } from '@causeway/contract'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { formatBytes } from '../../lib/numbers/bytes.ts'
import { shortDuration } from '../../lib/time/durations.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { Sparkline } from '../../ui/chart/sparkline.tsx'
import { TrafficBar } from '../../ui/traffic/traffic-bar.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import classes from './nodes.module.css'
import { nodeState, shownUptime, withoutAddress } from './nodes.rules.ts'

/** Traffic of a node. */
export interface NodeFlow {
  /** Bytes of each whole hour of the last day. */
  hours: readonly number[]
  /** Bytes per second, on average since the hour began; undefined where nothing is known of it. */
  speedBps: number | undefined
}

export function Traffic({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const used = node.trafficUsedBytes ?? 0
  const limit = node.isTrafficTrackingActive ? (node.trafficLimitBytes ?? 0) : undefined
  const usedText = formatBytes(used, i18n.language)
  const limitText = limit === undefined || limit === 0 ? '∞' : formatBytes(limit, i18n.language)
  return (
    <div className={classes['traffic']} title={t('trafficOf')}>
      <div className={classes['figures']}>
        <bdi>{usedText}</bdi>
        <bdi>{limitText}</bdi>
      </div>
      <TrafficBar usedBytes={used} limitBytes={limit} label={t('trafficUsed', { used: usedText, limit: limitText })} />
      {node.isTrafficTrackingActive && (
        <span className={classes['reset']}>{t('resetDay', { day: node.trafficResetDay ?? 1 })}</span>
      )}
    </div>
  )
}

/** The last day as a line, and what goes through now. */
export function Throughput({ flow, isShown }: { flow: NodeFlow; isShown: boolean }) {
  const { t, i18n } = useTranslation('nodes')
  const { t: ui } = useTranslation('ui')
  if (!isShown) return <div className={classes['flow']} />
  const speed = ui('perSecond', { unit: formatBytes(flow.speedBps ?? 0, i18n.language) })
  return (
    <div className={classes['flow']}>
      <Sparkline values={flow.hours} label={t('flow', { speed })} width={104} height={22} />
      <bdi className={classes['speed']} title={t('flow', { speed })}>
        {speed}
      </bdi>
    </div>
  )
}

export function Core({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const uptime = shownUptime(node)
  return (
    <div className={classes['core']}>
      {uptime === undefined ? (
        // Of a core that is being started there is no uptime yet, and a new node is waited for: its badge says so.
        !node.isConnected && nodeState(node) !== 'waiting' && <span className={classes['offline']}>{t('offline')}</span>
      ) : (
        <Tooltip label={t('uptime')}>
          <bdi>{t('upFor', { time: shortDuration(uptime, i18n.language) })}</bdi>
        </Tooltip>
      )}
      {node.isConnected && (
        <span className={classes['versions']}>
          {t('versions', { xray: node.xrayVersion ?? '–', node: node.nodeVersion ?? '–' })}
        </span>
      )}
    </div>
  )
}

/** Since when a node is away, and why. */
export function Trouble({ node }: { node: Node }) {
  const { t } = useTranslation('nodes')
  const reason = node.lastStatusMessage === null ? '' : inOurWords(node.lastStatusMessage)
  return (
    <div className={classes['trouble']}>
      <span className={classes['since']}>
        {t('offline')}
        {node.lastStatusChange !== null && (
          <>
            {' · '}
            <RelativeTime at={node.lastStatusChange} />
          </>
        )}
      </span>
      {reason !== '' && (
        // In the reader's direction if it is translated, else in its own.
        <span className={classes['reason']} {...(reason === node.lastStatusMessage ? { dir: 'auto' } : {})} title={reason}>
          {withoutAddress(reason, node)}
        </span>
      )}
    </div>
  )
}
