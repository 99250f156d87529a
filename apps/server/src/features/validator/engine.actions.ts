import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Files of the engine for browsers, and their media types. */
const TYPES = {
  'validator.wasm': 'application/wasm',
  'wasm_exec.js': 'text/javascript; charset=utf-8',
  'LICENSES.txt': 'text/plain; charset=utf-8',
} as const
type EngineFile = keyof typeof TYPES

const PACKED = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const

interface BuiltEngine {
  /** Of what the files hold: another engine has other addresses, so that browsers may keep each for ever. */
  hash: string
  /** Size of the module when unpacked. */
  bytes: number
}

/** Finds the files that `npm run engine` made. They are looked at again when they change: the engine may be built later. */
export function engineFiles(folder: string) {
  let known: { stamp: string; engine: BuiltEngine } | undefined

  async function find(): Promise<BuiltEngine | undefined> {
    const found = await Promise.all(Object.keys(TYPES).map((name) => stat(path.join(folder, name)).catch(() => undefined)))
    if (found.some((file) => file === undefined)) return undefined
    const stamp = found.map((file) => `${file?.size} ${file?.mtimeMs}`).join()
    if (known?.stamp !== stamp) known = { stamp, engine: { hash: await hashOf(folder), bytes: found[0]?.size ?? 0 } }
    return known.engine
  }

  /** The file to send to a browser that takes these encodings. */
  async function open(hash: string, name: string, encodings: string) {
    const engine = await find()
    if (engine?.hash !== hash || !isEngineFile(name)) return undefined
    for (const { encoding, suffix } of PACKED) {
      const file = path.join(folder, name + suffix)
      const size = takes(encodings, encoding) ? await stat(file).then((one) => one.size, absent) : undefined
      if (size !== undefined) return { type: TYPES[name], encoding, size, stream: createReadStream(file) }
    }
    const file = path.join(folder, name)
    return { type: TYPES[name], encoding: undefined, size: (await stat(file)).size, stream: createReadStream(file) }
  }
  return { find, open }
}

function isEngineFile(name: string): name is EngineFile {
  return Object.hasOwn(TYPES, name)
}

function takes(encodings: string, encoding: string): boolean {
  return encodings.split(',').some((one) => one.trim().split(';')[0] === encoding && !/;\s*q=0(\.0*)?\s*$/.test(one))
}

function absent(): undefined {
  return undefined
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const name of Object.keys(TYPES)) await pipeline(createReadStream(path.join(folder, name)), hash, { end: false })
  return hash.digest('hex').slice(0, 32)
}
