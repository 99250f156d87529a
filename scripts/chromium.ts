import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/opt/google/chrome/chrome']

/** Finds the system's Chromium for the browser tests, or installs it where that is possible; the tests read CHROMIUM. */
export function ensureChromium(): void {
  const given = process.env['CHROMIUM']
  if (given !== undefined) {
    if (!existsSync(given)) throw new Error(`CHROMIUM names ${given}, which does not exist.`)
    return
  }
  if (!findChromium()) installChromium()
  const found = findChromium()
  if (!found) throw new Error(`No Chromium was found for the browser tests. ${ADVICE}`)
  process.env['CHROMIUM'] = found
}

const ADVICE = 'Install it (on Debian: `apt-get install chromium`), or set CHROMIUM to the path of a Chromium or Chrome.'

function findChromium(): string | undefined {
  return CANDIDATES.find((candidate) => existsSync(candidate))
}

function installChromium(): void {
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n']
  if (asRoot.length > 0 && spawnSync('sudo', ['-n', 'true']).status !== 0)
    throw new Error(`Chromium is missing, and only root can install it. ${ADVICE}`)
  console.log('Installing Chromium with apt-get ...')
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    const [command = 'apt-get', ...rest] = [...asRoot, 'apt-get', ...args]
    const result = spawnSync(command, rest, {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
    if (result.status !== 0) throw new Error(`\`apt-get ${args.join(' ')}\` failed. ${ADVICE}`)
  }
}
