import { useCallback, useEffect, useRef, type RefCallback } from 'react'
import { followRows, noteFocus, startFocus, type Undrawn } from './row-focus.ts'
import { onRowKey } from './row-moves.ts'

/** Overlays that give the focus back on closing. */
const IN_FRONT = '[role="dialog"], [role="menu"], [role="listbox"]'

/**
 * Makes the children of a list one tab stop. Tab goes on through the controls of the current row and then out of the
 * list. Up and down lead to the same control of the next row, left and right to the next control; Home, End and the
 * page keys go further. Enter opens, Space selects, the menu key opens the row's menu. Rows stay table rows or list
 * items. It works on elements, not on their props: links, menus and handles of all features need not know that they
 * are in a list.
 */
export function useRowKeys<List extends HTMLElement>(undrawn?: Undrawn): RefCallback<List> {
  const latest = useRef(undrawn)
  // The state of the list at the time of a key press.
  useEffect(() => {
    latest.current = undrawn
  })
  return useCallback((list: List | null) => (list ? watchKeys(list, () => latest.current) : undefined), [])
}

/** Returns the function that stops watching. */
function watchKeys(list: HTMLElement, undrawn: () => Undrawn | undefined): () => void {
  const focus = startFocus(list, undrawn)
  const rows = new MutationObserver((changes) => followRows(focus, changes))
  rows.observe(list, { childList: true, subtree: true })

  const isElsewhere = (target: EventTarget | null) =>
    target instanceof Element && !list.contains(target) && !target.closest(IN_FRONT)
  const onKeyDown = (event: KeyboardEvent) => onRowKey(focus, event)
  const onFocus = ({ target }: FocusEvent) => {
    if (isElsewhere(target)) focus.focused = undefined
    else if (target instanceof HTMLElement && list.contains(target)) noteFocus(focus, target)
  }
  const onPointerDown = ({ target }: Event) => {
    if (isElsewhere(target)) focus.focused = undefined
  }
  list.addEventListener('keydown', onKeyDown)
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', onPointerDown)
  return () => {
    rows.disconnect()
    focus.dialogs.disconnect()
    list.removeEventListener('keydown', onKeyDown)
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', onPointerDown)
  }
}
