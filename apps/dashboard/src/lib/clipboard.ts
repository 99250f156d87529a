/** Copies text. Answers false when the browser refuses, so that the caller can say so. */
export async function copyText(text: string): Promise<boolean> {
  // navigator.clipboard exists only in secure contexts; a panel reached by address over plain http has none.
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text)
      return true
    } catch {
      return copyBySelection(text)
    }
  }
  return copyBySelection(text)
}

function copyBySelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  try {
    // The only way left without a secure context, although it is no longer part of the standard.
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    field.remove()
  }
}

/** The clipboard's text; undefined when the browser does not give it. */
export async function clipboardText(): Promise<string | undefined> {
  try {
    // Absent without a secure context, whatever its type says.
    return await (navigator.clipboard as Clipboard | undefined)?.readText()
  } catch {
    return undefined
  }
}
