import type { Place } from '@causeway/xray'
import type { Answer } from './validator.ts'

/** Whose word a verdict is. `none`: the text could not be checked. */
export type Judge = 'text' | 'panel' | 'xray' | 'server' | 'none'

/** What is known of a text, since when, and where in it a complaint lies. `message` is the judge's own, where it has one. */
export interface Verdict {
  isValid: boolean
  by: Judge
  message: string | null
  at: Date
  place?: Place | undefined
}

/** Undefined where the answer says nothing of the text. */
export function verdictOf(answer: Answer, at: Date): Verdict | undefined {
  switch (answer.kind) {
    case 'checked':
      return { isValid: answer.problem === null, by: answer.by, message: answer.problem, at, place: answer.place }
    case 'broken':
      return { isValid: false, by: 'none', message: `Validation error: ${answer.message}`, at }
    case 'overtaken':
      return undefined
  }
}

/** HH:mm:ss, the same in every language. */
export function clockText(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}
