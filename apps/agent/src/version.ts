import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** The version of the whole product stands in the root. */
const packageJson = new URL('../../../package.json', import.meta.url)

export const AGENT_VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageJson, 'utf8'))).version
