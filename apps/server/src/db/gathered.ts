/** What comes after so many in the same turn is found by another connection meanwhile. */
const MOST_TOGETHER = 50

/**
 * Look-ups that are asked for in one turn of the event loop are one statement. From many callers at once, sending each by
 * itself, waking the database for it and reading its answer took more than finding the row. Who asks alone waits for nothing:
 * the turn ends as soon as what has arrived has been read.
 */
export function gathered<Row>(
  find: (keys: string[]) => Promise<Row[]>,
  keyOf: (row: Row) => string,
): (key: string) => Promise<Row | undefined> {
  let open: { keys: Set<string>; found: Promise<Map<string, Row>> } | undefined
  const begin = () => {
    const keys = new Set<string>()
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      if (open?.keys === keys) open = undefined
      const rows = await find([...keys])
      return new Map(rows.map((row) => [keyOf(row), row]))
    })
    return { keys, found }
  }
  return async (key) => {
    if (!open || open.keys.size >= MOST_TOGETHER) open = begin()
    open.keys.add(key)
    return (await open.found).get(key)
  }
}
