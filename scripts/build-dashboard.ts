import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'

const root = path.resolve(import.meta.dirname, '..')
const dashboard = path.join(root, 'apps/dashboard')
const dist = path.join(dashboard, 'dist')
const cache = path.join(root, 'node_modules/.cache')
const SOURCES = [
  'apps/dashboard/{src,public}/**/*',
  'apps/dashboard/{index.html,vite.config.ts,page-hints.ts,no-json-schema.ts,package.json}',
  'packages/contract/src/**/*.ts',
]
const COMPRESSIBLE = '**/*.{js,css,html,json,svg,wasm,ttf}'
const WORTH_COMPRESSING_BYTES = 1024
// Above this size brotli's last level costs ten times the time of level 9 for a few per cent.
const BEST_BROTLI_BYTES = 800_000

/** Builds the dashboard into its dist folder if its sources changed since the last time. */
export async function buildDashboard(): Promise<'built' | 'fresh'> {
  // For whoever works on both at once: what was built last is served, whatever the sources are now.
  if (process.env['KEEP_DASHBOARD'] === '1' && existsSync(path.join(dist, 'index.html'))) return 'fresh'
  const wanted = sourcesHash()
  const stamp = path.join(cache, 'dashboard.stamp')
  if (existsSync(path.join(dist, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return 'fresh'
  console.log('Building the dashboard ...')
  // Apart until it is whole, so that a server never serves half a build and two builders do not mix theirs.
  removeLeftDrafts()
  const draft = path.join(cache, `dashboard-${process.pid}`)
  const args = ['build', '--logLevel', 'warn', '--outDir', draft, '--emptyOutDir']
  const result = spawnSync(path.join(root, 'node_modules/.bin/vite'), args, { cwd: dashboard, stdio: 'inherit' })
  if (result.status !== 0) throw new Error('The dashboard could not be built; the reason is printed above.')
  await precompress(draft)
  putInPlace(draft)
  writeFileSync(stamp, wanted)
  return 'built'
}

/** By two renames, so that a server that serves the old build meets no half-removed one. */
function putInPlace(draft: string): void {
  const old = `${draft}-old`
  if (existsSync(dist)) renameSync(dist, old)
  renameSync(draft, dist)
  rmSync(old, { recursive: true, force: true })
}

/** What builds left behind that were interrupted; those of running ones stay. */
function removeLeftDrafts(): void {
  for (const name of globSync('dashboard-*', { cwd: cache })) {
    const pid = Number(/\d+/.exec(name)?.[0])
    if (!existsSync(`/proc/${pid}`)) rmSync(path.join(cache, name), { recursive: true, force: true })
  }
}

function sourcesHash(): string {
  const files = globSync(SOURCES, { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
  const names = files.map((entry) => path.join(entry.parentPath, entry.name)).toSorted()
  const hash = createHash('sha256').update(readFileSync(path.join(root, 'package-lock.json')))
  for (const name of names) if (!/\.test\.tsx?$/.test(name)) hash.update(path.relative(root, name)).update(readFileSync(name))
  return hash.digest('hex')
}

/** Writes .br and .gz beside every text file, so that serving costs nothing. */
async function precompress(folder: string): Promise<void> {
  const brotli = promisify(zlib.brotliCompress)
  const gzip = promisify(zlib.gzip)
  const names = globSync(COMPRESSIBLE, { cwd: folder })
  await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name)
      const raw = await readFile(file)
      if (raw.length < WORTH_COMPRESSING_BYTES) return
      const params = {
        [zlib.constants.BROTLI_PARAM_QUALITY]: raw.length > BEST_BROTLI_BYTES ? 9 : 11,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: raw.length,
      }
      const [br, gz] = await Promise.all([brotli(raw, { params }), gzip(raw, { level: 9 })])
      await Promise.all([writeFile(`${file}.br`, br), writeFile(`${file}.gz`, gz)])
    }),
  )
}
