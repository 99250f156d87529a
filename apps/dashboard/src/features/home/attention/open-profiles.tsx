import type { OpenProfile } from '@causeway/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { AnyItem } from './attention-row.tsx'
import { useCloseLocalNetworks } from '../home.queries.ts'
import classes from '../home.module.css'

/** Profiles by which subscribers reach the networks that their nodes stand in, each with the change. */
export function openProfileItems(profiles: readonly OpenProfile[], t: TFunction<'home'>): AnyItem[] {
  return profiles.map((profile) => ({
    key: `open-${profile.uuid}`,
    color: 'yellow',
    state: t('attention.open'),
    note: t('attention.openHelp'),
    what: (
      <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid: profile.uuid }} className={classes['link']}>
        <bdi>{profile.name}</bdi>
      </Link>
    ),
    action: <CloseButton profile={profile} />,
  }))
}

function CloseButton({ profile: { uuid, name } }: { profile: OpenProfile }) {
  const { t } = useTranslation('home')
  const close = useCloseLocalNetworks()
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={t('attention.closeOf', { name })}
      title={t('attention.closeHow')}
      loading={close.isPending}
      onClick={() => close.mutate({ uuid })}
    >
      {t('attention.close')}
    </Button>
  )
}
