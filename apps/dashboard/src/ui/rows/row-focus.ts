import { rowsOf, setStop, stepsOf, stops } from './row-controls.ts'

/** Of a list that draws only the rows in view. Its rows carry their place in `data-index`. */
export interface Undrawn {
  count: number
  /** Scrolls until the row is drawn. */
  reach: (index: number) => void
}

/** Where the focus is in a list, and where it was. */
export interface RowFocus {
  list: HTMLElement
  undrawn: () => Undrawn | undefined
  /** The row that Tab leads to. */
  active: HTMLElement | undefined
  /** Its place, in case that it is gone. */
  place: number
  /** The last focused element, unless the focus has left for another part of the page; dialogs give it back. */
  focused: HTMLElement | undefined
  column: number
  /** The active row has had the focus. */
  isTouched: boolean
  /** A removed row had the focus, and a dialog is still open. */
  isWaiting: boolean
  dialogs: MutationObserver
}

export function startFocus(list: HTMLElement, undrawn: () => Undrawn | undefined): RowFocus {
  const focus: RowFocus = {
    list,
    undrawn,
    active: undefined,
    place: 0,
    focused: undefined,
    column: 0,
    isTouched: false,
    isWaiting: false,
    dialogs: new MutationObserver(() => restoreFocus(focus)),
  }
  activate(focus, firstRow(list))
  return focus
}

function activate(focus: RowFocus, row: HTMLElement | undefined): void {
  focus.active = row
  if (row) focus.place = placeOf(focus.list, row)
  for (const each of rowsOf(focus.list)) {
    for (const control of stops(each)) setStop(control, each === row)
  }
}

/** Before any row has had the focus. */
function firstRow(list: HTMLElement): HTMLElement | undefined {
  return list.querySelector<HTMLElement>(':scope > :has([aria-current="true"])') ?? rowsOf(list)[0]
}

export function placeOf(list: HTMLElement, row: HTMLElement): number {
  return row.dataset['index'] === undefined ? rowsOf(list).indexOf(row) : Number(row.dataset['index'])
}

export function rowAt(list: HTMLElement, index: number): HTMLElement | undefined {
  return rowsOf(list).find((row) => placeOf(list, row) === index)
}

export function enterRow(row: HTMLElement, column: number): void {
  const options = stepsOf(row)
  options[Math.min(column, options.length - 1)]?.focus()
}

export function noteFocus(focus: RowFocus, target: HTMLElement): void {
  const row = rowsOf(focus.list).find((each) => each.contains(target))
  if (!row) return
  focus.focused = target
  focus.isTouched = true
  focus.isWaiting = false
  focus.column = Math.max(0, stepsOf(row).indexOf(target))
  if (row !== focus.active) activate(focus, row)
}

/**
 * The row after a removed one becomes active, else the last. A list that was never entered starts at the first row,
 * whatever is inserted before it.
 */
export function followRows(focus: RowFocus, changes: readonly MutationRecord[]): void {
  const { list, focused, active } = focus
  const isMoved =
    focused !== undefined && changes.some(({ removedNodes }) => [...removedNodes].some((node) => node.contains(focused)))
  const isThere = active?.parentElement === list
  const inItsPlace = rowAt(list, focus.place) ?? (focus.undrawn() ? undefined : rowsOf(list).at(-1))
  focus.isTouched &&= isThere || isMoved
  activate(focus, (focus.isTouched ? (isThere ? active : inItsPlace) : undefined) ?? firstRow(list))
  // A row that is only scrolled out of sight is not gone, and nothing takes its place.
  if (!isMoved || !(isThere || inItsPlace)) return
  focus.isWaiting = true
  // Dialogs are elsewhere in the document, and are removed a moment after they close.
  focus.dialogs.observe(document.body, { childList: true, subtree: true })
  restoreFocus(focus)
}

/** A removed row took the focus along; the one in its place gets it as soon as no dialog has it. */
function restoreFocus(focus: RowFocus): void {
  if (!focus.isWaiting || document.activeElement !== document.body) return
  focus.isWaiting = false
  focus.dialogs.disconnect()
  if (focus.focused?.isConnected) focus.focused.focus({ preventScroll: true })
  else if (focus.active) enterRow(focus.active, focus.column)
}
