import { startTransition, useEffect, useState } from 'react'

/** Whether what is there has been painted since it came: what nobody sees yet, or nobody has opened, is drawn after it. */
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
