import { Alert, Button, Stack } from '@mantine/core'
import { IconCopy, IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../../lib/save-file.ts'
import { FrameFooter, useFrameClose } from '../../../ui/frames/frames.tsx'
import { COPY_FEEDBACK_MS, useCopy } from '../../../ui/inputs/use-copy.ts'
import classes from './account.module.css'

/** New recovery codes, the only time that they are shown. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const { t } = useTranslation('account')
  const close = useFrameClose()
  const { isCopied, copy } = useCopy(COPY_FEEDBACK_MS)
  const text = `${codes.join('\n')}\n`
  return (
    <>
      <Stack gap="md" mb="lg">
        <Alert color="yellow">{t('codes.once')}</Alert>
        <ol className={classes['codes']} aria-label={t('codes.label')} dir="ltr">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </Stack>
      <FrameFooter>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => saveFile('causeway-recovery-codes.txt', 'text/plain', text)}
        >
          {t('codes.save')}
        </Button>
        <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={() => void copy(text)}>
          {isCopied ? t('codes.copied') : t('codes.copy')}
        </Button>
        <Button onClick={close}>{t('codes.done')}</Button>
      </FrameFooter>
    </>
  )
}
