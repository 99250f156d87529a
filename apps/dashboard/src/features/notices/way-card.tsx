import { deleteNoticeWay, type NoticeWay, type NoticeWayKind } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import {
  IconBrandTelegram,
  IconMail,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconSend,
  IconWebhook,
  type TablerIcon,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { inOurWords } from '../../api/server-sentences.ts'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { MiddleText } from '../../ui/middle-text.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { StatusBadge, type StatusColor } from '../../ui/status-badge.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { Fact } from '../../ui/fact.tsx'
import { HeldText } from './held-text.tsx'
import { useNoticeActions } from './notices.queries.ts'
import { healthOf, targetOf, type Health } from './notices.rules.ts'
import cards from '../../ui/rows/card-list.module.css'
import classes from './notices.module.css'

const ICONS: Record<NoticeWayKind, TablerIcon> = { telegram: IconBrandTelegram, email: IconMail, webhook: IconWebhook }

const HEALTH_COLORS: Record<Health, StatusColor> = {
  paused: 'gray',
  failing: 'red',
  quiet: 'gray',
  held: 'gray',
  waiting: 'blue',
  fine: 'teal',
  new: 'gray',
}

/** A receiver with its health at a glance. */
export function WayCard({ way }: { way: NoticeWay }) {
  const { t } = useTranslation('notices')
  const health = healthOf(way)
  const test = useDialog('test')
  const Icon = ICONS[way.kind]
  return (
    <li className={cards['card']}>
      <div className={cards['top']}>
        <Icon size={20} aria-label={t(`kind.${way.kind}`)} role="img" />
        <h2 className={cards['name']} title={way.name} dir="auto">
          {way.name}
        </h2>
        <StatusBadge color={HEALTH_COLORS[health]} label={t(`health.${health}`)} />
        <WayMenu way={way} />
      </div>
      <div className={classes['target']} dir="ltr">
        <MiddleText text={targetOf(way)} />
      </div>
      {way.isFromEnvironment && <p className={classes['note']}>{t('way.fromEnvironment')}</p>}
      {way.rules === 0 && <p className={classes['note']}>{t('way.noRules')}</p>}
      {way.held !== null && (
        <p className={classes['note']}>
          <HeldText held={way.held} />
        </p>
      )}
      {way.lastError !== null && (
        <p className={classes['error']} role="status">
          {inOurWords(way.lastError)}
        </p>
      )}
      <dl className={classes['facts']}>
        <Fact label={t('fact.success')}>{way.lastSuccessAt === null ? t('never') : <RelativeTime at={way.lastSuccessAt} />}</Fact>
        {way.failingSince === null ? (
          <Fact label={t('fact.rules')}>{t('number', { count: way.rules })}</Fact>
        ) : (
          <Fact label={t('fact.failing')}>
            <RelativeTime at={way.failingSince} />
          </Fact>
        )}
        <Fact label={t('fact.waiting')}>{t('number', { count: way.waiting })}</Fact>
        <Fact label={t('fact.failed')}>{t('number', { count: way.failed })}</Fact>
      </dl>
      <div className={classes['actions']}>
        <Button size="xs" variant="default" leftSection={<IconSend size={14} aria-hidden />} onClick={() => test.open(way.uuid)}>
          {t('test.open')}
        </Button>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/dashboard/utils/notices/messages" search={{ way: way.uuid }} {...props} />}
        >
          {t('messages.ofWay')}
        </Button>
      </div>
    </li>
  )
}

function WayMenu({ way }: { way: NoticeWay }) {
  const { t } = useTranslation('notices')
  const { t: ui } = useTranslation('ui')
  const confirmDelete = useConfirmDelete()
  const edit = useDialog('edit')
  const { pauseWay, removeWay } = useNoticeActions()
  const { uuid, name, isPaused, isFromEnvironment: isFixed } = way

  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('way.deleteTitle', { name }), t('way.deleteBody'))) removeWay.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={pauseWay.isPending || removeWay.isPending}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} disabled={isFixed} onClick={() => edit.open(uuid)}>
        {ui('edit')}
      </Menu.Item>
      <Menu.Item
        leftSection={isPaused ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        onClick={() => pauseWay.mutate({ uuid, isPaused: !isPaused })}
      >
        {isPaused ? t('resume') : t('pause')}
      </Menu.Item>
      {!isFixed && <HistoryItem target={uuid} />}
      {!isFixed && (
        <>
          <Menu.Divider />
          <May call={deleteNoticeWay}>
            <DeleteItem onDelete={() => void askToDelete()} />
          </May>
        </>
      )}
    </RowMenu>
  )
}
