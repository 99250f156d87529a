import { useEffect, useState } from 'react'
import { z } from 'zod'
import { draftStore } from '../lib/draft-store.ts'

const drafts = draftStore(localStorage, 'draft', z.object({ text: z.string(), at: z.string() }))

interface Written {
  /** What is being written, among all texts of this panel. */
  key: string
  text: string
  /** Whether it differs from what is saved. */
  isChanged: boolean
}

/**
 * Text that is not saved yet, kept by the browser: it survives a reload, a crash and the end of a session. What an earlier visit
 * left is offered until somebody decides; meanwhile nothing new should be entered, because it would not be kept.
 */
export function useDraft({ key, text, isChanged }: Written) {
  const [offered, setOffered] = useState(() => {
    const found = drafts.read(key)
    return found?.text === text ? undefined : found
  })

  // The browser's store is outside React.
  useEffect(() => {
    if (offered !== undefined) return
    if (isChanged) drafts.keep(key, { text, at: new Date().toISOString() })
    else drafts.drop(key)
  }, [key, offered, text, isChanged])

  return {
    offered,
    /** It has been taken back or thrown away. */
    decide: () => setOffered(undefined),
    /** Before the page goes: what was entered is given up. */
    forget: () => drafts.drop(key),
  }
}
