import base from './playwright.config.ts'
export default { ...base, testDir: '/work/subs/e2e', globalSetup: undefined, reporter: [['list']] }
