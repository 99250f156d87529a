import { useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'

interface Editing {
  setText: (text: string) => void
  /** While false the text is only put into the editor. */
  canSave: boolean
  save: (number: number) => Promise<unknown>
}

/** Puts the text of a revision into the editor and asks to save it, as one action. */
export function useGoBack({ setText, canSave, save }: Editing): (text: string, number: number) => void {
  const latest = useRef({ canSave, save })
  // A form saves what it has rendered, which is outside of what an event knows.
  useLayoutEffect(() => {
    latest.current = { canSave, save }
  })
  return (text, number) => {
    flushSync(() => setText(text))
    if (latest.current.canSave) void latest.current.save(number)
  }
}
