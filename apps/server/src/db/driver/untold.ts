import type pg from 'pg'

/** Changes of one transaction are announced together. */
const TOGETHER_MS = 20
/** For what came from elsewhere, or from a process that was killed in between. */
const LOOK_MS = 1000

export interface Telling {
  /** Something was committed. */
  soon(): void
  stop(): void
}

/** Sends the notices that committed changes have left in "untold", in a transaction of its own which has nothing to flush. */
export function tellUntold(pool: pg.Pool): Telling {
  let soon: NodeJS.Timeout | undefined
  let isTelling = false
  let isMore = false
  const tell = async (): Promise<void> => {
    soon = undefined
    isMore = isTelling
    if (isTelling) return
    isTelling = true
    await pool
      .query(
        `with "gone" as (delete from "untold" returning "channel", "payload")
        select pg_notify("channel", "payload") from (select distinct "channel", "payload" from "gone") as "each"`,
      )
      .catch(() => {}) // the next look finds them
    isTelling = false
    if (isMore) later()
  }
  const later = (): void => {
    soon ??= setTimeout(() => void tell(), TOGETHER_MS).unref()
  }
  const look = setInterval(later, LOOK_MS).unref()
  return {
    soon: later,
    stop: () => {
      clearTimeout(soon)
      clearInterval(look)
    },
  }
}
