import { isBuiltInRole } from '@causeway/contract'
import { useTranslation } from 'react-i18next'

/** The name of a role: shipped ones in the reader's language, own ones as they were called. */
export function useRoleName() {
  const { t } = useTranslation('admins')
  return ({ ref, name }: { ref: string; name: string | null }) => name ?? (isBuiltInRole(ref) ? t(`builtIn.${ref}`) : ref)
}
