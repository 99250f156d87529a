import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { root, until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, type BuiltRelease } from './built-release.ts'
import { DEBIAN_IMAGE, LIMITS, makeDebianImage } from './debian.ts'

// The images, built by podman of the unpacked release, without a network.

const SERVER = 'localhost/causeway-systems'
const NODE = 'localhost/causeway-node-systems'
const READ_ONLY = [...LIMITS, '--network=none', '--read-only', '--tmpfs', '/tmp']
const NAME = `causeway-image-${process.pid}`
const STOP_LIMIT_SECONDS = 60

test.describe.configure({ mode: 'serial' })
let release: BuiltRelease

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
  await makeDebianImage()
})
test.afterAll(() => {
  for (const name of [NAME, `${NAME}-node`]) spawnSync('podman', ['rm', '-f', '-v', name])
  for (const image of [SERVER, NODE]) spawnSync('podman', ['rmi', '-f', image])
  spawnSync('podman', ['volume', 'rm', '-f', NAME])
  if (release) rmSync(release.folder, { recursive: true })
})

test('SHIP-005 the image of the server runs as an ordinary user on a read-only root, tells its health, and stops cleanly', async () => {
  build(SERVER, release.archive, 'server')
  const run = ['run', '-d', '--name', NAME, ...READ_ONLY, '-v', `${NAME}:/var/lib/causeway`, SERVER]
  podman(run)
  await healthy()
  expect(inside('id -u')).toBe('990')
  expect(inside('touch /opt/causeway/x 2>&1 || true')).toContain('Read-only file system')
  expect(register()).toContain('accessToken')
  podman(['stop', `--time=${STOP_LIMIT_SECONDS}`, NAME])
  expect(podman(['inspect', '--format', '{{.State.ExitCode}}', NAME])).toBe('0')
  podman(['rm', NAME])

  // Another container on the same volume: the administrator is there already.
  podman(run)
  await healthy()
  expect(register()).not.toContain('accessToken')
  expect(podman(['image', 'inspect', '--format', '{{json .Config.Volumes}}', SERVER])).toBe('{"/var/lib/causeway":{}}')
  podman(['stop', `--time=${STOP_LIMIT_SECONDS}`, NAME])
  expect(podman(['inspect', '--format', '{{.State.ExitCode}}', NAME])).toBe('0')
})

test('SHIP-005 the image of the node runs as an ordinary user on a read-only root, and says which key it lacks', () => {
  build(
    NODE,
    path.join(path.dirname(release.archive), path.basename(release.archive).replace('causeway-', 'causeway-node-')),
    'node',
  )
  const args = ['run', '--rm', '--name', `${NAME}-node`, ...READ_ONLY, NODE]
  const { status, stdout, stderr } = spawnSync('podman', args, { encoding: 'utf8' })
  expect([status, stdout + stderr]).toEqual([1, expect.stringContaining('SECRET_KEY')])
  expect(podman([...args, 'id', '-u'])).toBe('991')
  expect(podman([...args, '/opt/causeway-node/engine/build/xray', 'version'])).toContain('Xray')
})

function build(image: string, archive: string, kind: 'server' | 'node'): void {
  const folder = path.join(release.folder, kind)
  mkdirSync(folder)
  execFileSync('tar', ['xzf', archive, '-C', folder, '--strip-components=1'])
  const file = path.join(folder, 'container', `${kind}.Containerfile`)
  // A release that was built before the file changed.
  cpSync(path.join(root, 'container', `${kind}.Containerfile`), file)
  const base = ['--build-arg', `BASE=${DEBIAN_IMAGE}`]
  podman(['build', '--isolation=chroot', '--format=docker', ...base, '-f', file, '-t', image, folder])
  rmSync(folder, { recursive: true })
}

async function healthy(): Promise<void> {
  await until('the server answers', () => spawnSync('podman', ['exec', NAME, 'causeway', 'health']).status === 0, 120_000)
}

function register(): string {
  const body = `'{"username":"admin","password":"Correct4horse1"}'`
  const headers = `-H 'content-type: application/json' -H 'x-remnawave-client-type: browser'`
  return inside(`curl -s ${headers} -d ${body} http://127.0.0.1:3000/api/auth/register`)
}

function inside(script: string): string {
  return podman(['exec', NAME, 'sh', '-c', script])
}

function podman(args: string[]): string {
  return execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
