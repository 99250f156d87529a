// npm run package: the release files and Debian packages of this commit, into dist/. `--arch x64` makes one processor's only.
import { execFileSync, spawn } from 'node:child_process'
import { createHash, createPrivateKey } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { readVersion } from '../../apps/server/src/lib/product.ts'
import { publicKeyText, signFile } from '../../apps/server/src/lib/signature.ts'
import { ARCHITECTURES, type Release } from './contents.ts'
import { buildDeb } from './debian.ts'
import { buildSharedParts, buildXray, layOut } from './release-tree.ts'

const root = path.resolve(import.meta.dirname, '../..')

try {
  await makeRelease()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}

async function makeRelease(): Promise<void> {
  const { values } = parseArgs({
    options: { arch: { type: 'string', multiple: true }, out: { type: 'string', default: 'dist' } },
  })
  const wanted = values.arch ?? [...ARCHITECTURES]
  const architectures = ARCHITECTURES.filter((name) => wanted.includes(name))
  if (architectures.length !== wanted.length) throw new Error(`--arch is ${ARCHITECTURES.join(' or ')}.`)
  const out = path.resolve(process.env['CAUSEWAY_CWD'] ?? '.', values.out)
  const stage = path.join(out, 'stage')
  mkdirSync(stage, { recursive: true })
  const key = readKey()
  const release = { ...describeCommit(), publicKey: key && publicKeyText(key) }
  await buildSharedParts()
  const xrays = new Map(architectures.map((architecture) => [architecture, buildXray(architecture, stage)]))
  // Releases of the server hold those of nodes: a machine that joins gets its files from there.
  const nodeFiles: string[] = []
  for (const kind of ['node', 'server'] as const) {
    for (const [architecture, xray] of xrays) {
      const name = `causeway${kind === 'node' ? '-node' : ''}-${release.version}-linux-${architecture}`
      layOut(path.join(stage, name), kind, architecture, xray, release, kind === 'server' ? nodeFiles : [])
      const file = path.join(out, `${name}.tar.gz`)
      await pack(path.join(stage, name), file, release.committedAt)
      for (const made of [file, buildDeb(path.join(stage, name), kind, out, architecture, release)]) await finish(made, release)
      if (kind === 'node') nodeFiles.push(file)
    }
  }

  async function finish(file: string, { version, commit }: Release): Promise<void> {
    if (key)
      writeFileSync(`${file}.minisig`, await signFile(file, key, `Causeway ${version}, commit ${commit}, ${path.basename(file)}`))
    const megabytes = (statSync(file).size / 2 ** 20).toFixed(1)
    console.log(`${file}  ${megabytes} MB  sha256 ${await digestOf(file)}${key ? '' : '  not signed: RELEASE_KEY is not set'}`)
  }
}

function describeCommit(): Omit<Release, 'publicKey'> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  if (git('status', '--porcelain', '--untracked-files=no') !== '')
    throw new Error('There are changes that are not committed. A release is made of a commit, so that it can be made again.')
  return { version: readVersion(), commit: git('rev-parse', 'HEAD'), committedAt: git('show', '-s', '--format=%cI', 'HEAD') }
}

/** RELEASE_KEY names a private key in PEM, for example from: openssl genpkey -algorithm ed25519 */
function readKey(): ReturnType<typeof createPrivateKey> | undefined {
  const file = process.env['RELEASE_KEY']
  if (!file) return undefined
  const key = openKey(file)
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`${file} is no Ed25519 key.`)
  return key
}

function openKey(file: string): ReturnType<typeof createPrivateKey> {
  try {
    return createPrivateKey(readFileSync(file))
  } catch (error) {
    throw new Error(
      `RELEASE_KEY: ${file} is no private key in PEM that can be read. Make one with: openssl genpkey -algorithm ed25519 -out release.pem`,
      { cause: error },
    )
  }
}

/** The same folder gives the same bytes: files in order, one time and owner for all, and Node's own compression. */
async function pack(folder: string, file: string, at: string): Promise<void> {
  const order = [
    '--sort=name',
    `--mtime=${at}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u+rwX,go+rX,go-w',
    '--format=gnu',
  ]
  const tar = spawn('tar', [...order, '-cf', '-', '-C', path.dirname(folder), path.basename(folder)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => tar.once('close', resolve))
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file))
  if ((await ended) !== 0) throw new Error(`${file} could not be packed.`)
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
