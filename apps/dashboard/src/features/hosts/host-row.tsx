import type { Host } from '@causeway/contract'
import { Badge, Checkbox, UnstyledButton } from '@mantine/core'
import { IconEye, IconEyeOff, IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { numberFormat } from '../../lib/numbers/formats.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { SortableRow, type RowPlace } from '../../ui/rows/sortable-list.tsx'
import { Tooltip } from '../../ui/frames/tooltip.tsx'
import classes from './hosts.module.css'
import { tagsOf, type HostOrigin } from './hosts.rules.ts'

const SHOWN_TAGS = 2

interface Props {
  host: Host
  origin: HostOrigin
  isDimmed: boolean
  isHighlighted: boolean
  isSelected: boolean
  place: RowPlace
  onToggle: () => void
  onOpen: () => void
}

export function HostRow({ host, origin, isDimmed, isHighlighted, isSelected, place, onToggle, onOpen }: Props) {
  const { t } = useTranslation('hosts')
  return (
    <SortableRow
      id={host.uuid}
      place={place}
      moveLabel={t('move', { name: host.remark })}
      isMeasured
      isLocked={isDimmed}
      className={classes['row']}
      data={{
        'data-dimmed': isDimmed || undefined,
        'data-highlighted': isHighlighted || undefined,
        'data-selected': isSelected || undefined,
      }}
      onOpen={onOpen}
    >
      {(handle) => (
        <>
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
            handle
          )}
          <HostState isDisabled={host.isDisabled} />
          <UnstyledButton className={classes['remark']!} dir="auto" title={host.remark} onClick={onOpen}>
            {host.remark}
          </UnstyledButton>
          <bdi className={classes['address']}>
            {host.address}:{host.port}
          </bdi>
          {host.disabledUntil && (
            <Badge variant="light" color="yellow" tt="none">
              {t('hide.back')} <RelativeTime at={host.disabledUntil} />
            </Badge>
          )}
          <Origin origin={origin} tags={tagsOf(host)} />
        </>
      )}
    </SortableRow>
  )
}

/** Whether it is offered, which is no health: so neither green nor a tick. */
function HostState({ isDisabled }: { isDisabled: boolean }) {
  const { t } = useTranslation('hosts')
  const label = t(isDisabled ? 'state.disabled' : 'state.enabled')
  const Icon = isDisabled ? IconEyeOff : IconEye
  return (
    <Tooltip label={label}>
      <span role="img" aria-label={label} className={classes['state']} data-disabled={isDisabled || undefined}>
        <Icon size={18} stroke={1.75} aria-hidden />
      </span>
    </Tooltip>
  )
}

/** The first ones, and how many more. */
function Tags({ tags }: { tags: readonly string[] }) {
  const { i18n } = useTranslation('hosts')
  if (tags.length === 0) return null
  const more = tags.length - SHOWN_TAGS
  return (
    <span className={classes['tags']} title={tags.join(', ')}>
      {tags.slice(0, SHOWN_TAGS).map((tag) => (
        <Badge key={tag} variant="light" color="gray" className={classes['tag']!}>
          {tag}
        </Badge>
      ))}
      {more > 0 && (
        <Badge variant="light" color="gray">
          +{numberFormat(i18n.language).format(more)}
        </Badge>
      )}
    </span>
  )
}

function Origin({ origin, tags }: { origin: HostOrigin; tags: readonly string[] }) {
  const { t } = useTranslation('hosts')
  return (
    <span className={classes['origin']}>
      <Tags tags={tags} />
      <Badge
        variant={origin.inbound ? 'default' : 'light'}
        color={origin.inbound ? 'gray' : 'yellow'}
        className={classes['inbound']!}
        title={origin.inbound?.tag}
      >
        {origin.inbound?.tag ?? t('unknown')}
      </Badge>
      <Badge variant={origin.profile ? 'default' : 'light'} color={origin.profile ? 'gray' : 'red'} title={origin.profile?.name}>
        {origin.profile?.name ?? t('dangling')}
      </Badge>
    </span>
  )
}
