import type { Inbound } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame, FrameFooter } from '../../../ui/frames.tsx'
import type { PickMode } from '../config-profiles.rules.ts'
import { InboundPicker } from './inbound-picker.tsx'

interface Props {
  isOpen: boolean
  onClose: () => void
  mode: PickMode
  initial: readonly Inbound[]
  onApply: (selected: readonly Inbound[]) => void
  width?: number
}

/** The picker beside a form: nothing changes there until it is applied. */
export function InboundPickerDrawer({ isOpen, onClose, width = 480, ...rest }: Props) {
  const { t } = useTranslation('config-profiles')
  return (
    <DrawerFrame isOpen={isOpen} onClose={onClose} title={t('picker.title')} width={width}>
      <Draft {...rest} onClose={onClose} />
    </DrawerFrame>
  )
}

function Draft({ mode, initial, onApply, onClose }: Omit<Props, 'isOpen' | 'width'>) {
  const { t } = useTranslation('config-profiles')
  const [selected, setSelected] = useState(initial)
  return (
    <>
      <InboundPicker mode={mode} selected={selected} onChange={setSelected} />
      <FrameFooter>
        <Text size="sm" c="dimmed" me="auto">
          {t('picker.selected', { count: selected.length })}
        </Text>
        <Button variant="default" disabled={selected.length === 0} onClick={() => setSelected([])}>
          {t('picker.clear')}
        </Button>
        <Button
          disabled={selected.length === 0}
          onClick={() => {
            onApply(selected)
            onClose()
          }}
        >
          {t('picker.apply')}
        </Button>
      </FrameFooter>
    </>
  )
}
