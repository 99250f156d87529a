import { builtInRoles, permissionsOfRole, type Permission } from '@causeway/contract'
import { VisuallyHidden } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/frames/states.tsx'
import { PageTitle } from '../ui/frames/page-title.tsx'

/** Stands in the place of a page that the role does not open, and names the roles that do. */
export function Closed({ permission }: { permission: Permission }) {
  const { t, i18n } = useTranslation('admins')
  const open = builtInRoles.filter((role) => permissionsOfRole(role).has(permission)).map((role) => t(`builtIn.${role}`))
  const roles = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(open)
  return (
    <>
      <PageTitle title={t('closed.title')} />
      <VisuallyHidden component="h1">{t('closed.title')}</VisuallyHidden>
      <EmptyState icon={IconLock} title={t('closed.title')} hint={t('closed.who', { permission, roles })} />
    </>
  )
}
