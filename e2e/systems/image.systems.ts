import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
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
/** The same as LIMITS, for the program that reads compose files. */
const CONTAINERS = '[engine]\nruntime="runc"\n[containers]\ndefault_ulimits=["nofile=1024:1024","nproc=4000:4000"]\n'

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

test('SHIP-006 compose.yaml brings up the server with TLS, with settings from its file', async () => {
  const folder = path.join(release.folder, 'compose')
  mkdirSync(folder)
  cpSync(path.join(root, 'container/compose.yaml'), path.join(folder, 'compose.yaml'))
  const settings = [
    'PUBLIC_URL=https://panel.causeway.test',
    'ACME_EMAIL=admin@causeway.test',
    'ACME_DIRECTORY=http://127.0.0.1:9/none',
  ]
  writeFileSync(path.join(folder, 'causeway.env'), `${settings.join('\n')}\n`)
  writeFileSync(path.join(folder, 'containers.conf'), CONTAINERS)
  podman(['tag', SERVER, 'localhost/causeway'])
  const compose = (...args: string[]) =>
    execFileSync('podman-compose', ['-p', NAME, '-f', 'compose.yaml', ...args], {
      cwd: folder,
      stdio: 'pipe',
      env: { ...process.env, CONTAINERS_CONF: path.join(folder, 'containers.conf') },
    })
  compose('up', '-d')
  try {
    const ask = (...args: string[]) =>
      spawnSync('curl', ['-sk', '-m', '3', '-o', '/dev/null', ...args], { encoding: 'utf8' }).stdout
    const written = '%{http_code} %{http_version} %{redirect_url}'
    await until('https is served', () => ask('-w', written, 'https://127.0.0.1/health') === '200 2 ', 120_000)
    expect(ask('-w', written, 'http://127.0.0.1/x')).toBe('301 1.1 https://panel.causeway.test/x')
  } finally {
    compose('down', '-v')
  }
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
