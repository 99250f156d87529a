/** Leads to the next part of a page or dialog, over all that lies between. Browsers change panes with it. */
export const PANE_KEY = 'F6'

/** The parts that it leads to: lists, what can be done with what is selected, the end of what is edited. */
const PANE = '[data-pane]'
const CONTROL = 'a[href], button:enabled, input:enabled, [tabindex]'

/** The last focused element of each pane, and the element that had the focus before the only pane was entered. */
const left = new WeakMap<Element, Element>()
let came: Element | null = null

/** Keys pressed anywhere reach us only through the document. */
export function watchPanes(): () => void {
  function onFocus({ target }: FocusEvent): void {
    const pane = target instanceof Element ? target.closest(PANE) : null
    if (pane && target instanceof Element) left.set(pane, target)
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== PANE_KEY || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    toPane(event.shiftKey)
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('keydown', onKeyDown)
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('keydown', onKeyDown)
  }
}

/** To the one after what has the focus, and from the last to the first; from the only one to where one was. */
export function toPane(isBack = false): void {
  const { activeElement } = document
  const within = activeElement?.closest('[role="dialog"]') ?? document.querySelector('main')
  const panes = [...(within?.querySelectorAll(PANE) ?? [])].filter((pane) => targetIn(pane) !== undefined)
  const current = panes.find((pane) => pane.contains(activeElement))
  if (!current) came = activeElement
  const others = panes.filter((pane) => pane !== current)
  const isAfter = (pane: Element) =>
    activeElement !== null && activeElement !== document.body
      ? (activeElement.compareDocumentPosition(pane) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
      : true
  const next = isBack
    ? (others.findLast((pane) => !isAfter(pane)) ?? others.at(-1))
    : (others.find((pane) => isAfter(pane)) ?? others[0])
  const target = next ? targetIn(next) : came
  if (target instanceof HTMLElement) target.focus()
}

function targetIn(pane: Element): Element | undefined {
  const last = left.get(pane)
  if (last?.isConnected && pane.contains(last) && last.matches(CONTROL)) return last
  const controls = [...pane.querySelectorAll<HTMLElement>(CONTROL)].filter((each) => each.tabIndex >= 0 && each.checkVisibility())
  // The end of a form begins with what is done seldom; what one comes for is its last button.
  return pane.getAttribute('data-pane') === 'end' ? controls.at(-1) : controls[0]
}
