import { getMusic } from '@causeway/contract'
import { queryOptions } from '@tanstack/react-query'
import { apiQuery } from '../../../api/api-query.ts'
import { loadPlaylist } from './playlist.ts'

/** Quiet: the player itself says that it has no music. */
export const music = () => apiQuery(getMusic, {}, { staleTime: Infinity, quiet: true })

export const playlist = (url: string | null | undefined) =>
  queryOptions({
    queryKey: ['playlist', url],
    queryFn: () => loadPlaylist(url ?? ''),
    enabled: typeof url === 'string',
    staleTime: Infinity,
    retry: false,
  })
