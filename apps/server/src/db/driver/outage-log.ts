import type { LoggerOptions } from 'pino'
import { z } from 'zod'
import { isOutage } from './failures.ts'

/** How often it is told how much has failed since. Where nothing has for so long, the next failure is told in full again. */
const TELL_MS = 30_000

interface Failing {
  count: number
  tellAgain(count: number): void
}

const telling = z.tuple([z.object({ err: z.instanceof(Error) }).loose(), z.string()]).rest(z.unknown())

/**
 * During an outage of the database hundreds of calls fail every second. Logs the first failure with its stack and the
 * first of every other kind with its sentence. From then on it logs counts.
 */
export function tellOutagesOnce(): NonNullable<LoggerOptions['hooks']> {
  const failing = new Map<string, Failing>()
  let timer: NodeJS.Timeout | undefined

  const tell = (): void => {
    for (const [message, one] of failing) {
      if (one.count === 0) failing.delete(message)
      else one.tellAgain(one.count)
      one.count = 0
    }
    if (failing.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  return {
    logMethod(args, method) {
      const { data } = telling.safeParse(args)
      if (!data || !isOutage(data[0].err)) return method.apply(this, args)
      const [{ err, ...more }, message] = data
      const known = failing.get(message)
      if (known) return void known.count++
      method.call(this, failing.size === 0 ? { err, ...more } : { error: err.message, ...more }, message)
      const tellAgain = (count: number) =>
        method.call(this, { error: err.message, count, seconds: TELL_MS / 1000 }, `again: ${message}`)
      failing.set(message, { count: 0, tellAgain })
      timer ??= setInterval(tell, TELL_MS).unref()
    },
  }
}
