import { existsSync } from 'node:fs'
import path from 'node:path'
import { dataFolder } from '../config.ts'
import { updatedAgent } from './held-parts.ts'
import { BASE, becomeAgent } from './trial.ts'

/** The installed program gives way to the agent that came as an update to it. One in a checkout is not updated. */
export function giveWayToNewest(): void {
  if (process.env[BASE]) return // this is the update, or on trial
  const base = path.resolve(import.meta.dirname, '../../../..')
  if (!existsSync(path.join(base, 'release.json'))) return
  process.env[BASE] = base
  const folder = updatedAgent(dataFolder(process.env), base)
  if (folder !== undefined) becomeAgent(folder, { isAnew: false })
}
