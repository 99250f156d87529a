import { useEffect, useRef, useState } from 'react'

interface Text {
  form: { values: { text: string } }
  canSave: boolean
}

interface Saving {
  /** While false the text is only put into the editor. */
  canSave: boolean
  save: (number: number) => Promise<unknown>
}

/** Puts the text of a revision into the editor and asks to save it, as one action. */
export function useGoBack(edit: Text, setText: (text: string) => void, { canSave, save }: Saving) {
  const [wanted, setWanted] = useState<{ text: string; number: number }>()
  const latest = useRef(save)
  useEffect(() => {
    latest.current = save
  })
  const isThere = wanted !== undefined && edit.form.values.text === wanted.text

  // The form saves what it has rendered: the dialog is asked for once the text is there.
  useEffect(() => {
    if (wanted === undefined || !isThere) return
    setWanted(undefined)
    if (edit.canSave && canSave) void latest.current(wanted.number)
  }, [wanted, isThere, edit.canSave, canSave])

  return (text: string, number: number) => {
    setText(text)
    setWanted({ text, number })
  }
}
