import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../../ui/inputs/copy-field.tsx'
import { ModalFrame } from '../../../ui/frames/frames.tsx'
import { QrCode } from '../../../ui/qr-code.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { userQuery } from '../users.queries.ts'

/** Room for a smudge: such codes are printed and photographed. */
const QR_OPTIONS = { border: 2, ecc: 'M' } as const

/** The subscription address to be read by a phone. */
export function UserQrModal() {
  const { t } = useTranslation('users')
  const dialog = useDialog('qr')
  const uuid = useLingering(dialog.value)
  const user = useQuery({ ...userQuery(uuid ?? ''), enabled: uuid !== undefined })
  return (
    <ModalFrame
      isOpen={dialog.value !== undefined}
      onClose={dialog.close}
      title={t('qr.title', { name: user.data?.username ?? '…' })}
      width={400}
    >
      {user.data ? (
        <Stack>
          <QrCode text={user.data.subscriptionUrl} label={t('qr.label', { name: user.data.username })} options={QR_OPTIONS} />
          <CopyField label={t('field.subscriptionUrl')} value={user.data.subscriptionUrl} />
        </Stack>
      ) : (
        <Skeleton height={320} />
      )}
    </ModalFrame>
  )
}
