import { defineConfig } from '@playwright/test'

const TRAFFIC = '**/*traffic*.e2e.ts'
/** Long stories on servers of their own: behind all others they would be waited for while nothing else is left to do. */
const APART = '**/{daily-tasks,start,profile-editor}.e2e.ts'
/** Releases, packages and images, tested by playwright.systems.config.ts. */
const SYSTEMS = '**/systems/**'

export default defineConfig({
  testDir: 'e2e',
  outputDir: 'e2e/.results/artifacts',
  globalSetup: './e2e/stage/global-setup.ts',
  // Who carries traffic waits for polls most of the time, and begins at once, beside the browsers; behind them it would be waited for.
  workers: 5,
  projects: [
    { name: 'traffic', testMatch: TRAFFIC, testIgnore: SYSTEMS, workers: 2 },
    { name: 'apart', testMatch: APART, testIgnore: SYSTEMS, workers: 2 },
    { name: 'panel', testMatch: '**/*.e2e.ts', testIgnore: [TRAFFIC, APART, SYSTEMS], workers: 4 },
  ],
  // Build machines are shared: a test gets one more try there, and the summary names it. On a developer's machine the first try counts.
  retries: process.env['CI'] ? 1 : 0,
  timeout: 150_000,
  // Nothing waits so long where there is time; on a machine with much else to do a page may.
  expect: { timeout: 30_000 },
  forbidOnly: Boolean(process.env['CI']),
  reporter: [['list'], ['json', { outputFile: 'e2e/.results/report.json' }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    colorScheme: 'dark',
    screenshot: 'only-on-failure',
    // What a trace tells is drawn and written at every step. On build machines the second try of a test that failed has one.
    trace: process.env['CI'] ? 'on-first-retry' : 'retain-on-failure',
    launchOptions: {
      executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
    },
  },
})
