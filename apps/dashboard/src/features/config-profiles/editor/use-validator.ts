import { checkConfigProfile, type Validator } from '@causeway/contract'
import { jsonFault, type Place } from '@causeway/xray'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { validatorQuery } from '../config-profiles.queries.ts'
import { placeOfPath } from './problem-place.ts'
import { startValidator, type RunningValidator } from './validator.ts'
import { verdictOf, type Verdict } from './verdict.ts'

/** Who says whether a text is a configuration: Xray itself in the browser, or the server's own rules where it is not there. */
export type Checker =
  | { phase: 'loading'; share: number }
  | { phase: 'engine'; validator: RunningValidator }
  | { phase: 'server'; why: 'notBuilt' | 'failed' }

type Engine = NonNullable<Validator['engine']>

/** Loaded by whoever shows the editor, once that `isWanted`, and gone with it. */
export function useChecker(isWanted: boolean): Checker {
  const { data, isError } = useQuery(validatorQuery())
  const [started, setStarted] = useState<{ engine: Engine; checker: Checker }>()
  const engine = data?.engine ?? undefined

  // Xray runs in a worker, outside React, and takes its time to come up.
  useEffect(() => {
    if (engine === undefined || !isWanted) return
    const set = (checker: Checker) => setStarted({ engine, checker })
    const { ready, stop } = startValidator(engine, (share) => set({ phase: 'loading', share }))
    let isShown = true
    ready.then(
      (validator) => isShown && set({ phase: 'engine', validator }),
      (error: unknown) => {
        if (!isShown) return
        console.error('The validator did not start:', error)
        set({ phase: 'server', why: 'failed' })
      },
    )
    return () => {
      isShown = false
      stop()
    }
  }, [engine, isWanted])

  if (isError) return { phase: 'server', why: 'failed' }
  if (data?.engine === null) return { phase: 'server', why: 'notBuilt' }
  return started?.engine === engine && started ? started.checker : { phase: 'loading', share: 0 }
}

/** A verdict and where in the text its complaint lies. */
export interface Judged extends Verdict {
  place?: Place | undefined
}

const PAUSE_MS = 400
/** Long texts are copied to the worker; who types quickly is asked about once. */
const ENGINE_PAUSE_MS = 100

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
      const { check } = checker.validator
      const ask = async () => {
        const answer = await check(text)
        const verdict = verdictOf(answer, new Date())
        set(verdict && { ...verdict, place: answer.kind === 'checked' ? answer.place : undefined })
      }
      const timer = setTimeout(() => void ask(), ENGINE_PAUSE_MS)
      return () => {
        isWanted = false
        clearTimeout(timer)
      }
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
  const fault = jsonFault(text)
  if (config === undefined || fault)
    return { isValid: false, message: fault?.message ?? 'invalid JSON', at: new Date(), place: fault }
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
