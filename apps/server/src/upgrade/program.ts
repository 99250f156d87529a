import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ROOT } from '../lib/product.ts'
import { KEPT, type UpgradePlan } from './plan.ts'

// The program of an installation, which is put in the place of the one that runs, and taken back. Each of its steps can be
// repeated after it was cut off.

const PACKAGE = 'causeway'
const PACKAGE_ROOT = `/usr/lib/${PACKAGE}`
const NOTES = '/var/lib/dpkg/info'
const SCRIPTS = ['postinst', 'prerm', 'postrm', 'conffiles']
const ARCHITECTURES: Record<string, string> = { x64: 'amd64', arm64: 'arm64' }
const MODE = 0o755

export interface NewProgram {
  /** Keeps the old program beside, so that `putBack` needs nothing but this machine. */
  keepOld(): void
  install(): void
  putBack(): void
  /** What is kept no longer. */
  tidy(): void
}

type Described = Pick<UpgradePlan, 'kind' | 'file' | 'root' | 'oldVersion' | 'newVersion'>

export function openProgram(described: Described): NewProgram {
  return described.kind === 'package' ? openPackage(described) : openArchive(described)
}

/** @throws Error with a sentence when the file is not for this installation */
export function examineFile(file: string): { kind: UpgradePlan['kind']; version: string } {
  return file.endsWith('.deb')
    ? { kind: 'package', version: versionOfPackage(file) }
    : { kind: 'archive', version: versionOfArchive(file) }
}

function versionOfPackage(file: string): string {
  const [name, version = '', architecture] = fieldsOf(file)
  if (name !== PACKAGE) throw new Error(`${file} is the package ${name}, not ${PACKAGE}.`)
  refuseArchitecture(file, architecture, ARCHITECTURES[process.arch])
  if (ROOT !== PACKAGE_ROOT)
    throw new Error(`${ROOT} was not installed as a package. Take the .tar.gz of the release instead of ${path.basename(file)}.`)
  return version
}

function openPackage({ file }: Described): NewProgram {
  const kept = path.join(KEPT, 'previous.deb')
  return {
    keepOld: () => packInstalled(kept),
    install: () => installPackage(file),
    putBack: () => installPackage(kept),
    tidy: () => {}, // all of it lies in KEPT
  }
}

function fieldsOf(file: string): string[] {
  try {
    const asked = ['Package', 'Version', 'Architecture'].map((name) => `\${${name}}\n`).join('')
    return execFileSync('dpkg-deb', ['-W', `--showformat=${asked}`, file], { encoding: 'utf8' })
      .trim()
      .split('\n')
  } catch (error) {
    throw new Error(`${file} is no Debian package.`, { cause: error })
  }
}

/**
 * The unit is started by the upgrade, which watches it. Files are flushed to the disk once at the end: after a loss of
 * power this step is repeated, and flushing each of thousands of files took most of the time that the server was away.
 */
function installPackage(file: string): void {
  execFileSync('dpkg', ['--force-unsafe-io', '--force-confold', '--force-downgrade', '-i', file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, CAUSEWAY_UPGRADE: '1' },
  })
  execFileSync('sync', ['-f', PACKAGE_ROOT, NOTES])
}

/** A package has tens of thousands of files, whose list Node would cut at one megabyte. */
const MOST_LISTED_BYTES = 256 * 2 ** 20

/** Makes a package again of the files that are installed. They are linked, so this takes seconds and no room but its own. */
function packInstalled(target: string): void {
  const tree = `${target}.tree`
  rmSync(tree, { recursive: true, force: true })
  mkdirSync(path.join(tree, 'DEBIAN'), { recursive: true })
  const query = (format: string) => execFileSync('dpkg-query', ['-W', `-f=${format}`, PACKAGE], { encoding: 'utf8' })
  const fields = ['Package', 'Version', 'Architecture', 'Maintainer', 'Depends', 'Description']
  writeFileSync(path.join(tree, 'DEBIAN/control'), query(fields.map((name) => `${name}: \${${name}}\n`).join('')))
  for (const script of SCRIPTS) {
    const note = path.join(NOTES, `${PACKAGE}.${script}`)
    if (!existsSync(note)) continue
    cpSync(note, path.join(tree, 'DEBIAN', script))
    if (script !== 'conffiles') chmodSync(path.join(tree, 'DEBIAN', script), MODE)
  }
  mkdirSync(path.join(tree, 'usr/lib'), { recursive: true })
  execFileSync('cp', ['-al', PACKAGE_ROOT, path.join(tree, PACKAGE_ROOT)])
  const others = execFileSync('dpkg-query', ['-L', PACKAGE], { encoding: 'utf8', maxBuffer: MOST_LISTED_BYTES })
    .split('\n')
    .filter((file) => file !== '' && !file.startsWith(PACKAGE_ROOT))
  for (const file of others) {
    if (!file.startsWith('/') || file === '/.') continue
    const isFolder = execFileSync('stat', ['-c', '%F', file], { encoding: 'utf8' }).trim() === 'directory'
    if (isFolder) mkdirSync(path.join(tree, file), { recursive: true })
    else execFileSync('cp', ['-a', file, path.join(tree, file)])
  }
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, target], { stdio: ['ignore', 'ignore', 'inherit'] })
  rmSync(tree, { recursive: true })
}

function versionOfArchive(file: string): string {
  const [, version = '', architecture] = /^causeway-(.+)-linux-(\w+)\.tar\.gz$/.exec(path.basename(file)) ?? []
  if (version === '')
    throw new Error(`${file} is no release of the server: those are causeway-<version>-linux-<processor>.tar.gz.`)
  refuseArchitecture(file, architecture, process.arch)
  if (ROOT === PACKAGE_ROOT)
    throw new Error(`Causeway was installed as a package. Take the .deb instead of ${path.basename(file)}.`)
  return version
}

function openArchive({ file, root, oldVersion, newVersion }: Described): NewProgram {
  const [next, previous, failed] = [`${root}.next`, `${root}.previous-${oldVersion}`, `${root}.failed-${newVersion}`]
  const tidy = () => {
    for (const folder of [next, previous, failed]) rmSync(folder, { recursive: true, force: true })
  }
  return {
    keepOld: () => {
      tidy()
      mkdirSync(next)
      execFileSync('tar', ['xzf', file, '-C', next, '--strip-components=1'])
    },
    install: () => {
      if (!existsSync(next)) return
      if (existsSync(root)) renameSync(root, previous)
      renameSync(next, root)
    },
    putBack: () => {
      if (!existsSync(previous)) return
      if (existsSync(root)) renameSync(root, failed)
      renameSync(previous, root)
    },
    tidy,
  }
}

function refuseArchitecture(file: string, found: string | undefined, wanted: string | undefined): void {
  if (found !== wanted) throw new Error(`${file} is for ${found}, and this machine is ${wanted}.`)
}
