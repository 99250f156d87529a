import type { Node } from '@causeway/contract'
import { Tooltip, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy, IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/formats.ts'
import { showError, showSuccess } from '../../api/toasts.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { shortDuration } from '../../lib/durations.ts'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { SortableRow, type RowPlace } from '../../ui/sortable-list.tsx'
import { TrafficBar } from '../../ui/traffic-bar.tsx'
import { useCopy } from '../../ui/use-copy.ts'
import { ProviderIcon } from '../infra-billing/parts/provider-icon.tsx'
import { NodeStateBadge } from './parts/node-state-badge.tsx'
import classes from './nodes.module.css'
import { nodeState, shownUptime } from './nodes.rules.ts'

/** On this page a copy is confirmed for one second only. */
const NODE_COPY_FEEDBACK_MS = 1000

interface Props {
  node: Node
  place: RowPlace
  onOpen: () => void
}

export function NodeRow({ node, place, onOpen }: Props) {
  const { t } = useTranslation('nodes')
  const state = nodeState(node)
  return (
    <SortableRow
      id={node.uuid}
      place={place}
      moveLabel={t('move', { name: node.name })}
      className={classes['row']}
      data={{ 'data-state': state }}
      onOpen={onOpen}
    >
      {(handle) => (
        <>
          {handle}
          <div className={classes['state']}>
            <NodeStateBadge node={node} />
            {state === 'connected' && <OnlineUsers count={node.usersOnline ?? 0} />}
            {node.warning && <Warning text={node.warning} />}
          </div>
          <div className={classes['identity']}>
            <UnstyledButton className={classes['name']!} onClick={onOpen}>
              <CountryFlag code={node.countryCode} />
              <span>{node.name}</span>
            </UnstyledButton>
            <Provider node={node} />
            <Address address={node.port === null ? node.address : `${node.address}:${node.port}`} copied={node.address} />
          </div>
          <Traffic node={node} />
          <Core node={node} />
        </>
      )}
    </SortableRow>
  )
}

function OnlineUsers({ count }: { count: number }) {
  const { t, i18n } = useTranslation('nodes')
  return (
    <Tooltip label={t('usersOnline', { count })}>
      <span className={classes['online']} role="img" aria-label={t('usersOnline', { count })}>
        <IconUsers size={14} aria-hidden />
        {numberFormat(i18n.language).format(count)}
      </span>
    </Tooltip>
  )
}

/** Something that an administrator should look at, though the node works. */
function Warning({ text }: { text: string }) {
  return (
    <Tooltip label={text} multiline maw={320}>
      <span className={classes['warning']} role="img" aria-label={text}>
        <IconAlertTriangle size={16} aria-hidden />
      </span>
    </Tooltip>
  )
}

function Address({ address, copied }: { address: string; copied: string }) {
  const { t } = useTranslation('nodes')
  const { t: ui } = useTranslation('ui')
  const { isCopied, copy } = useCopy(NODE_COPY_FEEDBACK_MS)
  const Icon = isCopied ? IconCheck : IconCopy

  async function copyAndSay(): Promise<void> {
    if (await copy(copied)) showSuccess(ui('copied'))
    else showError(ui('copyFailed'), copied)
  }
  return (
    <UnstyledButton className={classes['address']!} aria-label={t('copyAddress', { address })} onClick={() => void copyAndSay()}>
      <bdi>{address}</bdi>
      <Icon size={12} aria-hidden />
    </UnstyledButton>
  )
}

function Provider({ node }: { node: Node }) {
  if (node.provider === null) return null
  return (
    <div className={classes['provider']}>
      <ProviderIcon provider={node.provider} size={14} />
      <span>{node.provider.name}</span>
    </div>
  )
}

function Traffic({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const used = node.trafficUsedBytes ?? 0
  const limit = node.isTrafficTrackingActive ? (node.trafficLimitBytes ?? 0) : undefined
  const usedText = formatBytes(used, i18n.language)
  const limitText = limit === undefined ? '∞' : formatBytes(limit, i18n.language)
  return (
    <div className={classes['traffic']}>
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

function Core({ node }: { node: Node }) {
  const { t, i18n } = useTranslation('nodes')
  const uptime = shownUptime(node)
  return (
    <div className={classes['core']}>
      {uptime === undefined ? (
        <span className={classes['offline']}>{t('offline')}</span>
      ) : (
        <Tooltip label={t('uptime')}>
          <bdi>{shortDuration(uptime, i18n.language)}</bdi>
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
