import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { CONTENTS, OTHER_NAME } from '../../scripts/package/contents.ts'
import { ARCHITECTURE, BUILD_LIMIT_MS, buildRelease, builtRelease, type BuiltRelease } from './built-release.ts'
import { DEBIAN_IMAGE, LIMITS, makeDebianImage } from './debian.ts'

// What `npm run package` makes of the checked-out commit, unpacked and run on this machine without Node and network.

/** Of programs and libraries (e_machine in elf(5)). */
const MACHINES = { x64: 62, arm64: 183 }
const ELF = Buffer.from([0x7f, 0x45, 0x4c, 0x46])
const MACHINE_AT = 18

test.describe.configure({ mode: 'serial' })
let release: BuiltRelease
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-unpacked-'))
test.beforeAll(async () => {
  test.setTimeout(BUILD_LIMIT_MS)
  release = builtRelease()
  await makeDebianImage()
})
test.afterAll(() => {
  rmSync(folder, { recursive: true })
  if (release) rmSync(release.folder, { recursive: true })
})

test('SHIP-001 the release file, unpacked without Node and network, serves and registers the administrator', () => {
  const place = unpack()
  for (const part of CONTENTS.server.parts) expect(existsSync(path.join(place, part)), part).toBe(true)
  const said = onBareDebian(`
    cd /files/${path.basename(place)}; export DATA_DIR=/srv/causeway LOG_LEVEL=warn
    command -v node || echo 'no node'
    bin/causeway start > /tmp/log 2>&1 & server=$!
    for try in $(seq 1 120); do sleep 1; bin/causeway health > /dev/null 2>&1 && break; done
    curl -s -H 'accept: text/html' -o /dev/null -w 'page %{http_code}\\n' http://127.0.0.1:3000/
    curl -s -o /dev/null -w 'registered %{http_code}\\n' -H 'content-type: application/json' -H 'x-remnawave-client-type: browser' \\
      -d '{"username":"admin","password":"Correct4horse1"}' http://127.0.0.1:3000/api/auth/register
    bin/causeway doctor; echo "doctor $?"
    kill $server; wait $server; echo "ended $?"`)
  expect(said.split('\n')).toEqual(expect.arrayContaining(['no node', 'page 200', 'registered 201', 'doctor 0', 'ended 0']))
  expect(said).toMatch(/^ok +server +The server answers/m)
})

test('SHIP-001 the release for the other processor has the same parts, and every program in it is for that processor', () => {
  test.setTimeout(BUILD_LIMIT_MS)
  const other = ARCHITECTURE === 'x64' ? 'arm64' : 'x64'
  const out = path.join(folder, 'other')
  buildRelease(out, path.join(path.dirname(release.archive), 'key.pem'), other)
  for (const kind of ['server', 'node'] as const) {
    const name = `causeway${kind === 'node' ? '-node' : ''}-${release.version}-linux-${other}`
    execFileSync('tar', ['xzf', path.join(out, `${name}.tar.gz`), '-C', out])
    const place = path.join(out, name)
    for (const part of CONTENTS[kind].parts) expect(existsSync(path.join(place, part)), part).toBe(true)
    const programs = programsIn(place)
    expect(programs.map(({ file }) => file)).toEqual(expect.arrayContaining(['node/bin/node', 'engine/build/xray']))
    expect(programs.filter(({ machine }) => machine !== MACHINES[other])).toEqual([])
  }
  const deb = path.join(out, `causeway_${release.version}_${OTHER_NAME[other]}.deb`)
  expect(execFileSync('dpkg-deb', ['-f', deb, 'Architecture'], { encoding: 'utf8' }).trim()).toBe(OTHER_NAME[other])
})

test('SHIP-002 a signed release passes; a changed byte is refused', () => {
  const place = unpack()
  const file = release.archive
  const verified = spawnSync(path.join(place, 'bin/causeway'), ['verify', file], { encoding: 'utf8' })
  expect([verified.status, verified.stdout]).toEqual([0, expect.stringContaining('is what was signed')])
  const bytes = readFileSync(file)
  bytes.writeUInt8(bytes.readUInt8(1_000_000) ^ 1, 1_000_000)
  const changed = path.join(folder, path.basename(file))
  writeFileSync(changed, bytes)
  writeFileSync(`${changed}.minisig`, readFileSync(`${file}.minisig`))
  const refused = spawnSync(path.join(place, 'bin/causeway'), ['verify', changed], { encoding: 'utf8' })
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('is not what was signed')])
})

test('SHIP-002 two builds of one commit are the same bytes, with a list of contents', () => {
  test.setTimeout(BUILD_LIMIT_MS)
  const second = path.join(folder, 'second')
  buildRelease(second, path.join(path.dirname(release.archive), 'key.pem'))
  const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
  for (const file of [release.archive, release.deb, release.nodeDeb])
    expect([file, digest(path.join(second, path.basename(file)))]).toEqual([
      file,
      digest(path.join(path.dirname(release.archive), path.basename(file))),
    ])
  const { components } = JSON.parse(readFileSync(path.join(unpack(), 'sbom.cdx.json'), 'utf8'))
  const names = components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'node', 'github.com/xtls/xray-core']))
})

function programsIn(place: string): { file: string; machine: number }[] {
  const files = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.flatMap(({ parentPath, name }) => {
    const file = path.join(parentPath, name)
    const head = Buffer.alloc(MACHINE_AT + 2)
    const descriptor = openSync(file, 'r')
    readSync(descriptor, head)
    closeSync(descriptor)
    return head.subarray(0, ELF.length).equals(ELF)
      ? [{ file: path.relative(place, file), machine: head.readUInt16LE(MACHINE_AT) }]
      : []
  })
}

function unpack(): string {
  execFileSync('tar', ['xzf', release.archive, '-C', folder])
  return path.join(folder, path.basename(release.archive, '.tar.gz'))
}

/** In a container without a network, with nothing but Debian's programs to be found. */
function onBareDebian(script: string): string {
  const args = ['run', '--rm', ...LIMITS, '--network=none', '-v', `${folder}:/files:ro`, DEBIAN_IMAGE, 'bash', '-c', script]
  return execFileSync('podman', args, { encoding: 'utf8' })
}
