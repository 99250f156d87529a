import { expect, test } from 'vitest'
import { misspelt, parseSettingsFile, placed } from './settings-file.ts'

const TEXT = `# Settings
PORT=8080
; another comment
PUBLC_URL="https://panel.example"
export HOST=0.0.0.0
METRICS_USER=one \\
  two
LOG_LEVEL debug
PORT=99999
NODE_OPTIONS=--trace-warnings
`
const settings = parseSettingsFile('/etc/causeway/causeway.env', TEXT)

test('a mistake is told with file, line and name', () => {
  expect(placed('PORT must be a whole number.', settings, { PORT: '99999' })).toBe(
    '/etc/causeway/causeway.env, line 9: PORT must be a whole number.',
  )
  // The value came from elsewhere.
  expect(placed('PORT must be a whole number.', settings, { PORT: 'abc' })).toBe('PORT must be a whole number.')
  expect(placed('HOST is wrong.', undefined, {})).toBe('HOST is wrong.')
})

test('lines that set nothing are found, and slips of the pen, but neither comments nor names of other programs', () => {
  expect(settings.unread).toEqual([
    { line: 5, text: 'export HOST=0.0.0.0' },
    { line: 8, text: 'LOG_LEVEL debug' },
  ])
  expect(misspelt(settings, ['PORT', 'PUBLIC_URL', 'METRICS_USER', 'HOST'])).toEqual([
    { line: 4, name: 'PUBLC_URL', likely: 'PUBLIC_URL' },
  ])
})

test('a line is read as systemd reads it: with spaces around the sign, and not behind export', () => {
  const { values, unread } = parseSettingsFile('/etc/causeway/causeway.env', 'PUBLIC_URL = https://a.example\nexport HOST=::\n')
  expect(values).toEqual({ PUBLIC_URL: 'https://a.example' })
  expect(unread).toEqual([{ line: 2, text: 'export HOST=::' }])
})
