import { checkConfigProfile, type Validator } from '@causeway/contract'
import { useQuery } from '@tanstack/react-query'
import type { Snippets } from '@causeway/xray'
import { useEffect, useState } from 'react'
import { call } from '../../../api/call.ts'
import { validatorQuery } from '../config-profiles.queries.ts'
import { computedText } from './computed-text.ts'
import { panelFault, readConfig } from './panel-problem.ts'
import { placeOfPath } from './problem-place.ts'
import { startValidator, type RunningValidator } from './validator.ts'
import { verdictOf, type Verdict } from './verdict.ts'

/** The judge of a configuration: Xray itself in the browser, or the server's own rules where it is not there. */
export type Checker =
  | { phase: 'loading'; share: number }
  | { phase: 'engine'; validator: RunningValidator }
  | { phase: 'server'; why: 'notBuilt' | 'failed' }

type Engine = NonNullable<Validator['engine']>

/** Loaded with the editor, once `isWanted`, and gone with it. */
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

const PAUSE_MS = 400
/** Long texts are copied to the worker; quick typing is checked once. */
const ENGINE_PAUSE_MS = 100

/**
 * The verdict on the present text; nothing from a change until it has been looked at again. `known` is a verdict that
 * came from elsewhere for this very text, as from a save.
 */
export function useVerdict(
  text: string,
  checker: Checker,
  known: { text: string; verdict: Verdict } | undefined,
  snippets: Snippets | undefined,
): Verdict | undefined {
  const [found, setFound] = useState<{ text: string; verdict: Verdict }>()
  const isKnown = known?.text === text

  // Asks a worker or the server, both outside React.
  useEffect(() => {
    if (checker.phase === 'loading' || isKnown || snippets === undefined) return
    let isWanted = true
    const ask = checker.phase === 'engine' ? () => askEngine(checker.validator, text, snippets) : async () => askServer(text)
    const timer = setTimeout(
      () => void ask().then((verdict) => void (isWanted && verdict && setFound({ text, verdict }))),
      checker.phase === 'engine' ? ENGINE_PAUSE_MS : PAUSE_MS,
    )
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text, checker, isKnown, snippets])

  if (isKnown) return known.verdict
  return found?.text === text ? found.verdict : undefined
}

/** Xray judges what nodes get. */
async function askEngine(validator: RunningValidator, text: string, snippets: Snippets): Promise<Verdict | undefined> {
  const computed = computedText(text, snippets)
  if (computed === undefined) return verdictOf(await validator.check(text), new Date())
  const at = new Date()
  const [fault] = [panelFault(text)]
  if (fault) return { isValid: false, ...fault, at }
  if (computed.problem) return { isValid: false, by: 'panel', ...computed.problem, at }
  const verdict = verdictOf(await validator.check(computed.text), new Date())
  if (verdict === undefined || verdict.message === null) return verdict
  return { ...verdict, ...computed.comesFrom(verdict.place, verdict.message) }
}

async function askServer(text: string): Promise<Verdict> {
  const refusal = panelFault(text)
  if (refusal) return { isValid: false, ...refusal, at: new Date() }
  const config = readConfig(text)
  try {
    const [problem] = config ? (await call(checkConfigProfile, { config })).problems : []
    if (!problem) return { isValid: true, by: 'panel', message: null, at: new Date() }
    return { isValid: false, by: 'panel', message: problem.message, at: new Date(), place: placeOfPath(text, problem.path) }
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error)
    return { isValid: false, by: 'none', message: `Validation error: ${words}`, at: new Date() }
  }
}
