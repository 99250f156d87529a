import { useLayoutEffect, useRef } from 'react'
import { editor, THEME } from './code-editor-monaco.ts'
import type { CodeDiffProps } from './code-editor-parts.ts'
import { useIsPhone } from '../use-is-phone.ts'

/** Side by side where there is room, one below the other on a phone. */
export function DiffCanvas({ label, language, before, after }: CodeDiffProps) {
  const box = useRef<HTMLDivElement>(null)
  const isNarrow = useIsPhone()

  // The editor lives outside React: made once for two texts, thrown away with its box.
  useLayoutEffect(() => {
    if (!box.current) return
    const [original, modified] = [editor.createModel(before, language), editor.createModel(after, language)]
    const instance = editor.createDiffEditor(box.current, {
      theme: THEME,
      automaticLayout: true,
      readOnly: true,
      originalEditable: false,
      domReadOnly: true,
      fontSize: 14,
      renderSideBySide: !isNarrow,
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      hideUnchangedRegions: { enabled: true },
      scrollbar: { alwaysConsumeMouseWheel: false },
    })
    // Given to the whole, they would be forgotten with each change of the width.
    for (const side of [instance.getOriginalEditor(), instance.getModifiedEditor()]) {
      const name = () => side.getRawOptions().ariaLabel !== label && side.updateOptions({ ariaLabel: label })
      side.onDidChangeConfiguration(name)
      name()
    }
    // What explains buttons belongs to the editor made last, of all editors: one within a comparison would end it with itself.
    editor.create(document.createElement('div'), { model: null }).dispose()
    const compared = instance.createViewModel({ original, modified })
    instance.setModel(compared)
    return () => {
      compared.dispose() // Ends what is still being compared; of itself that goes on, and misses its texts.
      instance.dispose()
      original.dispose()
      modified.dispose()
    }
  }, [label, language, before, after, isNarrow])
  return <div ref={box} style={{ height: '100%' }} />
}
