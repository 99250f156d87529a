import type { Snippets } from '@causeway/xray'
import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { CodeEditor } from '../../../ui/editor/code-editor.tsx'
import { DrawerFrame } from '../../../ui/frames/frames.tsx'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { computedText } from './computed-text.ts'

const HEIGHT = 560

/** The text as nodes get it: snippets stand in their places. For reading. */
export function ComputedDrawer({ text, snippets }: { text: string; snippets: Snippets | undefined }) {
  const { t } = useTranslation('profile-editor')
  const dialog = useDialog('computed')
  const isOpen = dialog.value !== undefined
  const computed = isOpen && snippets ? computedText(text, snippets) : undefined
  return (
    <DrawerFrame isOpen={isOpen} onClose={dialog.close} title={t('computed.title')} width={960}>
      <Text size="sm" mb="sm" c={computed?.problem ? 'var(--warn)' : 'dimmed'}>
        {computed === undefined ? t('computed.none') : (computed.problem?.message ?? t('computed.hint'))}
      </Text>
      <CodeEditor
        label={t('computed.title')}
        language="json"
        value={computed?.text ?? text}
        readOnlyReason={t('computed.readOnly')}
        height={HEIGHT}
      />
    </DrawerFrame>
  )
}
