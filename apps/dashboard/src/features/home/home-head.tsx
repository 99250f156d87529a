import { Skeleton } from '@mantine/core'
import { useEffect, useState, type CSSProperties, type ReactNode } from 'react'
import classes from './home.module.css'

/** How high the head was when all of it had come: what stands below waits there at the next visit. */
const HEIGHT_KEY = 'home-head-height'
/** A read that takes longer is waited for by its own part only. */
const PATIENCE_MS = 1000
const ROWS = 3

/**
 * The conditional part of the page: first steps, attention. It appears as one block once all its reads are done, as
 * each read would push the content below. At the first visit the content below appears with it.
 */
export function HomeHead({ children }: { children: ReactNode }) {
  const [kept] = useState(() => Number(localStorage.getItem(HEIGHT_KEY)))
  const [isLate, setLate] = useState(false)

  // Only time passes here.
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])

  // The browser lays the head out.
  function keepHeight(head: HTMLElement | null) {
    if (!head) return undefined
    const observer = new ResizeObserver(() => {
      if (!head.querySelector('[data-coming]')) localStorage.setItem(HEIGHT_KEY, String(head.offsetHeight))
    })
    observer.observe(head)
    return () => observer.disconnect()
  }
  return (
    <div
      ref={keepHeight}
      className={classes['head']}
      data-late={isLate || undefined}
      data-first={kept > 0 ? undefined : true}
      // CSS variables are not part of CSSProperties.
      style={{ '--kept-height': `${kept}px` } as CSSProperties}
    >
      {children}
      <div className={classes['headRows']} aria-hidden>
        {Array.from({ length: ROWS }, (_, row) => (
          <Skeleton key={row} height={28} radius="sm" />
        ))}
      </div>
    </div>
  )
}

/** Stands for a part of the head whose reads have not come. */
export function Coming() {
  return <span data-coming hidden />
}
