import path from 'node:path'
import { playwright } from '@vitest/browser-playwright'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const chromium = {
  executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
}

// Build machines are shared: a test that waits for the world gets another try there, and the report says so.
const retry = process.env['CI'] ? 2 : 0

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          environment: 'node',
          retry,
          include: ['packages/{contract,xray,subscription}/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.ts'],
          globalSetup: ['apps/server/test/postgres.ts', 'apps/server/test/wire/published.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
        },
      },
      {
        plugins: [react({ compiler: true })],
        root: path.resolve(import.meta.dirname, 'apps/dashboard'),
        test: {
          name: 'browser',
          retry,
          include: ['src/**/*.browser.test.tsx'],
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: chromium }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
