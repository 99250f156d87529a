import type { HistoryEntry } from '@causeway/contract'
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { sentenceOf } from './history-words.ts'
import classes from './history.module.css'

interface Props {
  label: string
  entries: readonly HistoryEntry[]
  onOpen: (id: number) => void
  /** The button of an entry that can be undone. */
  action?: { label: string; onClick: (id: number) => void }
}

/** Entries, newest first: when, who, from where, what. */
export function HistoryList({ label, entries, onOpen, action }: Props) {
  const { t } = useTranslation('history')
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return (
    <ul className={classes['list']} aria-label={label}>
      {entries.map((entry) => {
        const sentence = sentenceOf(t, entry, entry.undoes === null ? undefined : byId.get(entry.undoes))
        return (
          <li key={entry.id} className={classes['entry']}>
            <span className={classes['when']}>
              <RelativeTime at={entry.at} />
            </span>
            <span className={classes['who']}>
              <bdi>{actorText(entry)}</bdi>
              {entry.from !== null && <small dir="ltr">{entry.from}</small>}
            </span>
            <button
              type="button"
              className={classes['what']}
              onClick={() => onOpen(entry.id)}
              aria-label={t('openEntry', { sentence })}
            >
              <bdi>{sentence}</bdi>
            </button>
            <Group gap="xs" wrap="nowrap" justify="flex-end">
              {entry.undoneBy !== null && <StatusBadge color="gray" label={t('undone')} />}
              {action && entry.obstacle === null && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => action.onClick(entry.id)}
                  aria-label={`${action.label}: ${sentence}`}
                >
                  {action.label}
                </Button>
              )}
            </Group>
          </li>
        )
      })}
    </ul>
  )

  function actorText({ actor }: HistoryEntry): string {
    if (actor.kind === 'system') return t('system')
    return actor.name ?? t('unknownActor')
  }
}
