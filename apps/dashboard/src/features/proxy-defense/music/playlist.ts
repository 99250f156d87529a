/** As configured: `{ "playlist": [ { "url", "title"?, "author"? } ] }`. Addresses may be relative to the list's own. */
export interface Track {
  url: string
  title: string | undefined
  author: string | undefined
}

export type PlaylistProblem = { kind: 'http'; status: number } | { kind: 'empty' } | { kind: 'failed' }

export class PlaylistError extends Error {
  readonly problem: PlaylistProblem

  constructor(problem: PlaylistProblem) {
    super(problem.kind)
    this.problem = problem
  }
}

/** @throws PlaylistError, whatever goes wrong. */
export async function loadPlaylist(url: string, ask: typeof fetch = fetch): Promise<Track[]> {
  let reply: Response
  let tracks: Track[]
  try {
    reply = await ask(url, { method: 'GET', mode: 'cors', credentials: 'omit', headers: { accept: 'application/json' } })
  } catch {
    throw new PlaylistError({ kind: 'failed' }) // no network, or the host does not let us read
  }
  if (!reply.ok) throw new PlaylistError({ kind: 'http', status: reply.status })
  try {
    tracks = tracksOf(await reply.json(), url)
  } catch {
    throw new PlaylistError({ kind: 'failed' }) // not JSON
  }
  if (tracks.length === 0) throw new PlaylistError({ kind: 'empty' })
  return tracks
}

function tracksOf(body: unknown, base: string): Track[] {
  const { playlist }: { playlist?: unknown } = typeof body === 'object' && body !== null ? body : {}
  return Array.isArray(playlist) ? playlist.flatMap((entry) => track(entry, base)) : []
}

/** None for an entry without an address that can be played. */
function track(entry: unknown, base: string): Track[] {
  if (typeof entry !== 'object' || entry === null) return []
  const { url, title, author }: { url?: unknown; title?: unknown; author?: unknown } = entry
  if (typeof url !== 'string' || !URL.canParse(url, base)) return []
  return [{ url: new URL(url, base).href, title: words(title), author: words(author) }]
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}
