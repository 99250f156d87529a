import { checkConfigProfile, type Validator } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { validatorQuery } from '../config-profiles.queries.ts'
import { placeOfPath, placeOfProblem } from './problem-place.ts'
import type { Place } from './json-places.ts'
import { startValidator, type RunningValidator } from './validator.ts'
import { verdictOf, type Verdict } from './verdict.ts'

/** Who says whether a text is a configuration: Xray itself in the browser, or the server's own rules where it is not there. */
export type Checker =
  | { phase: 'loading'; share: number }
  | { phase: 'engine'; validator: RunningValidator }
  | { phase: 'server'; why: 'notBuilt' | 'failed' }

type Engine = NonNullable<Validator['engine']>

/** Loaded by whoever shows the editor, and gone with it. */
export function useChecker(): Checker {
  const { data, isError } = useQuery(validatorQuery())
  const [started, setStarted] = useState<{ engine: Engine; checker: Checker }>()
  const engine = data?.engine ?? undefined

  // Xray runs in a worker, outside React, and takes its time to come up.
  useEffect(() => {
    if (engine === undefined) return
    const set = (checker: Checker) => setStarted({ engine, checker })
    const { ready, stop } = startValidator(engine, (share) => set({ phase: 'loading', share }))
    let isWanted = true
    ready.then(
      (validator) => isWanted && set({ phase: 'engine', validator }),
      (error: unknown) => {
        if (!isWanted) return
        console.error('The validator did not start:', error)
        set({ phase: 'server', why: 'failed' })
      },
    )
    return () => {
      isWanted = false
      stop()
    }
  }, [engine])

  if (isError) return { phase: 'server', why: 'failed' }
  if (data?.engine === null) return { phase: 'server', why: 'notBuilt' }
  return started?.engine === engine && started ? started.checker : { phase: 'loading', share: 0 }
}

/** A verdict and where in the text its complaint lies. */
export interface Judged extends Verdict {
  place?: Place | undefined
}

const PAUSE_MS = 400

/**
 * What is known of the text, looked at again after every change. `known` is a verdict that came from elsewhere for this very
 * text, as from a save.
 */
export function useVerdict(
  text: string,
  checker: Checker,
  known: { text: string; verdict: Judged } | undefined,
): Judged | undefined {
  const [found, setFound] = useState<Judged>()
  const isKnown = known?.text === text

  // Asks a worker or the server, both outside React.
  useEffect(() => {
    if (checker.phase === 'loading' || isKnown) return
    let isWanted = true
    const set = (verdict: Judged | undefined) => void (isWanted && verdict && setFound(verdict))
    if (checker.phase === 'engine') {
      void checker.validator.check(text).then((answer) => {
        const verdict = verdictOf(answer, new Date())
        const place = verdict?.isValid === false && verdict.message !== null ? placeOfProblem(text, verdict.message) : undefined
        set(verdict && { ...verdict, place })
      })
      return () => void (isWanted = false)
    }
    const timer = setTimeout(() => void askServer(text).then(set), PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text, checker, isKnown])

  return isKnown ? known.verdict : found
}

async function askServer(text: string): Promise<Judged> {
  const config = readConfig(text)
  if (config === undefined) return { isValid: false, message: 'invalid JSON', at: new Date() }
  try {
    const [problem] = (await call(checkConfigProfile, { config })).problems
    if (!problem) return { isValid: true, message: null, at: new Date() }
    return { isValid: false, message: problem.message, at: new Date(), place: placeOfPath(text, problem.path) }
  } catch (error) {
    return {
      isValid: false,
      message: `Validation error: ${error instanceof Error ? error.message : String(error)}`,
      at: new Date(),
    }
  }
}

/** Undefined where the text is no JSON object. */
export function readConfig(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
