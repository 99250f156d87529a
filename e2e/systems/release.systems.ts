import { execFileSync, spawnSync } from 'node:child_process'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { CONTENTS } from '../../scripts/package/contents.ts'
import { root } from '../stage/processes.ts'

// What `npm run package` makes of the checked-out commit, unpacked and run on this machine without Node and network.

const BUILD_LIMIT_MS = 1_800_000
const folder = mkdtempSync(path.join(tmpdir(), 'causeway-release-'))
const keyFile = path.join(folder, 'key.pem')
const processor = process.arch === 'arm64' ? 'arm64' : 'x64'

test.describe.configure({ mode: 'serial' })
test.beforeAll(() => {
  test.setTimeout(BUILD_LIMIT_MS)
  const { privateKey } = generateKeyPairSync('ed25519')
  writeFileSync(keyFile, privateKey.export({ format: 'pem', type: 'pkcs8' }))
  build('first')
})
test.afterAll(() => rmSync(folder, { recursive: true }))

test('SHIP-001 the release file, unpacked without Node and network, serves and registers the administrator', () => {
  const place = unpack()
  for (const part of CONTENTS.server.parts) expect(existsSync(path.join(place, part)), part).toBe(true)
  const said = withoutNetwork(`
    ${place}/bin/causeway start > ${folder}/log 2>&1 & server=$!
    for try in $(seq 1 120); do sleep 1; curl -s -m 2 -o /dev/null http://127.0.0.1:3000/health && break; done
    curl -s -H 'accept: text/html' -o /dev/null -w 'page %{http_code}\\n' http://127.0.0.1:3000/
    curl -s -o /dev/null -w 'registered %{http_code}\\n' -H 'content-type: application/json' -H 'x-remnawave-client-type: browser' \\
      -d '{"username":"admin","password":"Correct4horse1"}' http://127.0.0.1:3000/api/auth/register
    ${place}/bin/causeway doctor > ${folder}/doctor; echo "doctor $?"
    kill $server; wait $server; echo "ended $?"`)
  expect(said.split('\n')).toEqual(expect.arrayContaining(['page 200', 'registered 201', 'doctor 0', 'ended 0']))
  expect(readFileSync(path.join(folder, 'doctor'), 'utf8')).toMatch(/^ok +server +The server answers/m)
})

test('SHIP-002 a signed release passes; a changed byte is refused', () => {
  const place = unpack()
  const file = releaseFile('first')
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
  build('second')
  const digest = (name: string) =>
    createHash('sha256')
      .update(readFileSync(releaseFile(name)))
      .digest('hex')
  expect(digest('second')).toBe(digest('first'))
  const { components } = JSON.parse(readFileSync(path.join(unpack(), 'sbom.cdx.json'), 'utf8'))
  const names = components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'node', 'github.com/xtls/xray-core']))
})

function build(name: string): void {
  execFileSync(process.execPath, ['scripts/package/package.ts', '--arch', processor, '--out', path.join(folder, name)], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, RELEASE_KEY: keyFile },
  })
}

function releaseFile(name: string): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  return path.join(folder, name, `causeway-${version}-linux-${processor}.tar.gz`)
}

function unpack(): string {
  const file = releaseFile('first')
  execFileSync('tar', ['xzf', file, '-C', folder])
  return path.join(folder, path.basename(file, '.tar.gz'))
}

/** In a network of its own that has the loopback address only, with nothing but Debian's programs to be found. */
function withoutNetwork(script: string): string {
  return execFileSync('unshare', ['--net', 'sh', '-c', `ip link set lo up; cd ${folder}; ${script}`], {
    encoding: 'utf8',
    env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: folder, DATA_DIR: path.join(folder, 'data'), LOG_LEVEL: 'warn' },
  })
}
