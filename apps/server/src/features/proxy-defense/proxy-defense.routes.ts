import * as api from '@causeway/contract'
import type { Ctx } from '../../ctx.ts'
import { on, type Route } from '../../http/mount.ts'

/** The hidden game is played in the browser; only where its music comes from is configured here. */
export function proxyDefenseRoutes({ config }: Ctx): Route[] {
  return [
    on(api.getMusic, () =>
      Promise.resolve({ playlistUrl: config.MUSIC_PLAYLIST_URL, serviceUrl: config.MUSIC_SERVICE_URL ?? STREAMING_SERVICE }),
    ),
  ]
}

const STREAMING_SERVICE = 'https://soundcloud.com/discover'
