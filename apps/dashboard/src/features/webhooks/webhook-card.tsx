import { deleteWebhook, type Webhook } from '@causeway/contract'
import { Button, Menu } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconRefresh, IconRotate, IconSend } from '@tabler/icons-react'
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
import { useWebhookActions } from './webhooks.queries.ts'
import { healthOf, type Health } from './webhooks.rules.ts'
import cards from '../../ui/rows/card-list.module.css'
import classes from './webhooks.module.css'

const HEALTH_COLORS: Record<Health, StatusColor> = {
  paused: 'gray',
  stopped: 'red',
  failing: 'yellow',
  waiting: 'blue',
  fine: 'teal',
  new: 'gray',
}

/** A webhook with its health at a glance. */
export function WebhookCard({ hook }: { hook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const health = healthOf(hook)
  const test = useDialog('test')
  return (
    <li className={cards['card']}>
      <div className={cards['top']}>
        <h2 className={cards['name']} title={hook.name} dir="auto">
          {hook.name}
        </h2>
        <StatusBadge color={HEALTH_COLORS[health]} label={t(`health.${health}`)} />
        <WebhookMenu hook={hook} />
      </div>
      <div className={classes['url']} dir="ltr">
        <MiddleText text={hook.url} />
      </div>
      {hook.isFromEnvironment && <p className={classes['note']}>{t('fromEnvironment')}</p>}
      {hook.overlapEndsAt !== null && (
        <p className={classes['note']}>{hook.hasNewSecret ? t('overlap.accepted') : t('overlap.pending')}</p>
      )}
      {hook.lastError !== null && (
        <p className={classes['error']} role="status">
          {inOurWords(hook.lastError)}
        </p>
      )}
      {hook.missed > 0 && <p className={classes['error']}>{t('missed', { count: hook.missed })}</p>}
      <dl className={classes['facts']}>
        <Fact label={t('fact.success')}>
          {hook.lastSuccessAt === null ? t('never') : <RelativeTime at={hook.lastSuccessAt} />}
        </Fact>
        {hook.failingSince === null ? (
          <Fact label={t('fact.events')}>
            {hook.events === null ? t('events.all') : t('events.count', { count: hook.events.length })}
          </Fact>
        ) : (
          <Fact label={t('fact.failing')}>
            <RelativeTime at={hook.failingSince} />
          </Fact>
        )}
        <Fact label={t('fact.waiting')}>{t('number', { count: hook.waiting })}</Fact>
        <Fact label={t('fact.failed')}>{t('number', { count: hook.failed })}</Fact>
      </dl>
      <div className={classes['actions']}>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link to="/dashboard/utils/webhooks/$uuid" params={{ uuid: hook.uuid }} {...props} />}
        >
          {t('deliveries.open')}
        </Button>
        <Button size="xs" variant="default" leftSection={<IconSend size={14} aria-hidden />} onClick={() => test.open(hook.uuid)}>
          {t('test.open')}
        </Button>
      </div>
    </li>
  )
}

function WebhookMenu({ hook }: { hook: Webhook }) {
  const { t } = useTranslation('webhooks')
  const { t: ui } = useTranslation('ui')
  const confirmDelete = useConfirmDelete()
  const edit = useDialog('edit')
  const rotate = useDialog('rotate')
  const { pause, remove, resendFailed } = useWebhookActions()
  const { uuid, name, isFromEnvironment: isFixed } = hook
  const isOff = hook.isPaused || hook.stoppedAt !== null

  async function askToDelete(): Promise<void> {
    if (await confirmDelete(t('delete.title', { name }), t('delete.body'))) remove.mutate({ uuid })
  }
  return (
    <RowMenu label={t('more', { name })} isBusy={pause.isPending || remove.isPending || resendFailed.isPending}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} disabled={isFixed} onClick={() => edit.open(uuid)}>
        {ui('edit')}
      </Menu.Item>
      <Menu.Item leftSection={<IconRotate size={16} aria-hidden />} disabled={isFixed} onClick={() => rotate.open(uuid)}>
        {t('rotate.open')}
      </Menu.Item>
      <Menu.Item
        leftSection={isOff ? <IconPlayerPlay size={16} aria-hidden /> : <IconPlayerPause size={16} aria-hidden />}
        onClick={() => pause.mutate({ uuid, isPaused: !isOff })}
      >
        {isOff ? t('resume') : t('pause')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconRefresh size={16} aria-hidden />}
        disabled={hook.failed === 0}
        onClick={() => resendFailed.mutate({ uuid })}
      >
        {t('resendFailed')}
      </Menu.Item>
      {!isFixed && <HistoryItem target={uuid} />}
      {!isFixed && (
        <>
          <Menu.Divider />
          <May call={deleteWebhook}>
            <DeleteItem onDelete={() => void askToDelete()} />
          </May>
        </>
      )}
    </RowMenu>
  )
}
