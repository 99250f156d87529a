import { z } from 'zod'
import type { Lasting } from './user-form.ts'

// What the last new user was given, kept by the browser: the next one is likely to get the same.

const KEY = 'newUserChoices'
const choices = z.object({
  squads: z.array(z.string()).optional(),
  lasting: z.union([z.literal('never'), z.object({ months: z.number() }), z.object({ days: z.number() })]).optional(),
})
export interface LastChoices {
  squads?: string[] | undefined
  lasting?: Lasting | undefined
}

export function lastChoices(): LastChoices {
  try {
    return choices.parse(JSON.parse(localStorage.getItem(KEY) ?? '{}'))
  } catch {
    return {}
  }
}

export function keepChoices(made: LastChoices): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(made))
  } catch {
    // A browser without room begins with a month again.
  }
}
