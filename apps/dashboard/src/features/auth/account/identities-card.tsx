import { oauth2Provider, type Identity, type OAuth2Provider } from '@causeway/contract'
import { Button, Group, Text } from '@mantine/core'
import { IconWorldShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useConfirm } from '../../../ui/frames/confirm.tsx'
import { TimeCell } from '../../../ui/rows/cells.tsx'
import { AccountCard } from './account-card.tsx'
import { AccountRow } from './account-row.tsx'
import { identitiesQuery, useStartLink, useUnlink } from './identities.queries.ts'
import classes from './account.module.css'

/** Accounts at sign-in providers that sign in here, where there are any or a provider is turned on. */
export function IdentitiesCard() {
  const { t } = useTranslation('account')
  const { data } = useQuery(identitiesQuery())
  const start = useStartLink()
  const name = useProviderName()
  if (!data || (data.identities.length === 0 && data.providers.length === 0)) return null
  return (
    <AccountCard id="identities" title={t('identities.title')}>
      <Text size="sm" c="dimmed">
        {t('identities.hint')}
      </Text>
      <ul className={classes['sessions']} aria-label={t('identities.title')}>
        {data.identities.map((identity) => (
          <IdentityRow key={identity.uuid} identity={identity} />
        ))}
      </ul>
      <Group gap="xs" mt="sm">
        {data.providers.map((provider) => (
          <Button
            key={provider}
            variant="default"
            loading={start.isPending && start.variables.provider === provider}
            onClick={() => start.mutate({ provider })}
          >
            {t('identities.link', { name: name(provider) })}
          </Button>
        ))}
      </Group>
    </AccountCard>
  )
}

function IdentityRow({ identity }: { identity: Identity }) {
  const { t } = useTranslation('account')
  const confirm = useConfirm()
  const unlink = useUnlink()
  const name = useProviderName()
  const { uuid, label, provider, createdAt } = identity

  async function onUnlink(): Promise<void> {
    const question = { title: t('identities.unlinkTitle', { label }), body: t('identities.unlinkBody') }
    if (await confirm({ ...question, action: t('identities.unlink'), isDangerous: true })) unlink.mutate({ uuid })
  }
  return (
    <AccountRow
      icon={IconWorldShare}
      name={<bdi className={classes['program']}>{label}</bdi>}
      facts={
        <>
          <span>{name(provider)}</span>
          <span>
            {t('identities.since')} <TimeCell at={createdAt} />
          </span>
        </>
      }
    >
      <Button
        size="compact-sm"
        variant="default"
        loading={unlink.isPending}
        aria-label={t('identities.unlinkOne', { label })}
        onClick={() => void onUnlink()}
      >
        {t('identities.unlink')}
      </Button>
    </AccountRow>
  )
}

/** A provider in words; one that this version does not know is called as the server calls it. */
function useProviderName(): (provider: string) => string {
  const { t } = useTranslation('auth')
  const known = (provider: string): provider is OAuth2Provider | 'telegram' =>
    provider === 'telegram' || oauth2Provider.safeParse(provider).success
  return (provider) => (known(provider) ? t(provider) : provider)
}
