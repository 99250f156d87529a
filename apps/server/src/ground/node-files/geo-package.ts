import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Ctx } from '../../ctx.ts'
import type { Db } from '../../db/driver/connect.ts'
import { tarEnd, tarFile } from '../../lib/tar.ts'
import { listGeoDigests, readGeoContent } from './geo-files.queries.ts'
import type { NodeFile } from './node-files.rules.ts'

// All geo files as one package in the data folder, which nodes get in pieces like a release of theirs. It can be made anew.

export interface GeoPackage extends NodeFile {
  version: string
}

/** Where the files begin in a package, and the file that names its version. */
const [FOLDER, VERSION] = ['geo', 'version']
const DIGEST_CHARACTERS = 8

const made = new Map<string, Promise<GeoPackage>>()

/** Of all files together: the day of the newest one, and what they hold. Null without files. */
export function geoVersionOf(files: readonly { name: string; digest: string; uploadedAt: Date }[]): string | null {
  if (files.length === 0) return null
  const newest = new Date(Math.max(...files.map(({ uploadedAt }) => uploadedAt.getTime())))
  const hash = createHash('sha256').update(files.map(({ name, digest }) => `${digest} ${name}\n`).join(''))
  // Without hyphens, at which lines would break.
  const day = newest.toISOString().slice(0, 10).replaceAll('-', '.')
  return `${day}.${hash.digest('hex').slice(0, DIGEST_CHARACTERS)}`
}

export async function findGeoVersion(db: Db): Promise<string | null> {
  return geoVersionOf(await listGeoDigests(db))
}

/** The package of the present files; undefined without any. */
export async function findGeoPackage({ db, config }: Pick<Ctx, 'db' | 'config'>): Promise<GeoPackage | undefined> {
  const version = await findGeoVersion(db)
  if (version === null) return undefined
  const file = path.join(config.dataDir, 'geo', `${version}.tar.gz`)
  const known = existsSync(file) ? made.get(file) : undefined
  if (known) return known
  const making = makePackage(db, file, version)
  made.set(file, making)
  making.catch(() => made.delete(file))
  return making
}

async function makePackage(db: Db, file: string, version: string): Promise<GeoPackage> {
  const folder = path.dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(file)) {
    const draft = `${file}.new`
    await db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        await pipeline(Readable.from(packed(tx, version)), createGzip(), createWriteStream(draft, { mode: 0o600 }))
      })
    renameSync(draft, file)
  }
  for (const name of readdirSync(folder)) if (name !== path.basename(file)) rmSync(path.join(folder, name), { force: true })
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return { file, version, digest: hash.digest('hex'), bytes: statSync(file).size }
}

async function* packed(db: Db, version: string): AsyncGenerator<Buffer> {
  const files = await listGeoDigests(db)
  if (geoVersionOf(files) !== version) throw new Error('The geo files were changed while they were packed.')
  yield* tarFile(`${FOLDER}/${VERSION}`, Buffer.from(`${version}\n`))
  for (const { name } of files) yield* tarFile(`${FOLDER}/${name}`, await readGeoContent(db, name))
  yield tarEnd()
}
