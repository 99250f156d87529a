import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Draft, DraftStore } from '../../lib/draft-store.ts'

/** The pause after typing before a draft is stored. */
const PAUSE_MS = 300

interface Written {
  drafts: DraftStore
  /** The name of the text among all drafts. */
  id: string
  text: string
  /** When what it is typed into was saved. */
  base?: string
  /** Whether it differs from what is saved. */
  isChanged: boolean
  /** Restores the draft of an earlier visit at once. Without it the draft is offered. */
  onFound?: (text: string) => void
}

interface DraftState {
  /** The draft of an earlier visit, until it is restored or discarded. */
  found: Draft | undefined
  /** Nothing should be entered meanwhile, because it would not be kept. */
  isWaiting: boolean
  /** The text exists on this page alone. */
  isUnkept: boolean
  /** It has been taken back or saved. */
  settle: () => void
  /** Discards the stored and the typed draft. */
  forget: () => void
}

/** Text that is not saved yet, kept by the browser: it survives a reload, a crash and the end of a session. */
export function useDraft({ drafts, id, text, base, isChanged, onFound }: Written): DraftState {
  const [read] = useState(() => drafts.read(id))
  const [found, setFound] = useState<Draft | undefined>(() => (read instanceof Promise || read?.text === text ? undefined : read))
  const [isLooking, setLooking] = useState(read instanceof Promise)
  const [isUnkept, setUnkept] = useState(false)
  const isWaiting = isLooking || (found !== undefined && onFound === undefined)
  const wasChanged = useRef(false)
  /** The text that is stored already, or discarded. */
  const done = useRef<string>(undefined)

  const keep = useEffectEvent(() => {
    if (!isChanged || isWaiting || done.current === text) return
    done.current = text
    // A restored text belongs to the state that it was typed into.
    const from = found?.base ?? base
    const draft = { text, ...(from !== undefined && { base: from }), at: new Date().toISOString() }
    void drafts.keep(id, draft).then((isKept) => setUnkept(!isKept))
  })
  const drop = useEffectEvent(() => {
    done.current = undefined
    setFound(undefined)
    setUnkept(false)
    drafts.drop(id)
  })
  const putBack = useEffectEvent((draft: Draft) => {
    if (draft.text === text) return drafts.drop(id)
    if (onFound === undefined) return
    done.current = draft.text
    onFound(draft.text)
  })
  const arrive = useEffectEvent((draft: Draft | undefined) => {
    setLooking(false)
    if (draft === undefined) return
    if (draft.text !== text) setFound(draft)
    putBack(draft)
  })

  // The browser's stores lie outside React; a page that unloads cannot await a write.
  useEffect(() => {
    let isShown = true
    if (read instanceof Promise) void read.then((draft) => isShown && arrive(draft))
    else if (read !== undefined) putBack(read)
    const onGoing = () => keep()
    const onHidden = () => document.visibilityState === 'hidden' && keep()
    window.addEventListener('pagehide', onGoing)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      isShown = false
      window.removeEventListener('pagehide', onGoing)
      document.removeEventListener('visibilitychange', onHidden)
      onGoing()
    }
  }, [read])

  // As above.
  useEffect(() => {
    if (wasChanged.current && !isChanged) drop()
    wasChanged.current = isChanged
    const timer = setTimeout(() => keep(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [id, text, isChanged, isWaiting])

  return {
    found,
    isWaiting,
    isUnkept: isUnkept && isChanged,
    settle: () => setFound(undefined),
    forget: () => {
      done.current = text
      setFound(undefined)
      drafts.drop(id)
    },
  }
}
