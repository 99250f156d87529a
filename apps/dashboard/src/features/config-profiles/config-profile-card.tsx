import { deleteConfigProfile, updateConfigProfile, type ConfigProfile } from '@causeway/contract'
import { Badge, Button, Menu } from '@mantine/core'
import { IconPencil, IconServer2 } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { May } from '../../api/rights/may.tsx'
import { HistoryItem } from '../history/parts/history-item.tsx'
import { DeleteItem } from '../../ui/delete-item.tsx'
import { useConfirmDelete } from '../../ui/frames/confirm.tsx'
import { RelativeTime } from '../../ui/calendar/relative-time.tsx'
import { RowMenu } from '../../ui/rows/row-menu.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useDeleteConfigProfile } from './config-profiles.queries.ts'
import classes from './config-profiles.module.css'
import { useRollout } from './rollouts/rollouts.queries.ts'
import { isTold, turnsOver } from './rollouts/rollouts.rules.ts'
import { Planned } from './parts/planned.tsx'

const SHOWN_TAGS = 4

export function ConfigProfileCard({ profile }: { profile: ConfigProfile }) {
  const { t } = useTranslation('config-profiles')
  const nodes = useDialog('nodes')
  const rename = useDialog('rename')
  const confirmDelete = useConfirmDelete()
  const remove = useDeleteConfigProfile()
  const hidden = profile.inbounds.length - SHOWN_TAGS

  async function askAndDelete(): Promise<void> {
    const nodesAndInbounds = {
      nodes: t('nodes', { count: profile.nodes.length }),
      inbounds: t('inbounds', { count: profile.inbounds.length }),
    }
    const body = <Planned change={{ deleteProfile: { uuid: profile.uuid } }}>{t('delete.body', nodesAndInbounds)}</Planned>
    if (await confirmDelete(t('delete.title', { name: profile.name }), body)) remove.mutate({ uuid: profile.uuid })
  }
  return (
    <li className={classes['card']}>
      <div className={classes['top']}>
        <h2 className={classes['name']} title={profile.name} dir="auto">
          <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid: profile.uuid }}>
            {profile.name}
          </Link>
        </h2>
        <RowMenu label={t('more', { name: profile.name })} isBusy={remove.isPending}>
          <Menu.Item leftSection={<IconServer2 size={16} aria-hidden />} onClick={() => nodes.open(profile.uuid)}>
            {t('activeNodes')}
          </Menu.Item>
          <May call={updateConfigProfile}>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => rename.open(profile.uuid)}>
              {t('rename.open')}
            </Menu.Item>
          </May>
          <HistoryItem target={profile.uuid} />
          <May call={deleteConfigProfile}>
            <DeleteItem onDelete={() => void askAndDelete()} />
          </May>
        </RowMenu>
      </div>
      <div className={classes['tags']}>
        {profile.inbounds.slice(0, SHOWN_TAGS).map((inbound) => (
          <Badge key={inbound.uuid} variant="default">
            {inbound.tag}
          </Badge>
        ))}
        {hidden > 0 && <Badge variant="default">{t('moreInbounds', { count: hidden })}</Badge>}
      </div>
      <RolloutBadge profile={profile} />
      <div className={classes['foot']}>
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          ms={-8}
          leftSection={<IconServer2 size={14} aria-hidden />}
          onClick={() => nodes.open(profile.uuid)}
        >
          {t('nodes', { count: profile.nodes.length })}
        </Button>
        <span style={{ paddingInlineEnd: '0.5rem' }}>
          <RelativeTime at={profile.updatedAt} />
        </span>
      </div>
    </li>
  )
}

const ROLLOUT_COLORS = { running: 'blue', paused: 'yellow', failed: 'red' } as const

/** A new revision of it is on its way, or was put back; more is said on its page. */
function RolloutBadge({ profile }: { profile: ConfigProfile }) {
  const { t } = useTranslation('config-profiles')
  const rollout = useRollout(profile.uuid)
  if (!rollout || rollout.state === 'takenBack' || !isTold(rollout, profile)) return null
  const shown = rollout.state === 'failed' ? 'failed' : rollout.isPaused ? 'paused' : 'running'
  return (
    // As wide as its words, not as the card.
    <div>
      <StatusBadge
        color={ROLLOUT_COLORS[shown]}
        label={t(`rollout.${shown}`, turnsOver(rollout))}
        isPulsing={shown === 'running'}
      />
    </div>
  )
}
