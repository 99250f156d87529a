/** How many earlier focused elements are remembered for the moment a dialog closes. */
const REMEMBERED = 8

/**
 * A busy button is disabled, and a disabled element loses the focus. A keyboard user would be nowhere. It gets the
 * focus back when it is done, unless the focus has moved elsewhere.
 */
export function keepFocus(): () => void {
  let been: HTMLElement[] = []
  const onFocus = ({ target }: FocusEvent) => {
    if (target instanceof HTMLElement) been = [...been.filter((one) => one !== target), target].slice(-REMEMBERED)
  }
  const onPointerDown = () => {
    been = []
  }
  const watch = new MutationObserver((changes) => {
    if (document.activeElement !== document.body) return
    been = been.filter(({ isConnected }) => isConnected)
    const last = been.at(-1)
    if (changes.some(({ target }) => target === last)) last?.focus({ preventScroll: true })
  })
  watch.observe(document.body, { attributeFilter: ['disabled'], subtree: true })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', onPointerDown)
  return () => {
    watch.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', onPointerDown)
  }
}
