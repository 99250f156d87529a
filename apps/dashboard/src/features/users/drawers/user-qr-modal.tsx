import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { encode } from 'uqr'
import { CopyField } from '../../../ui/copy-field.tsx'
import { ModalFrame } from '../../../ui/frames.tsx'
import { useDialog } from '../../../ui/use-dialog.ts'
import { useLingering } from '../../../ui/use-lingering.ts'
import { userQuery } from '../users.queries.ts'
import classes from './user-drawers.module.css'

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
      title={t('qr.title', { name: user.data?.username ?? '' })}
      width={400}
    >
      {user.data ? (
        <Stack>
          <QrCode text={user.data.subscriptionUrl} label={t('qr.label', { name: user.data.username })} />
          <CopyField label={t('field.subscriptionUrl')} value={user.data.subscriptionUrl} />
        </Stack>
      ) : (
        <Skeleton height={320} />
      )}
    </ModalFrame>
  )
}

/** Dark on white whatever the theme: many scanners do not read inverted codes. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 2, ecc: 'M' })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} className={classes['qr']} shapeRendering="crispEdges">
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
