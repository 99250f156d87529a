import { Button } from '@mantine/core'
import { IconDeviceMobileRotated } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/frames/states.tsx'

/** Shown in place of wide tables on a phone held upright, with a way to see them anyway. */
export function RotateNotice({ onShowAnyway }: { onShowAnyway: () => void }) {
  const { t } = useTranslation('infra-billing')
  return (
    <EmptyState
      title={t('rotate.title')}
      hint={t('rotate.text')}
      icon={IconDeviceMobileRotated}
      action={
        <Button variant="default" onClick={onShowAnyway}>
          {t('rotate.anyway')}
        </Button>
      }
    />
  )
}
