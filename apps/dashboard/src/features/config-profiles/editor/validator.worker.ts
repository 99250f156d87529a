import type { Place } from '@causeway/xray'
import { panelProblem, type PanelProblem } from './panel-problem.ts'
import { placeOfProblem } from './problem-place.ts'

// Xray runs here, beside the page: what it says of a configuration, without the page standing still meanwhile.

/** Questions of the page. */
export type ValidatorRequest =
  | { kind: 'start'; wasmUrl: string; runtimeUrl: string; bytes: number }
  | { kind: 'check'; number: number; text: string }

/** Answers to the page. */
export type ValidatorReply =
  | { kind: 'progress'; share: number }
  | { kind: 'ready' }
  | { kind: 'failed'; message: string }
  | { kind: 'checked'; number: number; by: PanelProblem['by'] | 'xray'; problem: string | null; place: Place | undefined }
  | { kind: 'broken'; number: number; message: string }

interface GoRuntime {
  importObject: WebAssembly.Imports
  run(instance: WebAssembly.Instance): Promise<void>
}

declare global {
  var Go: (new () => GoRuntime) | undefined
  var validateXrayConfig: ((text: string) => string | null) | undefined
}

function tell(reply: ValidatorReply): void {
  postMessage(reply)
}

addEventListener('message', ({ data }: MessageEvent<ValidatorRequest>) => {
  if (data.kind === 'check') tell(check(data.number, data.text))
  else
    start(data).then(
      () => tell({ kind: 'ready' }),
      (error: unknown) => tell({ kind: 'failed', message: wordsOf(error) }),
    )
})

function check(number: number, text: string): ValidatorReply {
  try {
    if (!globalThis.validateXrayConfig) throw new Error('the validator has ended')
    // Here too, as in a long text it takes longer than a key may.
    const refusal = panelProblem(text)
    if (refusal) return { kind: 'checked', number, by: refusal.by, problem: refusal.message, place: refusal.place }
    const problem = globalThis.validateXrayConfig(text)
    const place = problem === null ? undefined : placeOfProblem(text, problem)
    return { kind: 'checked', number, by: 'xray', problem, place }
  } catch (error) {
    return { kind: 'broken', number, message: wordsOf(error) }
  }
}

async function start({ wasmUrl, runtimeUrl, bytes }: Extract<ValidatorRequest, { kind: 'start' }>): Promise<void> {
  await import(/* @vite-ignore */ runtimeUrl)
  if (!globalThis.Go) throw new Error(`${runtimeUrl} brings no runtime for Go`)
  const go = new globalThis.Go()
  const reply = await fetch(wasmUrl)
  if (!reply.ok || !reply.body) throw new Error(`${wasmUrl} answered ${reply.status}`)
  const counted = new Response(reply.body.pipeThrough(counter(bytes)), { headers: { 'content-type': 'application/wasm' } })
  const { instance } = await WebAssembly.instantiateStreaming(counted, go.importObject)
  // It runs until the page goes; if it ends by its own fault, nothing asks it any more.
  void go.run(instance).finally(() => (globalThis.validateXrayConfig = undefined))
  if (!globalThis.validateXrayConfig) throw new Error('the validator did not come up')
}

/** Tells how much has arrived, a hundred times at most. */
function counter(bytes: number): TransformStream<Uint8Array, Uint8Array> {
  let received = 0
  let told = 0
  return new TransformStream({
    transform(chunk, controller) {
      received += chunk.byteLength
      const share = Math.min(1, received / bytes)
      if (share - told >= 0.01) {
        told = share
        tell({ kind: 'progress', share })
      }
      controller.enqueue(chunk)
    },
  })
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
