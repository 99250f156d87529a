import type { wireName } from '@causeway/contract'
import { useState } from 'react'
import { CallError } from './call-error.ts'
import { issueText, splitErrors } from './field-errors.ts'

/** A name that is checked while it is typed, and that shows what the server has against it. */
export function useLiveName(schema: typeof wireName, initial = '') {
  const [value, setValue] = useState(initial)
  const [serverError, setServerError] = useState<string>()
  const checked = schema.safeParse(value)
  const [issue] = checked.error?.issues ?? []
  return {
    value,
    isValid: checked.success,
    error: value === '' || issue === undefined ? serverError : issueText(issue),
    change: (next: string) => {
      setValue(next)
      setServerError(undefined)
    },
    showFailure: (error: Error) => {
      setServerError(splitErrors(error).fields['name'] ?? (error instanceof CallError ? error.serverMessage : undefined))
    },
  }
}
