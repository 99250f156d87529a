import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { environmentFile } from '../../scripts/package/environment-file.ts'
import { root, until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, type BuiltRelease } from './built-release.ts'
import { DEBIAN_IMAGE, LIMITS, makeDebianImage, RUNTIME_SETTINGS } from './debian.ts'
import { makeStandIn } from './stand-ins.ts'

// The images, built by podman of the unpacked release, without a network.

const SERVER = 'localhost/causeway-systems'
const NODE = 'localhost/causeway-node-systems'
const READ_ONLY = [...LIMITS, '--network=none', '--read-only', '--tmpfs', '/tmp']
const NAME = `causeway-image-${process.pid}`
const STOP_LIMIT_SECONDS = 60
const START_MS = 120_000
const ACCOUNT = { username: 'admin', password: 'Correct4horse1' }
/** No directory is reached: https is served with a certificate of the server's own making. */
const ACME_SETTINGS = [
  'PUBLIC_URL=https://panel.causeway.test',
  'ACME_EMAIL=admin@causeway.test',
  'ACME_DIRECTORY=http://127.0.0.1:9/none',
]

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

test('SHIP-005 the image of the node serves a panel, tells its health, and stops cleanly', async () => {
  test.setTimeout(4 * START_MS)
  podman(['start', NAME])
  await healthy()
  const { accessToken } = call('POST', 'auth/login', ACCOUNT)
  const as = { authorization: `Bearer ${accessToken}` }
  const config = {
    inbounds: [{ tag: 'one', port: 20_443, protocol: 'vless', settings: { clients: [], decryption: 'none' } }],
    outbounds: [{ tag: 'DIRECT', protocol: 'freedom' }],
  }
  const profile = call('POST', 'config-profiles', { name: 'One', config }, as)
  const activeInbounds = profile.inbounds.map(({ uuid }: { uuid: string }) => uuid)
  const configProfile = { activeConfigProfileUuid: profile.uuid, activeInbounds }
  const node = call('POST', 'nodes', { name: 'One', address: '127.0.0.1', port: 2222, configProfile }, as)
  const { pubKey } = call('GET', 'keygen', undefined, as)
  const limits = READ_ONLY.filter((option) => option !== '--network=none')
  const place = ['--network', `container:${NAME}`, '-e', `SECRET_KEY=${pubKey}`]
  podman(['run', '-d', '--name', `${NAME}-node`, ...limits, ...place, NODE])
  await until('the node is connected', () => call('GET', `nodes/${node.uuid}`, undefined, as).isConnected, START_MS)
  podman(['healthcheck', 'run', `${NAME}-node`])
  podman(['stop', `--time=${STOP_LIMIT_SECONDS}`, `${NAME}-node`])
  expect(podman(['inspect', '--format', '{{.State.ExitCode}}', `${NAME}-node`])).toBe('0')
  podman(['stop', `--time=${STOP_LIMIT_SECONDS}`, NAME])
})

test('SHIP-006 compose.yaml brings up the server with TLS, with settings from its file', async () => {
  const { up, down } = compose('compose.yaml', ACME_SETTINGS)
  try {
    up()
    await until('https is served', () => ask('https://127.0.0.1/health').startsWith('200 2 '), START_MS)
    expect(ask('http://127.0.0.1/x')).toBe('301 1.1 https://panel.causeway.test/x')
  } finally {
    down('-v')
  }
})

test('SHIP-006 compose-postgres.yaml brings up the server with a database of its own, and keeps the data', async () => {
  test.setTimeout(4 * START_MS)
  await makeStandIn('docker.io/library/postgres:18')
  // Every name of the README is in the file; those without a value mean their defaults.
  const all = environmentFile(readFileSync(path.join(root, 'README.md'), 'utf8'))
  const names = [...all.matchAll(/^#([A-Z_0-9]+)=$/gm)].map(([, name = '']) => name)
  const given = [...ACME_SETTINGS, 'IS_DOCS_ENABLED=true', 'SHORT_UUID_LENGTH=30', 'METRICS_USER=who', 'METRICS_PASS=what']
  const { up, down, exec } = compose('compose-postgres.yaml', [...names.map((name) => `${name}=`), ...given], {
    POSTGRES_PASSWORD: 'Correct4horse1',
  })
  try {
    up()
    await until('https is served', () => ask('https://127.0.0.1/health').startsWith('200 2 '), START_MS)
    const environ = exec('causeway', 'tr "\\0" "\\n" < /proc/1/environ')
    expect(names.filter((name) => !environ.includes(`${name}=`))).toEqual([])
    expect(names.length).toBeGreaterThan(50)
    expect(ask('https://127.0.0.1/docs')).toMatch(/^200 /)
    expect(ask('https://127.0.0.1/metrics')).toMatch(/^401 /)
    expect(ask('-u', 'who:what', 'https://127.0.0.1/metrics')).toMatch(/^200 /)
    const account = ['-H', 'content-type: application/json', '-H', 'x-remnawave-client-type: browser']
    const register = () =>
      ask(...account, '-d', '{"username":"admin","password":"Correct4horse1"}', 'https://127.0.0.1/api/auth/register')
    expect(register()).toMatch(/^201 /)
    const count = () =>
      exec('database', `PGPASSWORD=$POSTGRES_PASSWORD psql -h 127.0.0.1 -U causeway -Atc 'select count(*) from admins'`)
    expect(count()).toBe('1')
    down()
    up()
    await until('https is served', () => ask('https://127.0.0.1/health').startsWith('200 2 '), START_MS)
    expect(register()).not.toMatch(/^201 /)
    expect(count()).toBe('1')
  } finally {
    down('-v')
  }
})

test('SHIP-006 compose-caddy.yaml brings up the server behind a proxy that speaks https', async () => {
  test.setTimeout(4 * START_MS)
  await makeStandIn('docker.io/library/caddy:2')
  // For this name the proxy vouches itself.
  const { up, down, exec } = compose('compose-caddy.yaml', [], { PANEL_NAME: 'localhost' })
  try {
    up()
    await until('https is served', () => ask('https://localhost/health').startsWith('200 2'), START_MS)
    expect(ask('http://localhost/x')).toMatch(/^30\d 1.1 https:\/\/localhost\/x$/)
    expect(ask('-H', 'accept: text/html', 'https://localhost/')).toMatch(/^200 2/)
    // Past the proxy nothing is served.
    expect(exec('causeway', `curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:3000/api/auth/status || true`)).not.toBe(
      '200',
    )
  } finally {
    down('-v')
  }
})

/** The services of one compose file of the release, with settings in the file beside it. */
function compose(file: string, settings: string[], env: Record<string, string> = {}) {
  const folder = path.join(release.folder, file.replace('.yaml', ''))
  mkdirSync(folder)
  cpSync(path.join(root, 'container', file), path.join(folder, file))
  writeFileSync(path.join(folder, 'causeway.env'), `${settings.join('\n')}\n`)
  writeFileSync(path.join(folder, 'containers.conf'), RUNTIME_SETTINGS)
  podman(['tag', SERVER, 'localhost/causeway'])
  const project = `${NAME}-${path.basename(folder)}`
  const run = (...args: string[]) =>
    execFileSync('podman-compose', ['-p', project, '-f', file, ...args], {
      cwd: folder,
      stdio: 'pipe',
      env: { ...process.env, ...env, CONTAINERS_CONF: path.join(folder, 'containers.conf') },
    })
  return {
    up: () => run('up', '-d'),
    down: (...options: string[]) => run('down', ...options),
    exec: (service: string, script: string) => podman(['exec', `${project}_${service}_1`, 'sh', '-c', script]),
  }
}

/** Status, version of HTTP and where the answer leads, as a client on this machine sees them. */
function ask(...args: string[]): string {
  const written = '%{http_code} %{http_version} %{redirect_url}'
  return spawnSync('curl', ['-sk', '-m', '5', '-o', '/dev/null', '-w', written, ...args], { encoding: 'utf8' }).stdout
}

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
  return JSON.stringify(reply('POST', 'auth/register', ACCOUNT))
}

/** `response` of the server's API, asked for inside of its container. */
function call(method: string, at: string, body?: unknown, headers?: Record<string, string>) {
  const answered = reply(method, at, body, headers)
  if (!('response' in answered)) throw new Error(`${method} ${at}: ${JSON.stringify(answered)}`)
  return answered.response
}

function reply(method: string, at: string, body?: unknown, headers: Record<string, string> = {}) {
  const all = { 'content-type': 'application/json', 'x-remnawave-client-type': 'browser', ...headers }
  const given = Object.entries(all).map(([name, value]) => `-H '${name}: ${value}'`)
  const data = body === undefined ? '' : `-d '${JSON.stringify(body)}'`
  return JSON.parse(inside(`curl -s -X ${method} ${given.join(' ')} ${data} http://127.0.0.1:3000/api/${at}`))
}

function inside(script: string): string {
  return podman(['exec', NAME, 'sh', '-c', script])
}

function podman(args: string[]): string {
  return execFileSync('podman', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()
}
