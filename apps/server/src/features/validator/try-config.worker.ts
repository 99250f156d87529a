import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'

// The validator that browsers run, in a thread of the server: it is Xray itself, as far as `xray run -test` goes.

const { engineDir, text } = workerData as { engineDir: string; text: string } // from try-config.actions.ts

await import(pathToFileURL(path.join(engineDir, 'wasm_exec.js')).href)
const isFunction = (value: unknown) => typeof value === 'function'
// The types of WebAssembly come with the DOM library, which code for Node does not load.
const runtime = z.object({
  Go: z.custom<new () => { importObject: object; run(instance: object): Promise<void> }>(isFunction),
  WebAssembly: z.object({
    instantiate: z.custom<(code: Uint8Array, imports: object) => Promise<{ instance: object }>>(isFunction),
  }),
})
const { Go, WebAssembly } = runtime.parse(globalThis)
const go = new Go()
const { instance } = await WebAssembly.instantiate(await readFile(path.join(engineDir, 'validator.wasm')), go.importObject)
void go.run(instance)
const page = z.object({ validateXrayConfig: z.custom<(config: string) => string | null>(isFunction) })
parentPort?.postMessage(page.parse(globalThis).validateXrayConfig(text))
