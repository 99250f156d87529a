import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { drafts, type Draft } from './draft.ts'

const PAUSE_MS = 300

interface Typed {
  uuid: string
  /** When the profile that it is typed into was saved. */
  base: string
  text: string
  isChanged: boolean
  /** Puts back what an earlier visit left. */
  onFound: (text: string) => void
}

/** Keeps what is typed while it is not saved. Gives what an earlier visit left, and the way to speak of it no more. */
export function useDraft({ uuid, base, text, isChanged, onFound }: Typed): [Draft | undefined, () => void] {
  const [found, setFound] = useState(() => drafts.read(uuid))
  const wasChanged = useRef(false)
  const keep = useEffectEvent(() => {
    if (isChanged) drafts.keep(uuid, { text, base, at: new Date().toISOString() })
  })
  const putBack = useEffectEvent(() => {
    if (found) onFound(found.text)
  })

  // The storage of the tab lies outside React, and a reload waits for nobody.
  useEffect(() => {
    putBack()
    const onGoing = () => keep()
    window.addEventListener('pagehide', onGoing)
    return () => {
      window.removeEventListener('pagehide', onGoing)
      onGoing()
    }
  }, [])

  // As above.
  useEffect(() => {
    if (wasChanged.current && !isChanged) drafts.drop(uuid)
    wasChanged.current = isChanged
    const timer = setTimeout(() => keep(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [uuid, text, isChanged])

  return [isChanged ? found : undefined, () => setFound(undefined)]
}
