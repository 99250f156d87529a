import type { Inbound } from '@causeway/contract'
import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DrawerFrame, FrameFooter } from '../../../ui/frames/frames.tsx'
import type { PickMode } from '../config-profiles.rules.ts'
import { InboundPicker } from './inbound-picker.tsx'

interface Props {
  isOpen: boolean
  onClose: () => void
  mode: PickMode
  initial: readonly Inbound[]
  onApply: (selected: readonly Inbound[]) => void
  width?: number
  /** Said when nothing is chosen at the end. Without it there is no end while nothing is chosen. */
  missing?: string
  /** Where only one may be chosen: the handler of the wish for all of a profile. Without it that option is missing. */
  onRefuseAll?: () => void
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

function Draft({ mode, initial, onApply, onClose, missing, onRefuseAll }: Omit<Props, 'isOpen' | 'width'>) {
  const { t } = useTranslation('config-profiles')
  const [selected, setSelected] = useState(initial)
  const [isMissed, setIsMissed] = useState(false)
  const isEmpty = selected.length === 0

  function apply(): void {
    if (isEmpty) return setIsMissed(true)
    onApply(selected)
    onClose()
  }
  return (
    <>
      <InboundPicker mode={mode} selected={selected} onChange={setSelected} {...(onRefuseAll && { onRefuseAll })} />
      <FrameFooter>
        {isEmpty && isMissed ? (
          <Text size="sm" c="var(--bad)" me="auto" role="alert">
            {missing}
          </Text>
        ) : (
          <Text size="sm" c="dimmed" me="auto">
            {t('picker.selected', { count: selected.length })}
          </Text>
        )}
        <Button variant="default" disabled={isEmpty} onClick={() => setSelected([])}>
          {t('picker.clear')}
        </Button>
        <Button disabled={isEmpty && missing === undefined} onClick={apply}>
          {t('picker.apply')}
        </Button>
      </FrameFooter>
    </>
  )
}
