import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Architecture, Release } from './contents.ts'

interface Component {
  type: 'application' | 'library'
  name: string
  version: string
  purl: string
  licenses?: ({ license: { id: string } } | { expression: string })[]
}

interface Lock {
  packages: Record<string, { version?: string; license?: string; link?: boolean }>
}

/**
 * Writes the list of contents (CycloneDX) beside them: what lies in node_modules, and the programs and Go modules that npm does
 * not know. npm's own list leaves out what development needs as well, and names parts for other systems.
 */
export function writeSbom(folder: string, architecture: Architecture, { version, commit, committedAt }: Release): void {
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    // The same commit gives the same bytes: no time and no random number of the build.
    serialNumber: `urn:uuid:${uuidOf(`${version} ${commit} ${architecture}`)}`,
    version: 1,
    metadata: {
      timestamp: new Date(committedAt).toISOString(),
      component: { type: 'application', name: 'causeway', version, purl: `pkg:generic/causeway@${version}` },
    },
    components: [...npmPackages(folder), nodeComponent(), ...goModules(path.join(folder, 'engine/build/xray'))],
  }
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
}

/** Those of the lockfile that lie in the folder. */
function npmPackages(folder: string): Component[] {
  const { packages } = JSON.parse(readFileSync(path.join(folder, 'package-lock.json'), 'utf8')) as Lock // npm wrote it
  return Object.entries(packages)
    .filter(([at, { link }]) => at.includes('node_modules/') && !link && existsSync(path.join(folder, at)))
    .map(([at, { version = '', license }]) => {
      const name = at.slice(at.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
      return {
        type: 'library',
        name,
        version,
        purl,
        ...(license && { licenses: [license.includes(' ') ? { expression: license } : { license: { id: license } }] }),
      }
    })
}

/** The release carries the Node that makes it. */
function nodeComponent(): Component {
  const { node } = process.versions
  return {
    type: 'application',
    name: 'node',
    version: node,
    purl: `pkg:generic/node@${node}`,
    licenses: [{ license: { id: 'MIT' } }],
  }
}

/** As Go noted them in the program when it linked it. */
function goModules(program: string): Component[] {
  const listed = execFileSync('go', ['version', '-m', program], {
    encoding: 'utf8',
    env: { ...process.env, PATH: `${process.env['PATH']}:/usr/local/go/bin` },
  })
  return [...listed.matchAll(/^\s+(?:mod|dep)\s+(\S+)\s+(\S+)/gm)].map(([, name = '', version = '']) => ({
    type: 'library',
    name,
    version,
    purl: `pkg:golang/${name}@${version}`,
  }))
}

/** A uuid made of a name, in the form of version 8 (RFC 9562). */
function uuidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
