import { useEffect, useState } from 'react'

/** Dialogs keep their content this long after closing, so that it does not vanish before they do. */
const DIALOG_RESET_MS = 300

/** The value, and for a moment after it is gone the last one. */
export function useLingering<T>(value: T | undefined, lingerMs: number = DIALOG_RESET_MS): T | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)

  // Only the passing of time ends the lingering.
  useEffect(() => {
    if (value !== undefined) return
    const timer = setTimeout(() => setLast(undefined), lingerMs)
    return () => clearTimeout(timer)
  }, [value, lingerMs])

  return value ?? last
}
