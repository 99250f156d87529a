import type { Answer } from './validator.ts'

/** What is known of a text, and since when. `message` is the validator's own, where it has one. */
export interface Verdict {
  isValid: boolean
  message: string | null
  at: Date
}

/** Undefined where the answer says nothing of the text. */
export function verdictOf(answer: Answer, at: Date): Verdict | undefined {
  switch (answer.kind) {
    case 'checked':
      return { isValid: answer.problem === null, message: answer.problem, at }
    case 'broken':
      return { isValid: false, message: `Validation error: ${answer.message}`, at }
    case 'overtaken':
      return undefined
  }
}

/** HH:mm:ss, the same in every language. */
export function clockText(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}
