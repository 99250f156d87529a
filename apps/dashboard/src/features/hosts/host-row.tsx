import type { Host } from '@causeway/contract'
import { useSortable } from '@dnd-kit/sortable'
import { Badge, Checkbox, Tooltip, UnstyledButton } from '@mantine/core'
import { IconCircleCheck, IconCircleOff, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { isOnControl } from '../../lib/controls.ts'
import { DragHandle } from '../../ui/drag-handle.tsx'
import classes from './hosts.module.css'
import type { HostOrigin } from './hosts.rules.ts'

interface Props {
  host: Host
  origin: HostOrigin
  isDimmed: boolean
  isHighlighted: boolean
  isSelected: boolean
  index: number
  top: number
  /** Rows are as high as they need to be; the list has to know. */
  measure: (element: HTMLElement | null) => void
  onToggle: () => void
  onOpen: () => void
}

export function HostRow({ host, origin, isDimmed, isHighlighted, isSelected, index, top, measure, onToggle, onOpen }: Props) {
  const { t } = useTranslation('hosts')
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging } = useSortable({
    id: host.uuid,
    disabled: isDimmed,
  })
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- for the keyboard there is the remark
    <li
      ref={(element) => {
        setNodeRef(element)
        measure(element)
      }}
      data-index={index}
      className={classes['row']}
      onClick={(event) => {
        if (!isOnControl(event.target)) onOpen()
      }}
      data-dimmed={isDimmed || undefined}
      data-highlighted={isHighlighted || undefined}
      data-selected={isSelected || undefined}
      data-dragging={isDragging || undefined}
      // Rows move up and down only.
      style={{ top, transform: transform ? `translate3d(0, ${transform.y}px, 0)` : undefined, transition }}
    >
      <Checkbox
        aria-label={t('select', { name: host.remark })}
        checked={isSelected}
        onChange={onToggle}
        className={classes['check']!}
      />
      {isDimmed ? (
        <span className={classes['lock']} role="img" aria-label={t('locked')} title={t('locked')}>
          <IconLock size={16} aria-hidden />
        </span>
      ) : (
        <DragHandle
          label={t('move', { name: host.remark })}
          attributes={attributes}
          listeners={listeners}
          setRef={setActivatorNodeRef}
        />
      )}
      <HostState isDisabled={host.isDisabled} />
      <UnstyledButton className={classes['remark']!} onClick={onOpen}>
        {host.remark}
      </UnstyledButton>
      <bdi className={classes['address']}>
        {host.address}:{host.port}
      </bdi>
      <Origin origin={origin} />
    </li>
  )
}

function HostState({ isDisabled }: { isDisabled: boolean }) {
  const { t } = useTranslation('hosts')
  const label = t(isDisabled ? 'state.disabled' : 'state.enabled')
  const Icon = isDisabled ? IconCircleOff : IconCircleCheck
  return (
    <Tooltip label={label}>
      <span role="img" aria-label={label} className={classes['state']} data-disabled={isDisabled || undefined}>
        <Icon size={18} stroke={1.75} aria-hidden />
      </span>
    </Tooltip>
  )
}

function Origin({ origin }: { origin: HostOrigin }) {
  const { t } = useTranslation('hosts')
  return (
    <span className={classes['origin']}>
      <Badge variant={origin.inbound ? 'default' : 'light'} color={origin.inbound ? 'gray' : 'yellow'}>
        {origin.inbound?.tag ?? t('unknown')}
      </Badge>
      <Badge variant={origin.profile ? 'default' : 'light'} color={origin.profile ? 'gray' : 'red'}>
        {origin.profile?.name ?? t('dangling')}
      </Badge>
    </span>
  )
}
