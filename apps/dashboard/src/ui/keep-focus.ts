/** How far back somebody may have been when a dialog was shut. */
const REMEMBERED = 8

/**
 * A button that is at work is disabled, and what is disabled has no focus: whoever pressed it by keyboard, or answered the
 * question that it asks first, would be nowhere. It has the focus again when it is done, unless somebody went elsewhere.
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
