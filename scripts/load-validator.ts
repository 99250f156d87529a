import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { ENGINE_BUILD } from './find-engine.ts'

/** The validator for browsers, run here: what is wrong with a text, or null. */
export async function loadValidator(): Promise<(text: string) => string | null> {
  await import(path.join(ENGINE_BUILD, 'wasm_exec.js'))
  const isFunction = (value: unknown) => typeof value === 'function'
  const runtime = z.object({
    Go: z.custom<new () => GoRuntime>(isFunction),
    WebAssembly: z.object({ instantiate: z.custom<Instantiate>(isFunction) }),
  })
  const { Go, WebAssembly } = runtime.parse(globalThis)
  const go = new Go()
  const { instance } = await WebAssembly.instantiate(readFileSync(path.join(ENGINE_BUILD, 'validator.wasm')), go.importObject)
  void go.run(instance)
  const page = z.object({ validateXrayConfig: z.custom<(text: string) => string | null>(isFunction) })
  return page.parse(globalThis).validateXrayConfig
}

// The types of WebAssembly come with the DOM library, which code for Node does not load.
type Instantiate = (code: Uint8Array, imports: object) => Promise<{ instance: object }>
interface GoRuntime {
  importObject: object
  run(instance: object): Promise<void>
}
