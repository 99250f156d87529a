import path from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import dashboard from './apps/dashboard/vite.config.ts'

const chromium = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
}

// Build machines are shared: a test gets one more try there, and the summary names it. On a developer's machine the first try counts.
const retry = process.env['CI'] ? 1 : 0

/** What measures the time of a processor runs after all others: two at once slow each other down. */
const MEASURING = ['apps/server/test/costs/costs.test.ts']

/**
 * What asks functions, or a server of its own in the test's process: the files of a worker share their modules, as reading the
 * server anew took longer than most of them.
 */
const SHARING = [
  'packages/{contract,xray,subscription,import}/**/*.test.ts',
  'apps/dashboard/**/*.test.ts',
  'apps/server/src/**/*.{routes,rules,queries}.test.ts',
]
/** What puts something in the place of a global, or of a module as it is read. */
const CHANGING = [
  'apps/dashboard/src/{api/texts,lib/when-idle,ui/code-editor-languages}.test.ts',
  'apps/server/src/features/{installation,validator}/*.routes.test.ts',
]

/** Screens are tested as they are shipped: what React checks while one develops took a third of the processor's time. */
const asShipped: Plugin = {
  name: 'as-shipped',
  enforce: 'pre',
  config: () => {
    process.env['NODE_ENV'] = 'production'
  },
}

/** Files that take a quarter of a minute or more, waiting for processes for the most part. */
const LONGEST = [
  'jobs/killed',
  'killed-rollouts',
  'fleet/worker',
  'template-compiler',
  'embedded-postgres',
  'auth.routes',
  'rollouts.routes',
  'fleet-chaos',
  'containers',
  'agent/src/main',
  'wire-conformance',
  'folder-lock',
  'disk-room',
  'db/backup',
  'shell/pages.browser',
]

/**
 * What would be waited for at the end, while the other workers have nothing left to do, begins first. On a fresh clone nobody
 * has measured the files yet, and by itself Vitest goes by the names of projects and then by how large files are.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rank(other) - rank(one))
  }
}

function rank({ moduleId, project }: TestSpecification): number {
  if (LONGEST.some((name) => moduleId.includes(`${name}.`))) return 2
  return project.config.isolate ? 1 : 0
}

export default defineConfig({
  test: {
    // By itself it leaves a core to whoever watches; most of these tests wait for a database, a process or a frame, so that
    // two cores are busy only with three of them.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          retry,
          env: { NODE_ENV: 'test' },
          include: SHARING,
          exclude: CHANGING,
          isolate: false,
          globalSetup: ['apps/server/test/postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'node-apart',
          environment: 'node',
          retry,
          env: { NODE_ENV: 'test' },
          include: [...CHANGING, 'apps/{agent,server}/**/*.test.ts', '{bench,scripts}/**/*.test.ts'],
          exclude: [...MEASURING, 'apps/server/src/**/!(installation|validator).{routes,rules,queries}.test.ts'],
          globalSetup: ['apps/server/test/postgres.ts', 'apps/server/test/wire/published.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        test: {
          name: 'node-alone',
          environment: 'node',
          retry,
          env: { NODE_ENV: 'test' },
          include: MEASURING,
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          globalSetup: ['apps/server/test/postgres.ts'],
          hookTimeout: 180_000,
        },
      },
      {
        plugins: [asShipped, react({ compiler: true })],
        root: path.resolve(import.meta.dirname, 'apps/dashboard'),
        resolve: dashboard.resolve ?? {},
        worker: dashboard.worker ?? {},
        // All that the screens need is prepared before the first test; a package found later would reload the page in the middle of one.
        optimizeDeps: {
          entries: ['index.html', 'test/**/*.{ts,tsx}', 'src/**/*.browser.test.tsx'],
          // Entries are not followed into workers.
          include: [
            '@simplewebauthn/browser',
            'monaco-yaml/yaml.worker.js',
            'monaco-editor/internal/common/initialize',
            'monaco-editor/languages/features/json/jsonWorker',
          ],
        },
        test: {
          name: 'browser',
          retry,
          include: ['src/**/*.browser.test.tsx', 'test/**/*.browser.test.tsx'],
          env: { DEV: 'true' }, // or each test would fetch the code of all pages ahead
          setupFiles: ['test/setup.ts'],
          // The files of a worker share one page, so that the dashboard's modules are loaded once; setup.ts clears what a test leaves.
          isolate: false,
          testTimeout: 30_000,
          expect: { poll: { timeout: 15_000 } },
          browser: {
            enabled: true,
            locators: { exact: false }, // names are found as in the end-to-end tests
            headless: true,
            connectTimeout: 240_000, // on a fresh clone the packages are prepared meanwhile, on a busy machine for minutes
            screenshotFailures: false,
            provider: playwright({
              launchOptions: chromium,
              contextOptions: { reducedMotion: 'reduce', timezoneId: 'UTC', locale: 'en-US' },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
