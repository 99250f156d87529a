const MIN_LETTERS = 3
/** Names in any script and addresses of mail. Such a name stands in the history and in messages, where markup would be read. */
const FORM = /^[\p{L}\p{M}\p{N}._@+-]+$/u

/** The problem of a new administrator's name, if it has one. */
export function adminNameProblem(name: string): 'missing' | 'short' | 'unusable' | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return 'missing'
  if (trimmed.length < MIN_LETTERS) return 'short'
  return FORM.test(trimmed) ? undefined : 'unusable'
}
