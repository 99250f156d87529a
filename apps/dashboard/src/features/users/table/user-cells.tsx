import type { User } from '@causeway/contract'
import { IconPencil } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { connectionColor, exactTime, expirationText, lastSeenText, relativeTime } from '../../../lib/time/dates.ts'
import { useNow } from '../../../lib/time/now.ts'
import { Chip, FlagNameCell, NoValue } from '../../../ui/rows/cells.tsx'
import cells from '../../../ui/rows/cells.module.css'
import { CopyButton } from '../../../ui/inputs/copy-field.tsx'
import { MiddleText } from '../../../ui/middle-text.tsx'
import { StatusDot } from '../../../ui/status-badge.tsx'
import { useDateFallbacks } from '../form/use-date-fallbacks.ts'
import { expiryUrgency } from '../users.rules.ts'
import classes from '../users.module.css'

export function UserNameCell({ user }: { user: User }) {
  return (
    <div className={classes['nameCell']}>
      <div className={classes['twoLines']}>
        <span className={`${cells['line']} ${classes['name']}`} dir="auto" title={user.username}>
          {user.username}
        </span>
        <LastSeen onlineAt={user.onlineAt} />
      </div>
      <EditButton user={user} />
    </div>
  )
}

/** Opens the form; the row or card itself opens what there is to look at. */
export function EditButton({ user, isLarge }: { user: User; isLarge?: true }) {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  return (
    <button
      type="button"
      className={classes['look']}
      data-large={isLarge}
      data-tap
      aria-label={t('overview.editNamed', { name: user.username })}
      title={t('overview.editNamed', { name: user.username })}
      onClick={(event) => {
        event.stopPropagation()
        void navigate({ to: '.', search: (old) => ({ ...old, edit: user.uuid }) })
      }}
    >
      <IconPencil size={16} />
    </button>
  )
}

/** Online, or how long ago; colour and word say the same. */
export function LastSeen({ onlineAt }: { onlineAt: string | null }) {
  const { t, i18n } = useTranslation('users')
  const now = useNow()
  const fallbacks = useDateFallbacks()
  const color = connectionColor(onlineAt, now)
  const text = color === 'teal' ? t('online') : lastSeenText(onlineAt, now, i18n.language, fallbacks)
  return (
    <span
      className={`${cells['note']} ${classes['lastSeen']}`}
      title={onlineAt ? exactTime(new Date(onlineAt), i18n.language) : text}
    >
      <StatusDot color={color} isPulsing={color === 'teal'} />
      <span className={cells['ellipsis']}>{text}</span>
    </span>
  )
}

export function LastNodeCell({ user }: { user: User }) {
  const node = user.lastConnectedNode
  if (!node) return <NoValue />
  return <FlagNameCell countryCode={node.countryCode} name={node.nodeName} />
}

export function ExpiryCell({ expireAt }: { expireAt: string }) {
  const { t, i18n } = useTranslation('users')
  const now = useNow()
  const text = expirationText(expireAt, i18n.language, useDateFallbacks())
  const urgency = expiryUrgency(expireAt, now)
  if (urgency === 'never')
    return (
      <span aria-label={t('neverExpires')} title={t('neverExpires')} role="img">
        {text}
      </span>
    )
  const date = new Date(expireAt)
  return (
    <div className={classes['twoLines']} title={exactTime(date, i18n.language)}>
      <span className={cells['line']}>{text}</span>
      <span className={cells['note']} data-urgency={urgency}>
        {relativeTime(date, now, i18n.language)}
      </span>
    </div>
  )
}

export function SubscriptionCell({ user }: { user: User }) {
  const { t } = useTranslation('users')
  return (
    <span className={cells['inline']}>
      <MiddleText text={user.shortUuid} />
      <CopyButton value={user.subscriptionUrl} label={t('copySubscription')} />
    </span>
  )
}

export function TagCell({ tag }: { tag: string | null }) {
  return tag === null ? <NoValue /> : <Chip text={tag} title={tag} dir="ltr" />
}

export function SquadsCell({ squads }: { squads: User['activeInternalSquads'] }) {
  const { t } = useTranslation('users')
  const [first] = squads
  if (!first) return <NoValue />
  return (
    <Chip
      text={squads.length === 1 ? first.name : t('squadCount', { count: squads.length })}
      title={squads.map(({ name }) => name).join(', ')}
    />
  )
}
