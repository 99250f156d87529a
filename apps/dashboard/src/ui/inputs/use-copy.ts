import { useEffect, useState } from 'react'
import { copyText } from '../../lib/clipboard.ts'

/** How long a copy button says that it has copied, where nothing else is given. */
export const COPY_FEEDBACK_MS = 2000

export function useCopy(feedbackMs: number = COPY_FEEDBACK_MS) {
  const [isCopied, setIsCopied] = useState(false)

  // The timer is outside React and must not fire after the button is gone.
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), feedbackMs)
    return () => clearTimeout(timer)
  }, [isCopied, feedbackMs])

  async function copy(text: string): Promise<boolean> {
    const isDone = await copyText(text)
    setIsCopied(isDone)
    return isDone
  }
  return { isCopied, copy }
}
