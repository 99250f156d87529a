import type { Ctx } from '../../ctx.ts'
import type { Holder } from '../../http/guards.ts'
import { saveTokenUses, type TokenUse } from './api-tokens.queries.ts'

const FLUSH_MS = 2000
/** Programs name themselves; real names are shorter. */
const MAX_USER_AGENT = 255

/** When and from where tokens are used, written together after the answers: a bot that asks a thousand times costs one row. */
export interface TokenUses {
  /** Gives the holder back, as it is. */
  noted(holder: Holder): Holder
  flush(): Promise<void>
  close(): Promise<void>
}

export function recordTokenUses(ctx: Ctx): TokenUses {
  let uses = new Map<string, TokenUse>()
  let flushing: Promise<void> = Promise.resolve()

  const flushAll = async (): Promise<void> => {
    if (uses.size === 0) return
    const batch = uses
    uses = new Map()
    try {
      await saveTokenUses(ctx.db, [...batch.values()])
    } catch (error) {
      ctx.log.warn({ err: error }, 'failed to record uses of API tokens; retrying')
      // A use recorded meanwhile is newer. There are never more than tokens.
      uses = new Map([...batch, ...uses])
    }
  }
  const flush = (): Promise<void> => (flushing = flushing.then(flushAll))
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()

  return {
    noted: (holder) => {
      const { kind, uuid, address, userAgent } = holder
      if (kind === 'apiToken' && uuid !== null) {
        const agent = userAgent?.slice(0, MAX_USER_AGENT).replaceAll('\0', '') ?? null
        uses.set(uuid, { tokenUuid: uuid, at: ctx.now(), address, userAgent: agent })
      }
      return holder
    },
    flush,
    close: () => {
      clearInterval(timer)
      return flush()
    },
  }
}
