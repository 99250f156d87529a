// Whether an installation takes an import, by what it holds.

export interface Occupancy {
  users: number
  nodes: number
  hosts: number
  providers: number
  tokens: number
  hasAdmin: boolean
  /** The administrator registered here, and came with no import. */
  isAdminRegistered: boolean
  /** The entry of the last import in the history. */
  importEntry: number | null
  /** By people, or programs that hold a token, since the last import. */
  changes: { at: Date; action: string; name: string | null; actorName: string | null }[]
}

const MOST_CHANGES = 20

/** Why this installation takes no archive; none where it is empty, or as an import has left it. */
export function occupancySentence(found: Occupancy): string | undefined {
  if (found.changes.length > 0) return changedSentence(found)
  const parts = (['users', 'nodes', 'hosts', 'providers', 'tokens'] as const)
    .filter((name) => found[name] > 0)
    .map((name) => `${found[name]} ${found[name] === 1 ? name.slice(0, -1) : name}`)
  if (parts.length === 0 || found.importEntry !== null) return undefined
  return `This installation is not empty: it has ${parts.join(', ')}. ${ELSEWHERE}`
}

const ELSEWHERE = 'Import into a new one, by another DATA_DIR or DATABASE_URL. Nothing was changed.'

function changedSentence({ changes, importEntry }: Occupancy): string {
  const lines = changes.slice(0, MOST_CHANGES).map(({ at, action, name, actorName }) => {
    const done = [action.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`), ...(name === null ? [] : [name])]
    const time = at.toISOString().slice(0, 16).replace('T', ' ')
    return `  ${time} UTC: ${done.join(' ')}${actorName === null ? '' : `, by ${actorName}`}`
  })
  const more = changes.length - lines.length
  const head =
    importEntry === null
      ? 'This installation is not empty: people have changed it'
      : 'This installation was changed after its import'
  return [`${head}. ${ELSEWHERE}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])].join('\n')
}
