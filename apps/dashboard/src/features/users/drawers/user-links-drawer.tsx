import type { User } from '@causeway/contract'
import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { EmptyState, ErrorState } from '../../../ui/frames/states.tsx'
import { UserDrawer } from './user-drawer.tsx'
import { linksQuery } from '../users.queries.ts'
import { isPlaceholder, linkName } from '../users.rules.ts'

export function UserLinksDrawer() {
  const { t } = useTranslation('users')
  return (
    <UserDrawer name="links" width={520} title={(user) => t('links.title', { name: user?.username ?? '…' })}>
      {(user) => <Links user={user} />}
    </UserDrawer>
  )
}

/** The links as an app gets them. */
export function Links({ user }: { user: User }) {
  const { t } = useTranslation('users')
  const info = useQuery(linksQuery(user.shortUuid))
  if (info.isPending) return <Skeleton height={200} aria-busy />
  if (info.isError) return <ErrorState error={info.error} onRetry={() => void info.refetch()} />
  const links = info.data.links.filter((link) => !isPlaceholder(link))
  // Apps get a server that says why there is none; here that is said in words.
  if (links.length === 0 && info.data.links.length > 0)
    return (
      <EmptyState
        title={t('links.empty')}
        hint={t(user.activeInternalSquads.length === 0 ? 'links.squadless' : 'links.placeholders')}
      />
    )
  if (links.length === 0) return <EmptyState title={t('links.empty')} hint={t('links.emptyHint')} />
  return (
    <Stack gap="sm">
      {links.map((link, i) => (
        // Two hosts may give the same link.
        <CopyField key={`${i} ${link}`} label={linkName(link, t('links.host'))} value={link} />
      ))}
    </Stack>
  )
}
