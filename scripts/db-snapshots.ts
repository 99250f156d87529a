// npm run db:snapshots: writes schema.sql and the statements anew. `npm run check` compares them, and their difference is reviewed.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { DATABASE_SNAPSHOTS } from './check-steps.ts'
import { root, runProgram } from './steps.ts'

rmSync(path.join(root, 'apps/server/src/db/statements'), { recursive: true, force: true })
process.exit((await runProgram('vitest', ['run', '-u', '--project', 'node*', ...DATABASE_SNAPSHOTS])) ? 0 : 1)
