import { useEffect, useState } from 'react'
import { isServerThere } from '../../api/connection.ts'

const SECOND_MS = 1000

/** Counts the seconds down to the next try, and asks when they are over. */
export function useTries(nextTryAt: number): { seconds: number; isTrying: boolean; tryNow: () => Promise<void> } {
  const [now, setNow] = useState(() => Date.now())
  const [isTrying, setTrying] = useState(false)

  async function tryNow(): Promise<void> {
    setTrying(true)
    await isServerThere()
    setTrying(false)
  }

  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now())
      if (Date.now() >= nextTryAt) void isServerThere()
    }, SECOND_MS)
    // The browser tells that the network is back before the next try is due.
    const onOnline = () => void isServerThere()
    window.addEventListener('online', onOnline)
    return () => {
      clearInterval(timer)
      window.removeEventListener('online', onOnline)
    }
  }, [nextTryAt])

  return { seconds: Math.max(0, Math.ceil((nextTryAt - now) / SECOND_MS)), isTrying, tryNow }
}
