import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { CONTENTS } from '../../scripts/package/contents.ts'
import { BUILD_LIMIT_MS, buildRelease, builtRelease, type BuiltRelease } from './built-release.ts'
import { DEBIAN_IMAGE, LIMITS, makeDebianImage } from './debian.ts'

// What `npm run package` makes of the checked-out commit, unpacked and run on this machine without Node and network.

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

function unpack(): string {
  execFileSync('tar', ['xzf', release.archive, '-C', folder])
  return path.join(folder, path.basename(release.archive, '.tar.gz'))
}

/** In a container without a network, with nothing but Debian's programs to be found. */
function onBareDebian(script: string): string {
  const args = ['run', '--rm', ...LIMITS, '--network=none', '-v', `${folder}:/files:ro`, DEBIAN_IMAGE, 'bash', '-c', script]
  return execFileSync('podman', args, { encoding: 'utf8' })
}
