import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OTHER_NAME, type Architecture, type Kind, type Release } from './contents.ts'
import { environmentFile } from './environment-file.ts'

const files = path.join(import.meta.dirname, 'files')
const SCRIPTS = ['postinst', 'prerm', 'postrm']
const PROGRAM = 0o755

interface Package {
  name: string
  summary: string
  /** Settings that an administrator edits; an upgrade leaves them as they are. */
  settings: () => string
  units: string[]
}

const PACKAGES: Record<Kind, Package> = {
  server: {
    name: 'causeway',
    summary: 'control panel for proxy and VPN services on Xray',
    settings: () => environmentFile(readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8')),
    units: ['causeway.service', 'causeway-waiting.service'],
  },
  node: {
    name: 'causeway-node',
    summary: 'agent of Causeway with Xray, for a node',
    settings: () => readFileSync(path.join(files, 'causeway-node.env'), 'utf8'),
    units: ['causeway-node.service'],
  },
}

/** Makes the Debian package of a laid-out release, without root; gives the file. */
export function buildDeb(folder: string, kind: Kind, out: string, architecture: Architecture, release: Release): string {
  const { name, summary, settings, units } = PACKAGES[kind]
  const tree = path.join(out, 'stage', `${name}-${architecture}.deb`)
  rmSync(tree, { recursive: true, force: true })
  const at = (...names: string[]) => {
    const target = path.join(tree, ...names)
    mkdirSync(path.dirname(target), { recursive: true })
    return target
  }
  cpSync(folder, at('usr/lib', name), { recursive: true, verbatimSymlinks: true })
  symlinkSync(`../lib/${name}/bin/${name}`, at('usr/bin', name))
  for (const unit of units) cpSync(path.join(files, unit), at('usr/lib/systemd/system', unit))
  writeFileSync(at('etc/causeway', `${name}.env`), settings())
  // Passwords stand in it.
  chmodSync(path.join(tree, 'etc/causeway', `${name}.env`), 0o640)
  cpSync(path.join(folder, 'LICENSE'), at('usr/share/doc', name, 'copyright'))
  const control = [
    `Package: ${name}`,
    `Version: ${release.version}`,
    `Architecture: ${OTHER_NAME[architecture]}`,
    'Maintainer: The Causeway authors <causeway@localhost>',
    'Section: net',
    'Priority: optional',
    // Node and PostgreSQL bring all else; useradd makes the account, ss closes connections of a node, and nft filters there.
    'Depends: libc6 (>= 2.36), libstdc++6, passwd, iproute2',
    'Recommends: systemd, nftables',
    `Description: ${summary}`,
    ' Node, PostgreSQL and Xray are inside; nothing is fetched when it is installed or started.',
    '',
  ]
  writeFileSync(at('DEBIAN/control'), control.join('\n'))
  writeFileSync(at('DEBIAN/conffiles'), `/etc/causeway/${name}.env\n`)
  for (const script of SCRIPTS) {
    const text = readFileSync(path.join(files, `${script}.sh`), 'utf8').replaceAll('@NAME@', name)
    writeFileSync(at('DEBIAN', script), text)
    chmodSync(path.join(tree, 'DEBIAN', script), PROGRAM)
  }
  const file = path.join(out, `${name}_${release.version}_${OTHER_NAME[architecture]}.deb`)
  // The time of the commit stands in for that of the build: the same commit gives the same bytes.
  const epoch = String(Math.floor(Date.parse(release.committedAt) / 1000))
  execFileSync('find', [tree, '-exec', 'touch', '-h', '-d', release.committedAt, '{}', '+'])
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', tree, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: epoch },
  })
  rmSync(tree, { recursive: true })
  return file
}
