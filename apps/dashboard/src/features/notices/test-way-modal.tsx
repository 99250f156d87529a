import { Button, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { inOurWords } from '../../api/server-sentences.ts'
import { FrameFooter, ModalFrame } from '../../ui/frames/frames.tsx'
import { useDialog } from '../../ui/frames/use-dialog.ts'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { useLingering } from '../../ui/use-lingering.ts'
import { useTestWay } from './notices.queries.ts'
import classes from './notices.module.css'

/** Sends a sample and shows what the other side said. */
export function TestWayModal() {
  const { t } = useTranslation('notices')
  const dialog = useDialog('test')
  const uuid = useLingering(dialog.value)
  return (
    <ModalFrame isOpen={dialog.value !== undefined} onClose={dialog.close} title={t('test.title')} width={480}>
      {uuid !== undefined && <TestWay key={uuid} uuid={uuid} onClose={dialog.close} />}
    </ModalFrame>
  )
}

/** Also the last step of making a way. */
export function TestWay({ uuid, onClose }: { uuid: string; onClose: () => void }) {
  const { t } = useTranslation('notices')
  const { t: ui } = useTranslation('ui')
  const test = useTestWay()
  return (
    <>
      <Stack gap="md" mb="lg">
        <Text size="sm">{t('test.body')}</Text>
        {test.data && (
          <div role="status">
            <StatusBadge
              color={test.data.error === null ? 'teal' : 'red'}
              label={t(test.data.error === null ? 'test.arrived' : 'test.refused', { ms: test.data.durationMs })}
            />
            {test.data.error !== null && (
              <Text size="sm" mt={4}>
                {inOurWords(test.data.error)}
              </Text>
            )}
            {test.data.answer !== null && test.data.answer !== '' && (
              <div className={classes['said']}>
                <div className={classes['note']}>{t('test.said')}</div>
                <pre dir="ltr">{test.data.answer}</pre>
              </div>
            )}
          </div>
        )}
      </Stack>
      <FrameFooter>
        <Button variant="default" onClick={onClose}>
          {ui('close')}
        </Button>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          loading={test.isPending}
          data-autofocus
          onClick={() => test.mutate({ uuid })}
        >
          {test.data ? t('test.again') : t('test.action')}
        </Button>
      </FrameFooter>
    </>
  )
}
