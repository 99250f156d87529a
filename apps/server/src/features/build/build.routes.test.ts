import * as api from '@causeway/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '../../../test/server.ts'
import { commitPage, packedTag } from './build.rules.ts'

let server: TestServer
afterEach(() => server?.close())

const commit = '0123456789abcdef0123456789abcdef01234567'

test('the build says its time, commit, tag, branch and where to read the commit', async () => {
  server = await testServer({
    env: {
      BUILD_TIME: '2026-01-01T00:00:00Z',
      BUILD_COMMIT: commit,
      BUILD_TAG: 'v1.2.3',
      BUILD_BRANCH: 'main',
      REPOSITORY_URL: 'https://code.example/team/panel.git',
      SUPPORT_CHAT_URL: 'https://chat.example',
    },
  })
  expect(await server.call(api.getBuild, {})).toEqual({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    buildTime: '2026-01-01T00:00:00Z',
    commitFull: commit,
    commit: '0123456',
    tag: 'v1.2.3',
    branch: 'main',
    commitUrl: `https://code.example/team/panel/commit/${commit}`,
    links: {
      repository: 'https://code.example/team/panel.git',
      communityChat: null,
      supportChat: 'https://chat.example',
      donation: null,
    },
  })
})

describe('rules', () => {
  test('no page without a repository or a commit', () => {
    expect(commitPage(null, commit)).toBeNull()
    expect(commitPage('https://code.example/a', null)).toBeNull()
    expect(commitPage('https://code.example/a/', 'x')).toBe('https://code.example/a/commit/x')
  })
  test.each([
    [`${commit} refs/tags/v1`, 'v1'],
    [`aaaa refs/tags/v2\n^${commit}`, 'v2'],
    [`${commit} refs/heads/main`, null],
    ['', null],
  ])('in %j the tag is %s', (packed, tag) => expect(packedTag(packed, commit)).toBe(tag))
})

test('SHIP-013 the parts of the build are its programs and every library that is not for development', async () => {
  server = await testServer()
  const { parts } = await server.call(api.listParts, {})
  expect(parts.slice(0, 4).map(({ name, licence }) => [name, licence])).toEqual([
    ['Causeway', 'Apache-2.0'],
    ['Node.js', 'MIT'],
    ['PostgreSQL', 'PostgreSQL'],
    ['Xray-core', 'MPL-2.0'],
  ])
  const names = parts.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['fastify', 'react', '@connectrpc/connect']))
  for (const tool of ['typescript', 'vitest', 'oxlint']) expect(names).not.toContain(tool)
  expect(parts.filter(({ version, licence }) => version === '' || licence === '')).toEqual([])
})
