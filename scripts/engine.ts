// npm run engine: builds the Xray binary and the in-browser validator from the Go module in engine/, if their sources changed.
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { listLicences } from './engine-licences.ts'
import { ENGINE_BUILD, ENGINE_FOLDER } from './find-engine.ts'

const OLDEST_GO = { major: 1, minor: 26 }
const STAMP = path.join(ENGINE_BUILD, '.stamp')
const PRODUCTS = ['xray', 'validator.wasm', 'validator.wasm.br', 'validator.wasm.gz', 'wasm_exec.js', 'LICENSES.txt']
// No symbols, no build id, no paths of this machine: the same sources give the same bytes everywhere.
export const REPRODUCIBLE = ['-trimpath', '-buildvcs=false', '-ldflags', '-s -w -buildid=']
const started = Date.now()

export async function buildEngine(): Promise<void> {
  const go = findGo()
  const wanted = sourcesHash(go)
  const isBuilt = PRODUCTS.every((name) => existsSync(path.join(ENGINE_BUILD, name)))
  if (isBuilt && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) {
    console.log(`The engine is up to date (${path.relative(process.cwd(), ENGINE_BUILD)}).`)
    return
  }
  mkdirSync(ENGINE_BUILD, { recursive: true })
  rmSync(STAMP, { force: true })
  await step('Fetching the Go modules', () => run(go.command, ['mod', 'download']))
  await step('Building Xray (two minutes on a small machine)', () =>
    build(go.command, 'xray', ['github.com/xtls/xray-core/main'], { CGO_ENABLED: '0' }),
  )
  await step('Building the validator for browsers', async () => {
    prepareBrowserSources(go.command)
    const source = ['-modfile=build/browser.mod', './validator']
    await build(go.command, 'validator.wasm', source, { GOOS: 'js', GOARCH: 'wasm', CGO_ENABLED: '0' })
    cpSync(path.join(goValue(go.command, 'GOROOT'), 'lib/wasm/wasm_exec.js'), path.join(ENGINE_BUILD, 'wasm_exec.js'))
  })
  await step('Compressing the validator', () => compress('validator.wasm'))
  await step('Listing the licences', () => {
    writeFileSync(path.join(ENGINE_BUILD, 'LICENSES.txt'), listLicences(go.command, ENGINE_FOLDER))
  })
  const [says] = execFileSync(path.join(ENGINE_BUILD, 'xray'), ['version'], { encoding: 'utf8' }).split('\n')
  writeFileSync(STAMP, wanted) // last of all: what is stamped is whole, and runs on this machine
  console.log(`The engine is ready: ${says}`)
}

function findGo(): { command: string; version: string } {
  const complaints: string[] = []
  const found = ['go', '/usr/local/go/bin/go'].flatMap((command) => {
    try {
      const said = execFileSync(command, ['env', 'GOVERSION'], { cwd: ENGINE_FOLDER, encoding: 'utf8', stdio: 'pipe' })
      return [{ command, version: said.trim() }]
    } catch (error) {
      // An older Go that fetches the one wanted by go.mod, and cannot, is there all the same.
      if (error instanceof Error && !('code' in error && error.code === 'ENOENT')) complaints.push(error.message)
      return []
    }
  })
  const oldest = `Go ${OLDEST_GO.major}.${OLDEST_GO.minor} or newer`
  const [first] = found
  if (!first) {
    const what = complaints[0] ?? 'Go was not found.'
    return stop(`${what}\nInstall ${oldest} from https://go.dev/dl/, or name an existing Xray binary in XRAY_BIN.`)
  }
  return (
    found.find(({ version }) => isNewEnough(version)) ??
    stop(`${oldest} is needed to build the engine; this is ${first.version}. Install a newer one from https://go.dev/dl/.`)
  )
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = /^go(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? []
  return major > OLDEST_GO.major || (major === OLDEST_GO.major && minor >= OLDEST_GO.minor)
}

function sourcesHash(go: { version: string }): string {
  const hash = createHash('sha256').update(go.version).update(process.platform).update(process.arch)
  const files = globSync(['go.mod', 'go.sum', 'validator/**/*.go', 'browser/*', 'licences/*'], { cwd: ENGINE_FOLDER }).toSorted()
  for (const file of files) hash.update(file).update(readFileSync(path.join(ENGINE_FOLDER, file)))
  for (const script of ['engine.ts', 'engine-licences.ts']) hash.update(readFileSync(path.join(import.meta.dirname, script)))
  return hash.digest('hex')
}

/**
 * Two modules use system calls that do not exist in a browser, in places a validator never reaches, and one file of the node.
 * Go refuses to overlay files of its module cache, so the validator is built from copies with those places replaced.
 */
function prepareBrowserSources(go: string): void {
  const copies = path.join(ENGINE_BUILD, 'browser-sources')
  const xray = copyModule(go, 'github.com/xtls/xray-core', path.join(copies, 'xray-core'))
  const sing = copyModule(go, 'github.com/sagernet/sing', path.join(copies, 'sing'))
  const own = (name: string) => path.join(ENGINE_FOLDER, 'browser', name)
  cpSync(own('filelocker.go.txt'), path.join(xray, 'transport/internet/filelocker_other.go'))
  cpSync(own('vectorised.go.txt'), path.join(sing, 'common/bufio/vectorised_unix.go'))
  cpSync(own('hosts.go.txt'), path.join(xray, 'infra/conf/hosts_browser.go'))
  const dns = path.join(xray, 'infra/conf/dns.go')
  writeFileSync(dns, readFileSync(dns, 'utf8').replace('os.Open(hostsPath)', 'openHosts(hostsPath)'))
  for (const file of globSync('**/*.go', { cwd: xray })) {
    const source = readFileSync(path.join(xray, file), 'utf8')
    if (!source.includes('syscall.RawSockaddrUnix{}')) continue
    const replaced = source.replaceAll('syscall.RawSockaddrUnix{}', 'struct{ Path [108]byte }{}')
    writeFileSync(path.join(xray, file), `${replaced}\nvar _ = syscall.EINVAL // keeps the import used\n`)
  }
  cpSync(path.join(ENGINE_FOLDER, 'go.mod'), path.join(ENGINE_BUILD, 'browser.mod'))
  cpSync(path.join(ENGINE_FOLDER, 'go.sum'), path.join(ENGINE_BUILD, 'browser.sum'))
  const replacements = [
    'github.com/xtls/xray-core=./build/browser-sources/xray-core',
    'github.com/sagernet/sing=./build/browser-sources/sing',
  ]
  execFileSync(go, ['mod', 'edit', ...replacements.map((text) => `-replace=${text}`), 'build/browser.mod'], {
    cwd: ENGINE_FOLDER,
  })
}

function copyModule(go: string, name: string, target: string): string {
  const source = execFileSync(go, ['list', '-m', '-f', '{{.Dir}}', name], { cwd: ENGINE_FOLDER, encoding: 'utf8' }).trim()
  rmSync(target, { recursive: true, force: true })
  mkdirSync(path.dirname(target), { recursive: true })
  // Files of the module cache are read-only; the copies must be writable to be replaced, and removable.
  execFileSync('cp', ['-R', source, target])
  execFileSync('chmod', ['-R', 'u+w', target])
  return target
}

/** Builds beside the old file and puts it in place at once, so that a running agent never sees half a binary. */
async function build(go: string, name: string, source: string[], environment: Record<string, string>): Promise<void> {
  const flags = source.filter((text) => text.startsWith('-'))
  const packages = source.filter((text) => !text.startsWith('-'))
  const draft = `${name}.new-${process.pid}`
  await run(go, ['build', ...REPRODUCIBLE, ...flags, '-o', path.join('build', draft), ...packages], environment)
  renameSync(path.join(ENGINE_BUILD, draft), path.join(ENGINE_BUILD, name))
}

/** Browsers take brotli over https and on this machine, else gzip. Best sizes take five times as long for three per cent. */
async function compress(name: string): Promise<void> {
  const raw = readFileSync(path.join(ENGINE_BUILD, name))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  replace(`${name}.br`, await promisify(brotliCompress)(raw, { params }))
  replace(`${name}.gz`, await promisify(gzip)(raw))
}

function replace(name: string, content: Buffer): void {
  const file = path.join(ENGINE_BUILD, name)
  writeFileSync(`${file}.new`, content)
  renameSync(`${file}.new`, file)
}

async function step(what: string, work: () => void | Promise<void>): Promise<void> {
  const begun = Date.now()
  console.log(`[${seconds(started)}] ${what} ...`)
  const progress = setInterval(() => console.log(`[${seconds(started)}]   still at it, ${seconds(begun).trim()} so far`), 15_000)
  try {
    await work()
  } finally {
    clearInterval(progress)
  }
}

function seconds(since: number): string {
  return `${((Date.now() - since) / 1000).toFixed(0).padStart(3)} s`
}

function run(command: string, args: string[], environment: Record<string, string> = {}): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ENGINE_FOLDER, stdio: 'inherit', env: { ...process.env, ...environment } })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else reject(new Error(`\`${[path.basename(command), ...args].join(' ')}\` failed; the reason is printed above.`))
    })
  })
}

function goValue(go: string, name: string): string {
  return execFileSync(go, ['env', name], { cwd: ENGINE_FOLDER, encoding: 'utf8' }).trim()
}

function stop(sentence: string): never {
  console.error(sentence)
  process.exit(1)
}

if (import.meta.main) {
  try {
    await buildEngine()
  } catch (error) {
    stop(error instanceof Error ? error.message : String(error))
  }
}
