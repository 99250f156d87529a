import type { NodePart } from '@causeway/contract/agent'
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'

const XRAY = '*/engine/build/xray'
const WHICH: Record<NodePart, string[]> = {
  // The core goes on with the Xray that it was started from.
  agent: [`--exclude=${XRAY}`],
  core: ['--wildcards', XRAY],
  geo: [],
}

/** Unpacks a part of a release file into a new folder. @throws Error with a sentence */
export async function unpackPart(file: string, part: NodePart, folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const args = ['-xzf', file, '-C', folder, '--strip-components=1', '--no-same-owner', ...WHICH[part]]
  try {
    await promisify(execFile)('tar', args)
  } catch (error) {
    throw new Error(`The release file could not be unpacked: ${lastLine(error)}`, { cause: error })
  }
}

/** Of what a program has said before it failed. */
export function lastLine(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error && typeof error.stderr === 'string' ? error.stderr : ''
  return said.trim().split('\n').at(-1) || (error instanceof Error ? error.message : String(error))
}
