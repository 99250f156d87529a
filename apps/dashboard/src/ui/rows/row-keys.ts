import { useCallback, useEffect, useRef, type RefCallback } from 'react'
import { isQuiet, isTick, nearestLine, openMenu, rowsOf, setStop, standBeside, stepsOf, stops, tickOf } from './row-controls.ts'

/** Overlays that give the focus back on closing. */
const IN_FRONT = '[role="dialog"], [role="menu"], [role="listbox"]'

/** Of a list that draws only the rows in view. Its rows carry their place in `data-index`. */
interface Undrawn {
  count: number
  /** Scrolls until the row is drawn. */
  reach: (index: number) => void
}

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
  return useCallback((list: List | null) => (list ? rowKeys(list, () => latest.current) : undefined), [])
}

function rowKeys(list: HTMLElement, undrawn: () => Undrawn | undefined): () => void {
  let active: HTMLElement | undefined
  /** Its place, in case that it is gone. */
  let place = 0
  /** The last focused element, unless the focus has left for another part of the page; dialogs give it back. */
  let focused: HTMLElement | undefined
  let column = 0
  /** The active row has had the focus. */
  let isTouched = false
  let isWaiting = false
  const dialogs = new MutationObserver(takeBack)

  function activate(row: HTMLElement | undefined): void {
    active = row
    if (row) place = placeOf(row)
    for (const each of rowsOf(list)) {
      for (const control of stops(each)) setStop(control, each === active)
    }
  }

  function placeOf(row: HTMLElement): number {
    return row.dataset['index'] === undefined ? rowsOf(list).indexOf(row) : Number(row.dataset['index'])
  }

  function rowAt(index: number): HTMLElement | undefined {
    return rowsOf(list).find((row) => placeOf(row) === index)
  }

  /** Before any row has had the focus. */
  function firstRow(): HTMLElement | undefined {
    return list.querySelector<HTMLElement>(':scope > :has([aria-current="true"])') ?? rowsOf(list)[0]
  }

  function onRowsChanged(changes: readonly MutationRecord[]): void {
    const isMoved =
      focused && changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(focused ?? null)))
    const isThere = active?.parentElement === list
    // The row after a removed one becomes active, else the last. A list that was never entered starts at the first
    // row, whatever is inserted before it.
    const inItsPlace = rowAt(place) ?? (undrawn() ? undefined : rowsOf(list).at(-1))
    isTouched &&= isThere || isMoved === true
    activate((isTouched ? (isThere ? active : inItsPlace) : undefined) ?? firstRow())
    // A row that is only scrolled out of sight is not gone, and nothing takes its place.
    if (!isMoved || !(isThere || inItsPlace)) return
    isWaiting = true
    // Dialogs stand elsewhere in the document, and are gone a moment after they are shut.
    dialogs.observe(document.body, { childList: true, subtree: true })
    takeBack()
  }

  /** A row that is gone took the focus along; the one in its place has it as soon as no dialog does. */
  function takeBack(): void {
    if (!isWaiting || document.activeElement !== document.body) return
    isWaiting = false
    dialogs.disconnect()
    if (focused?.isConnected) focused.focus({ preventScroll: true })
    else if (active) enter(active, column)
  }

  function enter(row: HTMLElement, at: number): void {
    const options = stepsOf(row)
    options[Math.min(at, options.length - 1)]?.focus()
  }

  function toPlace(index: number): boolean {
    const count = undrawn()?.count ?? rowsOf(list).length
    const to = Math.max(0, Math.min(count - 1, index))
    const row = rowAt(to)
    // At once where it can be: the next key, which may come before the next frame, is for this row.
    if (row) enter(row, column)
    else {
      undrawn()?.reach(to)
      requestAnimationFrame(() => {
        const drawn = rowAt(to)
        if (drawn) enter(drawn, column)
      })
    }
    return true
  }

  /** Cards stand beside each other: up and down is what is seen so. */
  function toLine(row: HTMLElement, isDown: boolean): boolean {
    if (undrawn()) return toPlace(placeOf(row) + (isDown ? 1 : -1))
    const next = nearestLine(row, rowsOf(list), isDown)
    if (next) enter(next, column)
    return next !== undefined
  }

  function toSide(row: HTMLElement, at: HTMLElement, isForward: boolean): boolean {
    const options = stepsOf(row)
    const next = options[options.indexOf(at) + (isForward ? 1 : -1)]
    if (next) next.focus()
    else {
      const rows = rowsOf(list)
      const beside = rows[rows.indexOf(row) + (isForward ? 1 : -1)]
      if (!beside || !standBeside(row, beside)) return false
      enter(beside, isForward ? 0 : Infinity)
    }
    return true
  }

  function toPage(row: HTMLElement, isDown: boolean): boolean {
    const scroller = list.closest<HTMLElement>('[data-scroll]')
    const room = Math.min(window.innerHeight, scroller?.clientHeight ?? Infinity)
    const step = Math.max(1, Math.floor(room / Math.max(1, row.offsetHeight)) - 1)
    return toPlace(placeOf(row) + (isDown ? step : -step))
  }

  function onKey(event: KeyboardEvent, row: HTMLElement, at: HTMLElement): boolean {
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        return toLine(row, event.key === 'ArrowDown')
      case 'ArrowRight':
      case 'ArrowLeft':
        return toSide(row, at, (event.key === 'ArrowRight') === (getComputedStyle(list).direction === 'ltr'))
      case 'PageDown':
      case 'PageUp':
        return toPage(row, event.key === 'PageDown')
      case 'Home':
        return toPlace(0)
      case 'End':
        return toPlace(Infinity)
      case 'Enter':
        if (at !== row && !isTick(at)) return false
        row.click()
        return true
      case ' ': {
        const tick = at === row ? tickOf(row) : undefined
        tick?.click()
        return tick !== undefined
      }
      default:
        return false
    }
  }

  function onKeyDown(event: KeyboardEvent): void {
    const at = event.target
    const row = rowsOf(list).find((each) => event.target instanceof Node && each.contains(event.target))
    if (!row || !(at instanceof HTMLElement) || event.defaultPrevented) return
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const isDone =
      event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')
        ? openMenu(row)
        : !event.shiftKey && (at === row || isQuiet(at)) && onKey(event, row, at)
    if (isDone) event.preventDefault()
  }

  function onFocus({ target }: FocusEvent): void {
    if (!(target instanceof HTMLElement)) return
    if (list.contains(target)) {
      const row = rowsOf(list).find((each) => each.contains(target))
      if (!row) return
      focused = target
      isTouched = true
      isWaiting = false
      column = Math.max(0, stepsOf(row).indexOf(target))
      if (row !== active) activate(row)
    } else if (!target.closest(IN_FRONT)) focused = undefined
  }

  activate(firstRow())
  const rows = new MutationObserver(onRowsChanged)
  rows.observe(list, { childList: true, subtree: true })
  const onPointerDown = ({ target }: Event) => {
    if (target instanceof Element && !list.contains(target) && !target.closest(IN_FRONT)) focused = undefined
  }
  list.addEventListener('keydown', onKeyDown)
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', onPointerDown)
  return () => {
    rows.disconnect()
    dialogs.disconnect()
    list.removeEventListener('keydown', onKeyDown)
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', onPointerDown)
  }
}
