import { useTranslation } from 'react-i18next'
import { DrawerFrame, ModalFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { ChangePasswordForm } from '../account/change-password-form.tsx'
import { SessionsList } from '../account/sessions-list.tsx'

/** The dialogs of the own account, by `?account=` in the address of every page. */
export function AccountDialogs() {
  const { t } = useTranslation(['account', 'auth'])
  const { value, close } = useDialog('account')
  return (
    <>
      <ModalFrame isOpen={value === 'password'} onClose={close} title={t('password.title')} width={480}>
        <ChangePasswordForm onChanged={close} />
      </ModalFrame>
      <DrawerFrame isOpen={value === 'sessions'} onClose={close} title={t('sessions.title')} width={520}>
        <SessionsList />
      </DrawerFrame>
    </>
  )
}
