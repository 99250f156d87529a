import { useEffect } from 'react'

/** Keeps the screen on, where the browser can: on an encrypted connection. It lets go of screens that are not seen. */
export function useAwake(): void {
  // The screen belongs to the machine.
  useEffect(() => {
    let held: WakeLockSentinel | undefined
    let isOver = false
    async function hold(): Promise<void> {
      if (document.hidden || !('wakeLock' in navigator)) return
      // Refused where power is low: the screen then goes dark as it would have.
      const lock = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (isOver) void lock?.release()
      else held = lock
    }
    const onVisible = () => void hold()
    document.addEventListener('visibilitychange', onVisible)
    void hold()
    return () => {
      isOver = true
      document.removeEventListener('visibilitychange', onVisible)
      void held?.release()
    }
  }, [])
}
