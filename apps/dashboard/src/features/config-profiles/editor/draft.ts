import { z } from 'zod'
import { draftStore } from '../../../lib/draft-store.ts'

const draft = z.object({
  text: z.string(),
  base: z.string(), // when the profile that it was typed into had been saved
  at: z.string(),
})
export type Draft = z.output<typeof draft>

/** What was typed and is not saved outlives a reload and the way through the sign-in, but not the tab: it may hold keys. */
export const drafts = draftStore(sessionStorage, 'profile-draft', draft)
