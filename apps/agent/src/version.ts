import { readFileSync } from 'node:fs'
import { z } from 'zod'

const packageJson = new URL('../package.json', import.meta.url)

export const AGENT_VERSION = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(packageJson, 'utf8'))).version
