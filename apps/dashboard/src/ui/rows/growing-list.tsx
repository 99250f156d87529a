import { useState, type ReactNode } from 'react'
import { useRowKeys } from './row-keys.ts'

/** Cards that are drawn at once: thousands of them, each with a menu, would keep the browser busy for many seconds. */
const STEP = 60
/** Further ones are there before the last comes into view. */
const AHEAD = '800px'

interface Props<Item> {
  label: string
  className: string | undefined
  items: readonly Item[]
  /** The item's `li`. */
  children: (item: Item) => ReactNode
}

/** A list of cards that loads more near its end, on scrolling or by keys. */
export function GrowingList<Item>({ label, className, items, children }: Props<Item>) {
  const [room, setRoom] = useState(STEP)

  function watch(end: HTMLElement | null) {
    if (!end) return undefined
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) setRoom(room + STEP)
      },
      { rootMargin: AHEAD, scrollMargin: AHEAD },
    )
    observer.observe(end)
    return () => observer.disconnect()
  }
  return (
    <ul ref={useRowKeys<HTMLUListElement>()} data-pane className={className} aria-label={label}>
      {items.slice(0, room).map(children)}
      {items.length > room && <li key={room} ref={watch} aria-hidden />}
    </ul>
  )
}
