import { createHash } from 'node:crypto'

/** The id of a job that is there once for what it does, so that it cannot be made twice: the same for the same words. */
export function jobIdOf(words: string): string {
  const hex = createHash('sha256').update(words).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
