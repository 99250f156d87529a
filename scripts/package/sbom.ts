import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Architecture, Release } from './contents.ts'

interface Component {
  type: 'application' | 'library'
  name: string
  version: string
  purl: string
  licenses?: { license: { id: string } }[]
}

interface NpmSbom {
  metadata: { timestamp: string }
  serialNumber: string
  components: unknown[]
}

/** Writes the list of contents (CycloneDX) beside them: npm's own, and the programs and Go modules that npm does not know. */
export function writeSbom(folder: string, architecture: Architecture, { version, commit, committedAt }: Release): void {
  const options = ['--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only']
  const sbom = JSON.parse(execFileSync('npm', ['sbom', ...options], { cwd: folder, encoding: 'utf8' })) as NpmSbom // npm wrote it
  // The same commit gives the same bytes: no time and no random number of the build.
  sbom.metadata.timestamp = new Date(committedAt).toISOString()
  sbom.serialNumber = `urn:uuid:${uuidOf(`${version} ${commit} ${architecture}`)}`
  sbom.components.push(nodeComponent(), ...goModules(path.join(folder, 'engine/build/xray')))
  writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
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
