import { useEffect, useRef, type RefObject } from 'react'

/** From a row to what can be done with it, over all the rows between them, and back. Browsers change panes with it. */
export const SELECTION_KEY = 'F6'

/** Leads to the first button of what it is given to. */
export function useSelectionKey<Bar extends HTMLElement>(): RefObject<Bar | null> {
  const bar = useRef<Bar>(null)

  // Pressed anywhere on the page, which reaches us only through the document.
  useEffect(() => {
    let came: Element | null = null
    function onKeyDown(event: KeyboardEvent): void {
      const { activeElement } = document
      if (event.key !== SELECTION_KEY || activeElement?.closest('[role="dialog"]')) return
      event.preventDefault()
      const isInside = bar.current?.contains(activeElement) === true
      const next = isInside ? came : bar.current?.querySelector('button:enabled')
      if (!isInside) came = activeElement
      if (next instanceof HTMLElement) next.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return bar
}
