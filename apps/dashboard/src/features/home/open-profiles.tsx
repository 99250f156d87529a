import type { OpenProfile } from '@causeway/contract'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { AttentionRow } from './attention-row.tsx'
import { useCloseLocalNetworks } from './home.queries.ts'
import classes from './home.module.css'

/** Profiles by which subscribers reach the networks that their nodes stand in, each with the change. */
export function OpenProfiles({ profiles }: { profiles: readonly OpenProfile[] }) {
  const { t } = useTranslation('home')
  const close = useCloseLocalNetworks()
  return profiles.map(({ uuid, name }) => (
    <AttentionRow key={uuid} color="yellow" state={t('attention.open')} note={t('attention.openHelp')}>
      <Link to="/dashboard/management/config-profiles/$uuid" params={{ uuid }} className={classes['link']}>
        <bdi>{name}</bdi>
      </Link>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('attention.closeOf', { name })}
        title={t('attention.closeHow')}
        loading={close.isPending && close.variables.uuid === uuid}
        disabled={close.isPending}
        onClick={() => close.mutate({ uuid })}
      >
        {t('attention.close')}
      </Button>
    </AttentionRow>
  ))
}
