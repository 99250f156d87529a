interface Item {
  uuid: string
}

/** The list with one item moved to another's place. */
export function moveItem<T extends Item>(items: readonly T[], movedUuid: string, ontoUuid: string): T[] {
  const from = items.findIndex(({ uuid }) => uuid === movedUuid)
  const to = items.findIndex(({ uuid }) => uuid === ontoUuid)
  const next = [...items]
  if (from < 0 || to < 0) return next
  next.splice(to, 0, ...next.splice(from, 1))
  return next
}

/** An item's position is its index in the list. */
export function positions(items: readonly Item[]): { uuid: string; viewPosition: number }[] {
  return items.map(({ uuid }, viewPosition) => ({ uuid, viewPosition }))
}
