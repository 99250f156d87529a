import { defineConfig } from '@playwright/test'

/** Tests of what is released, one after another: they build for minutes and run on the machine itself. */
export default defineConfig({
  testDir: 'e2e/systems',
  testMatch: '**/*.e2e.ts',
  globalSetup: './e2e/systems/global-setup.ts',
  outputDir: 'e2e/.results/systems',
  workers: 1,
  timeout: 300_000,
  reporter: [['list']],
})
