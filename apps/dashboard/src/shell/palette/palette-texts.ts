/** Of the search, and of those whose things it names. */
export const PALETTE_TEXTS = ['search', 'users', 'nodes', 'hosts'] as const
