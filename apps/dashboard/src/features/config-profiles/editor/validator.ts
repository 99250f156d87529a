import type { Place } from '@causeway/xray'
import type { PanelProblem } from './panel-problem.ts'
import type { ValidatorReply, ValidatorRequest } from './validator.worker.ts'

interface Engine {
  wasmUrl: string
  runtimeUrl: string
  bytes: number
}

/** What a check gives. A text that was asked about while a newer one was waiting already is left out. */
export type Answer =
  | { kind: 'checked'; by: PanelProblem['by'] | 'xray'; problem: string | null; place?: Place | undefined }
  | { kind: 'broken'; message: string }
  | { kind: 'overtaken' }

export interface RunningValidator {
  check: (text: string) => Promise<Answer>
  stop: () => void
}

/** Loads Xray into a worker. Rejects when it does not come up. */
export function startValidator(
  engine: Engine,
  onProgress: (share: number) => void,
): { ready: Promise<RunningValidator>; stop: () => void } {
  const worker = new Worker(new URL('./validator.worker.ts', import.meta.url), { type: 'module' })
  const send = (request: ValidatorRequest) => worker.postMessage(request)
  const started = Promise.withResolvers<RunningValidator>()
  let count = 0
  let asked: { number: number; answer: (answer: Answer) => void } | undefined
  let waiting: { text: string; answer: (answer: Answer) => void } | undefined

  function next(): void {
    if (asked !== undefined || waiting === undefined) return
    asked = { number: ++count, answer: waiting.answer }
    send({ kind: 'check', number: count, text: waiting.text })
    waiting = undefined
  }
  function settle(answer: Answer): void {
    asked?.answer(answer)
    asked = undefined
    next()
  }
  function fail(message: string): void {
    started.reject(new Error(message))
    settle({ kind: 'broken', message })
  }
  worker.addEventListener('message', ({ data }: MessageEvent<ValidatorReply>) => {
    if (data.kind === 'progress') onProgress(data.share)
    else if (data.kind === 'ready') started.resolve({ check, stop })
    else if (data.kind === 'failed') fail(data.message)
    else if (data.number === asked?.number)
      settle(
        data.kind === 'checked'
          ? { kind: 'checked', by: data.by, problem: data.problem, place: data.place }
          : { kind: 'broken', message: data.message },
      )
  })
  worker.addEventListener('error', (event) => fail(event.message || 'the worker could not be started'))

  function check(text: string): Promise<Answer> {
    return new Promise((answer) => {
      waiting?.answer({ kind: 'overtaken' })
      waiting = { text, answer }
      next()
    })
  }
  const stop = () => worker.terminate()
  send({ kind: 'start', wasmUrl: engine.wasmUrl, runtimeUrl: engine.runtimeUrl, bytes: engine.bytes })
  return { ready: started.promise, stop }
}
