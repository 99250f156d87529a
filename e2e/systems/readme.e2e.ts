import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { freePort, root, until } from '../stage/processes.ts'
import { BUILD_LIMIT_MS, builtRelease, type BuiltRelease } from './built-release.ts'
import { bootDebian, DEBIAN_IMAGE, makeDebianImage, RUNTIME_SETTINGS, type Machine } from './debian.ts'

// The first page of the README, followed line by line: its blocks are run as they stand there.

const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
const START_MS = 300_000
/** Fetches hundreds of libraries and builds the dashboard. */
const FIRST_START_MS = 900_000
const ACCOUNT = { username: 'admin', password: 'Correct4horse1' }
const HEADERS = { 'content-type': 'application/json', 'x-remnawave-client-type': 'browser' }
/** The image that ours are based on is in a registry, which is not reached. */
const BASE = 'docker.io/library/debian:12-slim'
const CONTAINER = 'causeway'

let release: BuiltRelease
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-readme-'))

test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
  await makeDebianImage()
})
test.afterAll(() => {
  rmSync(folder, { recursive: true })
  if (release) rmSync(release.folder, { recursive: true })
})

test('SHIP-001 "Try it": a checkout with Node of its own choosing starts by two words, and registers', async () => {
  test.setTimeout(FIRST_START_MS)
  const checkout = path.join(folder, 'checkout')
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${root}`, checkout])
  const port = await freePort()
  const [command = ''] = blocks('Try it')
  expect(command).toBe('npm start')
  const { PATH, HOME } = process.env
  const server = spawn('sh', ['-c', command], {
    cwd: checkout,
    env: { PATH, HOME, PORT: String(port) },
    detached: true,
    stdio: 'inherit',
  })
  try {
    const address = `http://127.0.0.1:${port}`
    await until('it serves', async () => (await fetch(`${address}/health`)).ok, FIRST_START_MS)
    const page = await fetch(address, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>')])
    const body = JSON.stringify(ACCOUNT)
    expect((await fetch(`${address}/api/auth/register`, { method: 'POST', headers: HEADERS, body })).status).toBe(201)
    expect(existsSync(path.join(checkout, 'data/master.key'))).toBe(true)
  } finally {
    // Ctrl-C reaches all of the terminal's processes.
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGINT')
    if (server.exitCode === null) await once(server, 'exit')
  }
})

test.describe('"Install it on a server"', () => {
  let machine: Machine
  test.beforeAll(async () => {
    test.setTimeout(BUILD_LIMIT_MS)
    machine = await bootDebian(release.folder)
  })
  test.afterAll(() => machine?.stop())

  test('SHIP-003 SHIP-007 two packages, two settings and a restart: https is served on 443, and 80 leads there', async () => {
    test.setTimeout(START_MS)
    const [install = '', settings = ''] = blocks('Install it on a server')
    expect(install.match(/^sudo dpkg -i \S+/gm)).toHaveLength(2)
    const sudo = 'sudo() { "$@"; }'
    machine.run(`${sudo}; cd /files; ${install}`)
    expect(settings.match(/^[A-Z_]+=/gm)).toEqual(['PUBLIC_URL=', 'ACME_EMAIL='])
    machine.run(`cat >> /etc/causeway/causeway.env <<'END'\n${settings}\nEND`)
    machine.run(`${sudo}; ${inline('Install it on a server', 'sudo systemctl restart')}`)
    const name = 'panel.example.com'
    const ask = `curl -sk -m 5 --resolve ${name}:443:127.0.0.1 --resolve ${name}:80:127.0.0.1 -o /dev/null -w '%{http_code} %{http_version} %{redirect_url}'`
    await until('https is served', () => machine.attempt(`${ask} https://${name}/health`).text === '200 2 ', START_MS)
    expect(machine.run(`${ask} http://${name}/x`)).toBe(`301 1.1 https://${name}/x`)
    expect(machine.run(inline('Install it on a server', 'journalctl -u causeway') + ' --no-pager')).toContain(
      'Causeway is ready at',
    )
    expect(machine.run('grep -c "^#SECRET_KEY=$" /etc/causeway/causeway-node.env').trim()).toBe('1')
  })
})

test('SHIP-005 "Run it in a container": three lines, and it registers', async () => {
  test.setTimeout(START_MS)
  cpSync(release.archive, path.join(folder, path.basename(release.archive)))
  writeFileSync(path.join(folder, 'containers.conf'), RUNTIME_SETTINGS)
  execFileSync('podman', ['tag', DEBIAN_IMAGE, BASE])
  const env = { ...process.env, CONTAINERS_CONF: path.join(folder, 'containers.conf'), BUILDAH_ISOLATION: 'chroot' }
  const [lines = ''] = blocks('Run it in a container')
  expect(lines.split('\n')).toHaveLength(3)
  const port = await freePort()
  try {
    // Only the port on this machine is another one: others may be using it.
    execFileSync('sh', ['-ec', lines.replace('127.0.0.1:3000:3000', `127.0.0.1:${port}:3000`)], {
      cwd: folder,
      env,
      stdio: 'pipe',
    })
    const address = `http://127.0.0.1:${port}`
    await until('it serves', async () => (await fetch(`${address}/health`)).ok, START_MS)
    const body = JSON.stringify(ACCOUNT)
    expect((await fetch(`${address}/api/auth/register`, { method: 'POST', headers: HEADERS, body })).status).toBe(201)
    expect(execFileSync('podman', ['exec', CONTAINER, 'causeway', 'health'], { encoding: 'utf8' })).toContain(
      'The server answers',
    )
  } finally {
    spawnSync('podman', ['rm', '-f', '-v', CONTAINER])
    spawnSync('podman', ['volume', 'rm', '-f', CONTAINER])
    spawnSync('podman', ['rmi', '-f', BASE])
  }
})

/** Blocks of code in a section of the README. */
function blocks(section: string): string[] {
  return [...textOf(section).matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code.trim())
}

/** A command within the text. @throws Error when there is none that begins so */
function inline(section: string, beginning: string): string {
  const found = [...textOf(section).matchAll(/`([^`\n]+)`/g)]
    .map(([, code = '']) => code)
    .find((code) => code.startsWith(beginning))
  if (found === undefined) throw new Error(`"${section}" of the README has no ${beginning}.`)
  return found
}

function textOf(section: string): string {
  const begins = readme.indexOf(`\n## ${section}\n`)
  if (begins === -1) throw new Error(`The README has no section "${section}".`)
  return readme.slice(begins, readme.indexOf('\n## ', begins + 1))
}
