import { LOG_LINES, NODE_LOGS, type LogLine, type NodeLog as Log } from '@causeway/contract'
import { Button, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../../api/server-sentences.ts'
import { dateFormat } from '../../../lib/numbers/formats.ts'
import { PageSection } from '../../../ui/frames/page-section.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { SearchField } from '../../../ui/inputs/search-field.tsx'
import { nodeLogQuery } from '../nodes.queries.ts'
import classes from './node-log.module.css'

/** The end of the log of core or agent. Read from the node only while it is looked at: `?log=core` opens it. */
export function NodeLog({ uuid }: { uuid: string }) {
  const { t } = useTranslation('nodes')
  const { value, open, close } = useDialog('log')
  const log = NODE_LOGS.find((name) => name === value)
  return (
    <PageSection
      title={t('log.title')}
      aside={
        log && (
          <SegmentedControl
            size="xs"
            aria-label={t('log.whose')}
            value={log}
            onChange={open}
            data={NODE_LOGS.map((name) => ({ value: name, label: t(`log.of.${name}`) }))}
          />
        )
      }
    >
      {log ? (
        <OpenLog key={log} uuid={uuid} log={log} onClose={close} />
      ) : (
        <div className={classes['closed']}>
          <Button variant="default" size="xs" onClick={() => open('core')}>
            {t('log.show')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('log.private')}
          </Text>
        </div>
      )}
    </PageSection>
  )
}

function OpenLog({ uuid, log, onClose }: { uuid: string; log: Log; onClose: () => void }) {
  const { t } = useTranslation('nodes')
  const [isPaused, setPaused] = useState(false)
  const [search, setSearch] = useState('')
  const { data, error, refetch } = useQuery(nodeLogQuery(uuid, log, isPaused))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} aria-busy />
  const sought = search.trim().toLowerCase()
  const found = sought === '' ? data.lines : data.lines.filter(({ text }) => text.toLowerCase().includes(sought))
  return (
    <>
      <div className={classes['tools']}>
        <SearchField label={t('log.search')} size="xs" onSearch={setSearch} className={classes['search']!} />
        <Text size="xs" c="dimmed" role="status">
          {sought === ''
            ? t('log.count', { count: data.lines.length })
            : t('log.found', { found: found.length, count: data.lines.length })}
        </Text>
        <Button
          variant="default"
          size="xs"
          leftSection={isPaused ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
          onClick={() => setPaused(!isPaused)}
        >
          {isPaused ? t('log.continue') : t('log.pause')}
        </Button>
        <Button variant="subtle" size="xs" onClick={onClose}>
          {t('log.hide')}
        </Button>
      </div>
      {data.error !== null && <EmptyState title={t('log.cannotTell')} hint={inOurWords(data.error)} />}
      {data.error === null && found.length === 0 && (
        <EmptyState
          title={sought === '' ? t('log.empty') : t('log.notFound')}
          {...(sought === '' ? { hint: t('log.emptyHint') } : {})}
        />
      )}
      {found.length > 0 && <Lines lines={found} label={t('log.title')} />}
    </>
  )
}

/** Links that open the log lead to it. */
function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: 'nearest' })
}

/** The newest line stands below, and stays in sight while new ones come, unless one has scrolled up. */
function Lines({ lines, label }: { lines: readonly LogLine[]; label: string }) {
  const { t, i18n } = useTranslation('nodes')
  const time = dateFormat(i18n.language, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <div ref={bringIntoView} className={classes['scroll']} role="log" aria-live="off" aria-label={label} tabIndex={0}>
      <ol className={classes['lines']} aria-label={t('log.count', { count: lines.length })}>
        {lines.map(({ at, level, text }, index) => (
          // Lines have no name of their own; nothing in them keeps state.
          <li key={index - lines.length + LOG_LINES} data-level={level ?? undefined}>
            <span className={classes['time']}>{at !== null && time.format(new Date(at))}</span>
            <span className={classes['level']}>{level !== null && t(`log.level.${level}`)}</span>
            <bdi dir="ltr">{text}</bdi>
          </li>
        ))}
      </ol>
    </div>
  )
}
