import { isQuiet, isTick, nearestLine, openMenu, rowsOf, standBeside, stepsOf, tickOf } from './row-controls.ts'
import { enterRow, placeOf, rowAt, type RowFocus } from './row-focus.ts'

/** A key pressed on a control of a row, or on the row itself. */
interface Press {
  focus: RowFocus
  event: KeyboardEvent
  row: HTMLElement
  at: HTMLElement
}

/** Whether the key did something. */
type Move = (press: Press) => boolean

const MOVES: Readonly<Record<string, Move>> = {
  ArrowDown: (press) => moveLine(press, true),
  ArrowUp: (press) => moveLine(press, false),
  ArrowRight: (press) => moveAside(press, !isMirrored(press.focus.list)),
  ArrowLeft: (press) => moveAside(press, isMirrored(press.focus.list)),
  PageDown: (press) => movePage(press, true),
  PageUp: (press) => movePage(press, false),
  Home: ({ focus }) => moveTo(focus, 0),
  End: ({ focus }) => moveTo(focus, Infinity),
  Enter: openRow,
  ' ': tickRow,
}

export function onRowKey(focus: RowFocus, event: KeyboardEvent): void {
  const at = event.target
  const row = rowsOf(focus.list).find((each) => event.target instanceof Node && each.contains(event.target))
  if (!row || !(at instanceof HTMLElement) || event.defaultPrevented) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  if (pressKey({ focus, event, row, at })) event.preventDefault()
}

function pressKey(press: Press): boolean {
  const { event, row, at } = press
  if (event.key === 'ContextMenu' || (event.shiftKey && event.key === 'F10')) return openMenu(row)
  if (event.shiftKey || (at !== row && !isQuiet(at))) return false
  return MOVES[event.key]?.(press) ?? false
}

function isMirrored(list: HTMLElement): boolean {
  return getComputedStyle(list).direction !== 'ltr'
}

function moveTo({ list, undrawn, column }: RowFocus, index: number): boolean {
  const count = undrawn()?.count ?? rowsOf(list).length
  const to = Math.max(0, Math.min(count - 1, index))
  const row = rowAt(list, to)
  // At once where it can be: the next key, which may come before the next frame, is for this row.
  if (row) enterRow(row, column)
  else {
    undrawn()?.reach(to)
    requestAnimationFrame(() => {
      const drawn = rowAt(list, to)
      if (drawn) enterRow(drawn, column)
    })
  }
  return true
}

/** Cards stand beside each other: up and down is what is seen so. */
function moveLine({ focus, row }: Press, isDown: boolean): boolean {
  const { list, undrawn, column } = focus
  if (undrawn()) return moveTo(focus, placeOf(list, row) + (isDown ? 1 : -1))
  const next = nearestLine(row, rowsOf(list), isDown)
  if (next) enterRow(next, column)
  return next !== undefined
}

function moveAside({ focus, row, at }: Press, isForward: boolean): boolean {
  const step = isForward ? 1 : -1
  const options = stepsOf(row)
  const next = options[options.indexOf(at) + step]
  if (next) {
    next.focus()
    return true
  }
  const rows = rowsOf(focus.list)
  const beside = rows[rows.indexOf(row) + step]
  if (!beside || !standBeside(row, beside)) return false
  enterRow(beside, isForward ? 0 : Infinity)
  return true
}

function movePage({ focus, row }: Press, isDown: boolean): boolean {
  const scroller = focus.list.closest<HTMLElement>('[data-scroll]')
  const room = Math.min(window.innerHeight, scroller?.clientHeight ?? Infinity)
  const step = Math.max(1, Math.floor(room / Math.max(1, row.offsetHeight)) - 1)
  return moveTo(focus, placeOf(focus.list, row) + (isDown ? step : -step))
}

function openRow({ row, at }: Press): boolean {
  if (at !== row && !isTick(at)) return false
  row.click()
  return true
}

function tickRow({ row, at }: Press): boolean {
  const tick = at === row ? tickOf(row) : undefined
  tick?.click()
  return tick !== undefined
}
