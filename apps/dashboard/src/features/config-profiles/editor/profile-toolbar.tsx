import { Button } from '@mantine/core'
import { IconAlignLeft, IconCopy, IconHistory, IconKey, IconPuzzle, IconTemplate } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CodeEditorHandle } from '../../../ui/editor/code-editor-parts.ts'
import { useCopy } from '../../../ui/inputs/use-copy.ts'
import { useDialog } from '../../../ui/frames/use-dialog.ts'
import { TemplateCatalogueModal } from '../../template-catalogue/parts/template-catalogue-modal.tsx'
import { KeyPairModal } from '../parts/key-pair-modal.tsx'
import classes from './editor.module.css'

interface Props {
  editor: React.RefObject<CodeEditorHandle | null>
  text: string
  isUnsaved: boolean
  onTake: (text: string) => void
}

/** Actions on the text besides typing: format, export, import, and restore. */
export function ProfileToolbar({ editor, text, isUnsaved, onTake }: Props) {
  const { t } = useTranslation('profile-editor')
  const { t: profiles } = useTranslation('config-profiles')
  const { t: revision } = useTranslation('revisions')
  const revisions = useDialog('revisions')
  const keys = useDialog('keys')
  const catalogue = useDialog('catalogue')
  const computed = useDialog('computed')
  const { isCopied, copy } = useCopy()
  return (
    <div className={classes['toolbar']} role="toolbar" aria-label={t('tools')}>
      <Tool icon={<IconAlignLeft size={16} aria-hidden />} label={t('format')} onClick={() => void editor.current?.format()} />
      <Tool icon={<IconCopy size={16} aria-hidden />} label={t(isCopied ? 'copied' : 'copy')} onClick={() => void copy(text)} />
      <Tool icon={<IconKey size={16} aria-hidden />} label={profiles('keyPair.open')} onClick={() => keys.open('new')} />
      <Tool icon={<IconHistory size={16} aria-hidden />} label={revision('open')} onClick={() => revisions.open('all')} />
      <Tool icon={<IconPuzzle size={16} aria-hidden />} label={t('computed.open')} onClick={() => computed.open('all')} />
      <Tool icon={<IconTemplate size={16} aria-hidden />} label={t('catalogue')} onClick={() => catalogue.open('all')} />
      <TemplateCatalogueModal
        isOpen={catalogue.value !== undefined}
        onClose={catalogue.close}
        kind="XRAY_CORE"
        type="XRAY_CORE"
        isUnsaved={isUnsaved}
        onTake={onTake}
      />
      <KeyPairModal
        isOpen={keys.value !== undefined}
        onClose={keys.close}
        onInsert={({ privateKey }) => {
          keys.close()
          editor.current?.paste(privateKey)
        }}
      />
    </div>
  )
}

function Tool({ icon, label, onClick }: { icon: React.ReactNode; label: string; onClick: () => void }) {
  return (
    <Button variant="default" size="compact-md" leftSection={icon} onClick={onClick}>
      {label}
    </Button>
  )
}
