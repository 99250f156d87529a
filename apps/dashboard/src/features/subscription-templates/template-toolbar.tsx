import { Button, Group, Menu } from '@mantine/core'
import {
  IconAlignLeft,
  IconCheck,
  IconChevronDown,
  IconClipboard,
  IconCopy,
  IconCut,
  IconHistory,
  IconSelectAll,
  IconTemplate,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { RefObject } from 'react'
import { showWarning } from '../../api/toasts.ts'
import { clipboardText, copyText } from '../../lib/clipboard.ts'
import type { CodeEditorHandle } from '../../ui/editor/code-editor-parts.ts'
import { MenuButton } from '../../ui/menu-button.tsx'
import { useCopy } from '../../ui/inputs/use-copy.ts'

/** How long the button says that it has copied (3 §9). */
const COPIED_MS = 500
const NOTICE_MS = 6000

interface Props {
  editor: RefObject<CodeEditorHandle | null>
  text: string
  onCatalogue: () => void
  onRevisions: () => void
}

/** Actions on the text besides typing; saving is below it, as everywhere. */
export function TemplateToolbar({ editor, text, onCatalogue, onRevisions }: Props) {
  const { t } = useTranslation('subscription-templates')
  const { t: revision } = useTranslation('revisions')
  const { t: ui } = useTranslation('ui')
  const { isCopied, copy } = useCopy(COPIED_MS)

  async function cut(): Promise<void> {
    const selected = editor.current?.selectedText() ?? ''
    if (selected === '') return showWarning(t('cut'), t('nothingSelected'), NOTICE_MS)
    if (await copyText(selected)) editor.current?.paste('')
    else showWarning(t('cut'), t('copyRefused'), NOTICE_MS)
  }
  async function paste(): Promise<void> {
    const copied = await clipboardText()
    if (copied === undefined) showWarning(t('paste'), t('pasteRefused'), NOTICE_MS)
    else editor.current?.paste(copied)
    editor.current?.focus()
  }
  const action = { variant: 'default', size: 'xs' } as const
  return (
    <Group gap="xs" role="toolbar" aria-label={t('actions')}>
      <Button {...action} leftSection={<IconAlignLeft size={14} aria-hidden />} onClick={() => void editor.current?.format()}>
        {t('format')}
      </Button>
      <Button
        {...action}
        variant={isCopied ? 'filled' : 'default'}
        {...(isCopied && { color: 'teal' })}
        leftSection={isCopied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
        onClick={() => void copy(text)}
      >
        {t('copy')}
      </Button>
      <Button {...action} leftSection={<IconSelectAll size={14} aria-hidden />} onClick={() => editor.current?.selectAll()}>
        {t('selectAll')}
      </Button>
      <Button {...action} leftSection={<IconHistory size={14} aria-hidden />} onClick={onRevisions}>
        {revision('open')}
      </Button>
      <Button {...action} leftSection={<IconTemplate size={14} aria-hidden />} onClick={onCatalogue}>
        {t('catalogue')}
      </Button>
      {/* Keys do these; a browser without them finds them here. */}
      <MenuButton
        position="bottom-start"
        button={(props) => (
          <Button {...props} {...action} rightSection={<IconChevronDown size={14} aria-hidden />}>
            {ui('more')}
          </Button>
        )}
      >
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconCut size={16} aria-hidden />} onClick={() => void cut()}>
            {t('cut')}
          </Menu.Item>
          <Menu.Item leftSection={<IconClipboard size={16} aria-hidden />} onClick={() => void paste()}>
            {t('paste')}
          </Menu.Item>
        </Menu.Dropdown>
      </MenuButton>
    </Group>
  )
}
