// What a release contains: the one list that `npm run package` copies from and the tests read.

export const ARCHITECTURES = ['x64', 'arm64'] as const
export type Architecture = (typeof ARCHITECTURES)[number]

/** Names of processors in Go and in Debian. */
export const OTHER_NAME: Record<Architecture, string> = { x64: 'amd64', arm64: 'arm64' }

/** `server` is the whole product, agent included; `node` is what a node needs and no more. */
export type Kind = 'server' | 'node'

interface Contents {
  /** Tracked files that are copied as they are: a path, or a folder with all below it. */
  sources: string[]
  /** Workspaces whose libraries run; those of the dashboard are in its built files. */
  workspaces: string[]
  /** Built files of the engine, beside Xray itself. */
  engineFiles: string[]
  hasDashboard: boolean
  programs: string[]
  /** What must be there at the end; tests of built releases ask for each. */
  parts: string[]
}

const SHARED_SOURCES = [
  'LICENSE',
  'CHANGELOG.md',
  'package.json',
  'package-lock.json',
  'engine/go.mod',
  'apps/server/package.json',
  'apps/dashboard/package.json',
  'apps/agent/package.json',
  'apps/agent/src/',
  'packages/subscription/package.json',
  'packages/import/package.json',
  'packages/contract/package.json',
  'packages/contract/src/',
  'packages/xray/package.json',
  'packages/xray/src/',
]
const SHARED_PARTS = [
  'node/bin/node',
  'node/LICENSE',
  'release.json',
  'sbom.cdx.json',
  'LICENSE',
  'bin/causeway-node',
  'apps/agent/src/main.ts',
  'engine/build/xray',
  'engine/build/LICENSES.txt',
]

export const CONTENTS: Record<Kind, Contents> = {
  server: {
    sources: [
      ...SHARED_SOURCES,
      'README.md',
      'docs/',
      'apps/server/src/',
      'packages/subscription/src/',
      'packages/import/src/',
      'container/server.Containerfile',
      'container/compose.yaml',
      'container/compose-postgres.yaml',
      'container/compose-caddy.yaml',
      'container/compose-cluster.yaml',
      'container/haproxy.cfg',
      'container/patroni.Containerfile',
      'container/patroni.yaml',
    ],
    workspaces: ['apps/server', 'apps/agent'],
    engineFiles: ['validator.wasm', 'validator.wasm.br', 'validator.wasm.gz', 'wasm_exec.js', 'LICENSES.txt'],
    hasDashboard: true,
    programs: ['causeway', 'causeway-node'],
    parts: [
      ...SHARED_PARTS,
      'bin/causeway',
      'docs/moving-in.md',
      'apps/server/src/causeway.ts',
      'apps/dashboard/dist/index.html',
      'engine/build/validator.wasm.br',
      'node_modules/fastify/package.json',
    ],
  },
  node: {
    // The script that lets a machine join makes its service of the unit.
    sources: [...SHARED_SOURCES, 'container/node.Containerfile', 'scripts/package/files/causeway-node.service'],
    workspaces: ['apps/agent'],
    engineFiles: ['LICENSES.txt'],
    hasDashboard: false,
    programs: ['causeway-node'],
    parts: SHARED_PARTS,
  },
}

/** Of the sources, what only tests need. */
export const TESTS = /\.test\.tsx?$|\/golden\//

export interface Release {
  version: string
  commit: string
  /** ISO 8601; stands in for the time of the build, which must not change the bytes. */
  committedAt: string
  /** Text of the public key that its files are signed for, if they are. */
  publicKey: string | undefined
}
