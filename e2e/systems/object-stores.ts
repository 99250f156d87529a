import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Target } from '../../apps/server/src/backup/stores/store.ts'
import { makeAuthority } from '../stage/certificates.ts'
import { freePort, root, run, until } from '../stage/processes.ts'

// Object stores of two makes, from the modules of Go.

const PROGRAMS = path.join(root, 'node_modules/.cache/object-stores')
const MODULES = {
  gofakes3: 'github.com/johannesboyne/gofakes3/cmd/gofakes3@v1.2.0',
  versitygw: 'github.com/versity/versitygw/cmd/versitygw@v1.8.0',
} as const
export const KEYS = { accessKeyId: 'AKIDOFTESTS', secretAccessKey: 'secret-of-tests' }
const BUCKET = 'backups'

export interface ObjectStore {
  target: Extract<Target, { kind: 's3' }>
  /** Of its objects; only of the one that keeps them in files. */
  folder: string
  stop(): Promise<void>
}

/** gofakes3 knows neither keys nor certificates; versitygw has both, the latter from an authority of its own. */
export async function startObjectStore(make: keyof typeof MODULES, folder: string): Promise<ObjectStore> {
  build(make)
  const port = await freePort()
  const objects = path.join(folder, `objects-${port}`)
  mkdirSync(path.join(objects, BUCKET), { recursive: true })
  const base = {
    id: 's3',
    kind: 's3',
    region: 'us-east-1',
    bucket: BUCKET,
    prefix: 'panel/one',
    isPathStyle: true,
    ...KEYS,
  } as const
  if (make === 'gofakes3') {
    const args = ['-backend', 'memory', '-host', `127.0.0.1:${port}`, '-initialbucket', BUCKET]
    const program = run({ name: `store-${port}`, command: path.join(PROGRAMS, make), args })
    await answering(`http://127.0.0.1:${port}`)
    return {
      target: { ...base, endpoint: `http://127.0.0.1:${port}`, authority: null },
      folder: objects,
      stop: () => program.stop(),
    }
  }
  const authority = await makeAuthority()
  const { certificate, key } = await authority.issue('localhost')
  const [certificateFile, keyFile] = [path.join(folder, `${port}.pem`), path.join(folder, `${port}.key`)]
  writeFileSync(certificateFile, certificate)
  writeFileSync(keyFile, key)
  const keys = ['--access', KEYS.accessKeyId, '--secret', KEYS.secretAccessKey]
  const args = ['--port', `127.0.0.1:${port}`, ...keys, '--cert', certificateFile, '--key', keyFile, 'posix', objects]
  const program = run({ name: `store-${port}`, command: path.join(PROGRAMS, make), args })
  const endpoint = `https://localhost:${port}`
  await answering(endpoint)
  return {
    target: { ...base, endpoint, authority: readFileSync(authority.file, 'utf8') },
    folder: objects,
    stop: () => program.stop(),
  }
}

/** An answer of whatever status, also one that is not trusted, comes from a store that runs. */
async function answering(endpoint: string): Promise<void> {
  await until(`a store answers at ${endpoint}`, () =>
    fetch(endpoint).then(
      () => true,
      (error: unknown) => (error instanceof Error && String(error.cause).includes('certificate') ? true : undefined),
    ),
  )
}

function build(make: keyof typeof MODULES): void {
  if (existsSync(path.join(PROGRAMS, make))) return
  mkdirSync(PROGRAMS, { recursive: true })
  const PATH = `${process.env['PATH']}:/usr/local/go/bin`
  execFileSync('go', ['install', MODULES[make]], { stdio: 'inherit', env: { ...process.env, PATH, GOBIN: PROGRAMS } })
}
