import { Button, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { ShownSecret } from './create-webhook-modal.tsx'
import { useRotateSecret } from './webhooks.queries.ts'

const OVERLAPS = [0, 1, 24, 72, 168] as const

/** Gives a webhook another secret; both sign for a while, so that the receiver can be changed meanwhile. */
export function RotateSecretModal() {
  const { t } = useTranslation('webhooks')
  const dialog = useDialog('rotate')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('rotate.title')} width={480}>
      {uuid !== undefined && <RotateSecret key={uuid} uuid={uuid} onClose={dialog.close} />}
    </ModalFrame>
  )
}

function RotateSecret({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { t: ui } = useTranslation('ui')
  const [hours, setHours] = useState<number>(24)
  const [secret, setSecret] = useState<string>()
  const rotate = useRotateSecret((made) => setSecret(made.secret))
  if (secret !== undefined) return <ShownSecret secret={secret} onClose={onClose} />
  return (
    <>
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('rotate.body')}</Text>
        <Select
          label={t('rotate.overlap')}
          description={t('rotate.overlapHint')}
          allowDeselect={false}
          data={OVERLAPS.map((each) => ({
            value: String(each),
            label: each === 0 ? t('rotate.atOnce') : t('rotate.hours', { count: each }),
          }))}
          value={String(hours)}
          onChange={(value) => setHours(Number(value))}
        />
      </Stack>
      <FrameFooter>
        <Button variant="default" onClick={onClose}>
          {ui('cancel')}
        </Button>
        <Button loading={rotate.isPending} onClick={() => rotate.mutate({ uuid, overlapHours: hours })}>
          {t('rotate.action')}
        </Button>
      </FrameFooter>
    </>
  )
}
