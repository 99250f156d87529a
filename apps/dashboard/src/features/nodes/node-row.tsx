import type { Node } from '@causeway/contract'
import { Checkbox, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCopy, IconLock, IconUsers } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { showError, showSuccess } from '../../api/toasts.ts'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { CountryFlag } from '../../ui/country-flag.tsx'
import { SortableRow, type RowPlace } from '../../ui/rows/sortable-list.tsx'
import { useCopy } from '../../ui/inputs/use-copy.ts'
import { ProviderIcon } from '../infra-billing/parts/provider-icon.tsx'
import { Core, Throughput, Traffic, Trouble, type NodeFlow } from './node-figures.tsx'
import { NodeStateBadge } from './parts/node-state-badge.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import classes from './nodes.module.css'
import { hasTrouble, nodeState } from './nodes.rules.ts'

/** On this page a copy is confirmed for one second only. */
const NODE_COPY_FEEDBACK_MS = 1000

interface Props {
  node: Node
  flow: NodeFlow
  place: RowPlace
  isCompact: boolean
  /** As high as its words need, for screens on which they cannot stand in one line. */
  isMeasured: boolean
  /** Why it cannot be moved. */
  locked: string | undefined
  /** It was just made. */
  isNew: boolean
  isSelected: boolean
  onToggle: () => void
  onOpen: () => void
}

export function NodeRow({ node, flow, place, isCompact, isMeasured, locked, isNew, isSelected, onToggle, onOpen }: Props) {
  const { t } = useTranslation('nodes')
  const state = nodeState(node)
  return (
    <SortableRow
      id={node.uuid}
      place={place}
      moveLabel={t('move', { name: node.name })}
      className={classes['row']}
      isMeasured={isMeasured}
      isLocked={locked !== undefined}
      data={{
        'data-state': state,
        'data-compact': isCompact || undefined,
        'data-measured': isMeasured || undefined,
        'data-selected': isSelected || undefined,
        'data-new': isNew || undefined,
      }}
      onOpen={onOpen}
    >
      {(handle) => (
        <>
          <Checkbox
            aria-label={t('select', { name: node.name })}
            checked={isSelected}
            onChange={onToggle}
            className={classes['check']!}
          />
          <span className={classes['grip']}>{locked === undefined ? handle : <Lock reason={locked} />}</span>
          <div className={classes['state']}>
            <NodeStateBadge node={node} />
            {node.isConnected && <OnlineUsers count={node.usersOnline ?? 0} />}
            {node.warning && <Warning text={inOurWords(node.warning)} />}
          </div>
          <div className={classes['identity']}>
            <UnstyledButton className={classes['name']!} onClick={onOpen}>
              <CountryFlag code={node.countryCode} />
              <bdi title={node.name}>{node.name}</bdi>
            </UnstyledButton>
            <Provider node={node} />
            <Address address={node.port === null ? node.address : `${node.address}:${node.port}`} copied={node.address} />
          </div>
          <Traffic node={node} />
          {hasTrouble(node) ? (
            <Trouble node={node} />
          ) : (
            <>
              <Throughput flow={flow} isShown={node.isConnected} />
              <Core node={node} />
            </>
          )}
        </>
      )}
    </SortableRow>
  )
}

function Lock({ reason }: { reason: string }) {
  return (
    <span className={classes['lock']} role="img" aria-label={reason} title={reason}>
      <IconLock size={16} aria-hidden />
    </span>
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
    <UnstyledButton
      className={classes['address']!}
      data-tap
      aria-label={t('copyAddress', { address })}
      onClick={() => void copyAndSay()}
    >
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
      <span title={node.provider.name} dir="auto">
        {node.provider.name}
      </span>
    </div>
  )
}
