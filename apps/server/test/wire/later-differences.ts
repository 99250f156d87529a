/** Routes of other generations that are not served yet; the list only shrinks. */
export const notServed: readonly string[] = []

/** Members of other generations that answers do not carry, and why. `METHOD path member`. */
export const memberDifferences: readonly { at: RegExp; why: string }[] = [
  {
    at: / (responseRules\.rules\[\]|matchedRule\.(conditions|responseModifications\.headers)\[\])\./,
    why: 'the list is checked entry by entry, so that its members cannot be seen',
  },
]

/** Replies that a published contract refuses, each for its reason. */
export const repliesThatDiffer: { key: string; in: string[]; why: string }[] = [
  {
    key: 'GET /api/auth/status',
    in: ['contract-2.6'],
    why: 'Telegram is a provider since 2.7, and 2.6 refuses names that it does not know',
  },
]
