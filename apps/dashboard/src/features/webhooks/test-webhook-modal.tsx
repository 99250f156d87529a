import { Button, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { FrameFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { useLingering } from '../../ui/use-lingering.ts'
import { AttemptText, TextBlock } from './attempt-text.tsx'
import { useTestWebhook } from './webhooks.queries.ts'
import { readable } from './webhooks.rules.ts'

/** Sends a sample and shows what the receiver said. */
export function TestWebhookModal() {
  const { t } = useTranslation('webhooks')
  const dialog = useDialog('test')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('test.title')} width={560}>
      {uuid !== undefined && <TestWebhook key={uuid} uuid={uuid} onClose={dialog.close} />}
    </ModalFrame>
  )
}

function TestWebhook({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const { t: ui } = useTranslation('ui')
  const test = useTestWebhook()
  return (
    <>
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('test.body')}</Text>
        {test.data && (
          <>
            <AttemptText attempt={test.data} />
            <TextBlock label={t('details.request')} text={readable(test.data.body)} />
            {test.data.answer !== null && <TextBlock label={t('details.answer')} text={test.data.answer} />}
          </>
        )}
      </Stack>
      <FrameFooter>
        <Button variant="default" onClick={onClose}>
          {ui('close')}
        </Button>
        <Button leftSection={<IconSend size={16} aria-hidden />} loading={test.isPending} onClick={() => test.mutate({ uuid })}>
          {test.data ? t('test.again') : t('test.action')}
        </Button>
      </FrameFooter>
    </>
  )
}
