/** Elements that react to a click of their own and do not open the row around them. */
export function isOnControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest('a, button, input, label, [role="menu"]') !== null
}
