import { useEffect, useState } from 'react'
import { z } from 'zod'

const draft = z.object({ text: z.string(), at: z.string() })
type Draft = z.output<typeof draft>

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
  const name = `draft:${key}`
  const [offered, setOffered] = useState(() => {
    const found = readDraft(name)
    return found?.text === text ? undefined : found
  })

  // The browser's store is outside React.
  useEffect(() => {
    if (offered !== undefined) return
    if (isChanged) writeDraft(name, text)
    else localStorage.removeItem(name)
  }, [name, offered, text, isChanged])

  return {
    offered,
    /** It has been taken back or thrown away. */
    decide: () => setOffered(undefined),
    /** Before the page goes: what was entered is given up. */
    forget: () => localStorage.removeItem(name),
  }
}

function readDraft(name: string): Draft | undefined {
  try {
    return draft.parse(JSON.parse(localStorage.getItem(name) ?? ''))
  } catch {
    return undefined
  }
}

/** A full store must not break the page; the text is still in the editor. */
function writeDraft(name: string, text: string): void {
  try {
    localStorage.setItem(name, JSON.stringify({ text, at: new Date().toISOString() } satisfies Draft))
  } catch {
    localStorage.removeItem(name)
  }
}
