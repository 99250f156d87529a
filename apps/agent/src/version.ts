import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

/** Of the program in this folder: the version of the whole product stands in the root. */
function readVersionOf(folder: string): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))).version
}

export const AGENT_VERSION = readVersionOf(path.resolve(import.meta.dirname, '../../..'))
