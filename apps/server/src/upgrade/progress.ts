import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { isUpgradeActive } from './units.ts'

// Messages of the upgrade's unit to the terminal that began it, a line of JSON for each sentence.

const FILE = '/run/causeway-upgrade.log'
const LOOK_MS = 200
/** systemd starts a unit that crashed again before that. */
const LOST_MS = 10_000

const progressLine = z.object({ sentence: z.string(), outcome: z.enum(['upgraded', 'failed']).optional() })
type ProgressLine = z.output<typeof progressLine>

export function forgetProgress(): void {
  rmSync(FILE, { force: true })
}

export function tellProgress(sentence: string, outcome?: ProgressLine['outcome']): void {
  console.log(sentence)
  appendFileSync(FILE, `${JSON.stringify({ sentence, outcome })}\n`)
}

/**
 * Hands on each sentence until the upgrade has ended.
 * @returns the last sentence
 * @throws Error with it when the upgrade failed
 */
export async function followProgress(onStep: (sentence: string) => void): Promise<string> {
  let seen = 0
  let activeAt = Date.now()
  for (;;) {
    const lines = readLines()
    for (const { sentence, outcome } of lines.slice(seen)) {
      if (outcome === 'failed') throw new Error(sentence)
      if (outcome === 'upgraded') return sentence
      onStep(sentence)
    }
    seen = lines.length
    if (isUpgradeActive()) activeAt = Date.now()
    if (Date.now() - activeAt > LOST_MS)
      throw new Error(
        'The upgrade was cut off. It goes on with: systemctl start causeway-upgrade (journalctl -u causeway-upgrade)',
      )
    await sleep(LOOK_MS)
  }
}

/** The last line may be half written. */
function readLines(): ProgressLine[] {
  const text = existsSync(FILE) ? readFileSync(FILE, 'utf8') : ''
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => progressLine.parse(JSON.parse(line)))
}
