import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { formatBytes } from '../../lib/numbers/bytes.ts'

interface Props {
  bytes: number
  /** How long a new figure takes to be reached: about until the next one is expected. */
  overMs: number
}

/** One clock for all figures on the screen: each says anew what it has come to. */
const TICK_MS = 200
const rolling = new Set<(now: number) => void>()
let timer: ReturnType<typeof setInterval> | undefined

/**
 * A counter that is read now and then and grows all the time. It rolls to each new figure and never shows more than
 * was read. A smaller figure (a reset counter), or reduced motion, is shown at once.
 */
export function RollingBytes({ bytes, overMs }: Props) {
  const { i18n } = useTranslation()
  const box = useRef<HTMLElement>(null)
  const shown = useRef(bytes)
  const locale = i18n.language

  // Writes into the page by itself: ten thousand figures five times a second are too many for anything else.
  useEffect(() => {
    const from = shown.current
    const begun = performance.now()
    const write = (value: number) => {
      shown.current = value
      if (box.current) box.current.textContent = formatBytes(Math.round(value), locale)
    }
    if (bytes <= from || matchMedia('(prefers-reduced-motion: reduce)').matches) {
      write(bytes)
      return
    }
    const move = (now: number) => {
      const part = Math.min(1, (now - begun) / overMs)
      // Off screen it is not drawn; it is right when it scrolls into view.
      if (part === 1 || box.current?.checkVisibility({ contentVisibilityAuto: true })) write(from + (bytes - from) * part)
      if (part === 1) leave(move)
    }
    join(move)
    return () => leave(move)
  }, [bytes, overMs, locale])
  return <bdi ref={box}>{formatBytes(bytes, locale)}</bdi>
}

function join(move: (now: number) => void): void {
  rolling.add(move)
  timer ??= setInterval(() => {
    const now = performance.now()
    for (const one of rolling) one(now)
  }, TICK_MS)
}

function leave(move: (now: number) => void): void {
  rolling.delete(move)
  if (rolling.size > 0) return
  clearInterval(timer)
  timer = undefined
}
