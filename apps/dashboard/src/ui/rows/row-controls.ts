// Elements in a list row that the keyboard navigation of the list recognises.

const CONTROL = 'a[href], button, input, select, textarea, [tabindex]'
/** Elements without a use of their own for the arrow keys. */
const QUIET = 'a[href]:not([role]), button:not([role]), [role="button"], input[type="checkbox"]'
/** While a row is moved by keys, the arrow keys belong to the move. */
const HELD = '[aria-roledescription][aria-pressed="true"]'

/** Those taken out of the way of Tab, with what they said of it before. */
const passed = new WeakMap<HTMLElement, string | null>()

export function rowsOf(list: HTMLElement): HTMLElement[] {
  return [...list.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.ariaHidden !== 'true' && child.role !== 'presentation',
  )
}

/** The row and its controls, as far as Tab leads to them or would if the row were the one. */
export function stops(row: HTMLElement): HTMLElement[] {
  return [row, ...row.querySelectorAll<HTMLElement>(CONTROL)].filter(
    (each) => passed.has(each) || (each.tabIndex >= 0 && each.matches(CONTROL)),
  )
}

export function setStop(control: HTMLElement, isStop: boolean): void {
  if (!isStop) {
    if (control.tabIndex < 0) return
    passed.set(control, control.getAttribute('tabindex'))
    control.tabIndex = -1
  } else {
    const before = passed.get(control)
    if (before === undefined) return
    passed.delete(control)
    if (before === null) control.removeAttribute('tabindex')
    else control.setAttribute('tabindex', before)
  }
}

/** Where the arrows stop in a row. */
export function stepsOf(row: HTMLElement): HTMLElement[] {
  return stops(row).filter((each) => (each === row || isQuiet(each)) && !each.matches(':disabled') && each.checkVisibility())
}

export function isQuiet(control: HTMLElement): boolean {
  return control.matches(QUIET) && !control.matches(HELD)
}

export function isTick(control: HTMLElement): boolean {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
}

export function tickOf(row: HTMLElement): HTMLElement | undefined {
  return stops(row).find(isTick)
}

/** Whether the row has a menu. */
export function openMenu(row: HTMLElement): boolean {
  const button = row.querySelector<HTMLElement>('[aria-haspopup="menu"]:enabled')
  button?.focus()
  button?.click()
  return button !== null
}

/** Whether two rows are cards of one line. */
export function standBeside(row: HTMLElement, other: HTMLElement): boolean {
  const [one, two] = [row.getBoundingClientRect(), other.getBoundingClientRect()]
  return two.top < one.bottom && one.top < two.bottom
}

/** Of the rows of the next line below or above, the one that is nearest. */
export function nearestLine(row: HTMLElement, rows: readonly HTMLElement[], isDown: boolean): HTMLElement | undefined {
  const from = row.getBoundingClientRect()
  const there = rows
    .map((each) => ({ each, box: each.getBoundingClientRect() }))
    // A part of a pixel is no distance.
    .filter(({ box }) => (isDown ? box.top >= from.bottom - 1 : box.bottom <= from.top + 1))
  const edge = isDown ? Math.min(...there.map(({ box }) => box.top)) : Math.max(...there.map(({ box }) => box.bottom))
  const middle = ({ left, width }: DOMRect) => left + width / 2
  return there
    .filter(({ box }) => (isDown ? box.top <= edge + 1 : box.bottom >= edge - 1))
    .toSorted((one, other) => Math.abs(middle(one.box) - middle(from)) - Math.abs(middle(other.box) - middle(from)))[0]?.each
}
