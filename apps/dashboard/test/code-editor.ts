import { expect } from 'vitest'
import { userEvent, type Locator } from 'vitest/browser'

/** Pastes in place of everything that stands in a code editor, as a person does. */
export async function writeInto(editor: Locator, text: string): Promise<void> {
  await expect.element(editor).toBeInTheDocument()
  const box = editor.element()
  if (!(box instanceof HTMLElement)) throw new Error('nothing to write into')
  box.focus()
  await userEvent.keyboard('{Control>}a{/Control}{Delete}')
  const clipboard = new DataTransfer()
  clipboard.setData('text/plain', text)
  document.activeElement?.dispatchEvent(
    new ClipboardEvent('paste', { clipboardData: clipboard, bubbles: true, cancelable: true }),
  )
}

/** The text of the one editor on the page. */
export async function editorText(): Promise<string> {
  return (await shownEditor())?.getModel()?.getValue() ?? ''
}

/** Enters a text as it is: the editor formats nothing of it, as it does with what is pasted. */
export async function setEditorText(text: string): Promise<void> {
  const editor = await shownEditor()
  editor?.focus()
  editor?.getModel()?.setValue(text)
}

async function shownEditor() {
  const { editor } = await import('../src/ui/editor/code-editor-monaco.ts')
  return editor.getEditors().find((one) => one.getDomNode()?.isConnected)
}
