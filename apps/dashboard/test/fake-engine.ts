import { getValidator } from '@causeway/contract'
import { onTestFinished } from 'vitest'
import { answer } from './fake-api.ts'

// An engine that refuses what a test says, in place of the sixty megabytes that Xray has. Xray itself is asked in one test.

/** The smallest module there is. */
const MODULE = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])

interface FakeEngine {
  /** A function's body over `text`: what is wrong with it, or null. */
  check?: string
  /** How the module answers: by nothing, or not at all. */
  isMissing?: boolean
}

export function givenEngine({ check = 'return null', isMissing = false }: FakeEngine = {}): void {
  const runtime = `globalThis.Go = class {
    importObject = {}
    run() { globalThis.validateXrayConfig = (text) => { ${check} }; return new Promise(() => undefined) }
  }`
  const urls = [
    URL.createObjectURL(new Blob([MODULE], { type: 'application/wasm' })),
    URL.createObjectURL(new Blob([runtime], { type: 'text/javascript' })),
  ]
  const [wasmUrl = '', runtimeUrl = ''] = urls
  onTestFinished(() => urls.forEach((url) => URL.revokeObjectURL(url)))
  if (isMissing) URL.revokeObjectURL(wasmUrl)
  answer(getValidator, () => ({
    schemaUrl: '/schemas/xray-config.json',
    engine: { wasmUrl, runtimeUrl, licencesUrl: '/none', bytes: MODULE.length },
  }))
}
