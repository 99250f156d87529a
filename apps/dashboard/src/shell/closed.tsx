import { builtInRoles, permissionsOfRole, type Permission } from '@causeway/contract'
import { VisuallyHidden } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/frames/states.tsx'
import { PageTitle } from '../ui/frames/page-title.tsx'

/** Stands in the place of a page that is not open to the session, and names the roles that open it. */
export function Closed({ by }: { by: Permission | 'reseller' }) {
  const { t, i18n } = useTranslation('admins')
  const title = by === 'reseller' ? t('closed.resellerTitle') : t('closed.title')
  return (
    <>
      <PageTitle title={title} />
      <VisuallyHidden component="h1">{title}</VisuallyHidden>
      <EmptyState
        icon={IconLock}
        title={title}
        hint={by === 'reseller' ? t('closed.reseller') : t('closed.who', { permission: by, roles: rolesWith(by) })}
      />
    </>
  )

  function rolesWith(permission: Permission): string {
    const open = builtInRoles.filter((role) => permissionsOfRole(role).has(permission)).map((role) => t(`builtIn.${role}`))
    return new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(open)
  }
}
