import { Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame, FrameFooter, useFrameDirty } from '../../ui/frames/frames.tsx'
import { isJsonText, XHTTP_SAMPLE } from './host-form.ts'

interface Props {
  isOpen: boolean
  onClose: () => void
  initial: string
  onApply: (text: string) => void
}

/** The extra parameters of XHTTP, as JSON. */
export function XhttpExtraDrawer({ isOpen, onClose, initial, onApply }: Props) {
  const { t } = useTranslation('hosts')
  return (
    <DrawerFrame isOpen={isOpen} onClose={onClose} title={t('extra.title')} width={560}>
      <ExtraForm initial={initial} onApply={onApply} onClose={onClose} />
    </DrawerFrame>
  )
}

function ExtraForm({ initial, onApply, onClose }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation('hosts')
  const [text, setText] = useState(initial)
  const [isApplied, setIsApplied] = useState(false)
  const isJson = isJsonText(text)
  useFrameDirty(!isApplied && text !== initial)

  function apply(): void {
    setIsApplied(true)
    onApply(text)
    onClose()
  }
  return (
    <>
      <Textarea
        label={t('extra.label')}
        description={t('extra.hint')}
        dir="ltr"
        autosize
        minRows={16}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' } }}
        value={text}
        error={isJson ? undefined : t('extra.invalid')}
        onChange={(event) => setText(event.currentTarget.value)}
        mb="lg"
      />
      <FrameFooter>
        <Button variant="default" me="auto" onClick={() => setText(JSON.stringify(XHTTP_SAMPLE, null, 2))}>
          {t('extra.sample')}
        </Button>
        <Button disabled={!isJson} onClick={apply}>
          {t('extra.apply')}
        </Button>
      </FrameFooter>
    </>
  )
}
