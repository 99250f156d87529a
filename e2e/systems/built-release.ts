import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { signFile } from '../../apps/server/src/lib/signature.ts'
import type { Architecture } from '../../scripts/package/contents.ts'
import { root } from '../stage/processes.ts'

export const ARCHITECTURE: Architecture = process.arch === 'arm64' ? 'arm64' : 'x64'
const OF_DEBIAN = ARCHITECTURE === 'arm64' ? 'arm64' : 'amd64'
export const BUILD_LIMIT_MS = 1_800_000

/** The release of the checked-out commit, signed with a key of its own. Built once for all files of tests. */
export interface BuiltRelease {
  version: string
  archive: string
  deb: string
  nodeDeb: string
  /** A package of another version, with files of the program changed. Gives its file, with a signature beside. */
  otherDeb(version: string, change: (program: string) => void): Promise<string>
  /** Of the files that are made for a test. */
  folder: string
}

/** RELEASE_FOLDER names one that was built before, with its key in key.pem: building takes minutes. */
export function builtRelease(): BuiltRelease {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim()
  const place = process.env['RELEASE_FOLDER'] ?? path.join(root, 'node_modules/.cache/release', commit)
  const keyFile = path.join(place, 'key.pem')
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const archive = path.join(place, `causeway-${version}-linux-${ARCHITECTURE}.tar.gz`)
  const deb = path.join(place, `causeway_${version}_${OF_DEBIAN}.deb`)
  const nodeDeb = path.join(place, `causeway-node_${version}_${OF_DEBIAN}.deb`)
  if (!existsSync(`${nodeDeb}.minisig`)) {
    mkdirSync(place, { recursive: true })
    makeKey(keyFile)
    buildRelease(place, keyFile)
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'causeway-release-'))
  const otherDeb = async (other: string, change: (program: string) => void) => {
    const tree = path.join(folder, `tree-${other}`)
    execFileSync('dpkg-deb', ['-R', deb, tree])
    replaceIn(path.join(tree, 'DEBIAN/control'), `Version: ${version}`, `Version: ${other}`)
    const program = path.join(tree, 'usr/lib/causeway')
    replaceIn(path.join(program, 'package.json'), `"version": "${version}"`, `"version": "${other}"`)
    change(program)
    const file = path.join(folder, `causeway_${other}_${OF_DEBIAN}.deb`)
    execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, file], { stdio: 'ignore' })
    rmSync(tree, { recursive: true })
    writeFileSync(`${file}.minisig`, await signFile(file, createPrivateKey(readFileSync(keyFile)), `Causeway ${other}`))
    return file
  }
  for (const file of [deb, nodeDeb])
    for (const end of ['', '.minisig']) cpSync(file + end, path.join(folder, path.basename(file) + end))
  return { version, archive, deb, nodeDeb, otherDeb, folder }
}

/** The files that a joining machine downloads, of the same release. */
export function builtNodeFiles(): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const name = `causeway-node-${version}-linux-${ARCHITECTURE}.tar.gz`
  const given = path.join(process.env['RELEASE_FOLDER'] ?? '', name)
  if (process.env['RELEASE_FOLDER'] && existsSync(given)) return given
  const { archive, folder } = builtRelease()
  rmSync(folder, { recursive: true })
  return path.join(path.dirname(archive), name)
}

export function makeKey(file: string): void {
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(file, privateKey.export({ format: 'pem', type: 'pkcs8' }))
}

export function buildRelease(out: string, keyFile: string, architecture = ARCHITECTURE): void {
  execFileSync(process.execPath, ['scripts/package/package.ts', '--arch', architecture, '--out', out], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, RELEASE_KEY: keyFile },
  })
}

/** @throws Error when there is nothing to replace */
export function replaceIn(file: string, old: string, next: string): void {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(old)) throw new Error(`${file} has no ${old}`)
  writeFileSync(file, text.replace(old, next))
}
