import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { run, type Running } from '../stage/processes.ts'

// Programs of Debian 13 that large installations put around the server. They run from a tree of their own. Needs root.

const HOME = path.join(tmpdir(), 'causeway-cluster-debian-13')
export const TREE = path.join(HOME, 'tree')
const COMPLETE = path.join(HOME, 'complete')
const MIRROR = 'http://deb.debian.org/debian'
const PROGRAMS = 'postgresql-17,patroni,etcd-server,haproxy,pgbouncer,python3-etcd,iproute2,procps'

/** Runs one of the programs in the network of this machine. */
export function runProgram(name: string, command: string[]): Running {
  return run({ name: `program-${name}`, command: 'chroot', args: [TREE, ...command] })
}

/** Debian's packages, unpacked once. */
export function makeTree(): void {
  if (existsSync(COMPLETE)) return
  rmSync(HOME, { recursive: true, force: true })
  mkdirSync(HOME)
  execFileSync('debootstrap', ['--variant=minbase', `--include=${PROGRAMS}`, 'trixie', TREE, MIRROR], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  writeFileSync(COMPLETE, '')
}
