import type { HistoryEntry } from '@causeway/contract'
import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { useRowKeys } from '../../ui/rows/row-keys.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { sentenceOf } from './history-words.ts'
import classes from './history.module.css'

interface Props {
  label: string
  entries: readonly HistoryEntry[]
  onOpen: (id: number) => void
  /** The button of an entry that can be undone. */
  action?: { label: string; onClick: (entry: HistoryEntry) => void }
  /** Things of an entry that can be had alone, under the same button. */
  partsOf?: (id: number) => readonly { uuid: string; name: string }[]
  onPart?: (id: number, uuid: string) => void
}

/** Entries, newest first: time, actor, address, and the change in a sentence. */
export function HistoryList({ label, entries, onOpen, action, partsOf, onPart }: Props) {
  const { t } = useTranslation('history')
  return (
    <ul ref={useRowKeys<HTMLUListElement>()} data-pane className={classes['list']} aria-label={label}>
      {entries.map((entry) => {
        const sentence = sentenceOf(t, entry)
        const parts = partsOf?.(entry.id) ?? []
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
                  onClick={() => action.onClick(entry)}
                  aria-label={`${action.label}: ${sentence}`}
                >
                  {action.label}
                </Button>
              )}
            </Group>
            {action && parts.length > 0 && (
              <ul className={classes['parts']}>
                {parts.map(({ uuid, name }) => (
                  <li key={uuid}>
                    <bdi>{name}</bdi>
                    <Button
                      size="xs"
                      variant="light"
                      onClick={() => onPart?.(entry.id, uuid)}
                      aria-label={`${action.label}: ${t('deleted.in', { name, sentence })}`}
                    >
                      {action.label}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
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
