import { startTransition, useEffect, useState } from 'react'

/** Whether the element has been painted since it mounted. Hidden and unopened content is drawn after that. */
export function useIsPainted(isThere: boolean): boolean {
  const [isPainted, setPainted] = useState(false)
  // The browser's frames.
  useEffect(() => {
    if (!isThere) return
    const frame = requestAnimationFrame(() => startTransition(() => setPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [isThere])
  return isPainted
}
