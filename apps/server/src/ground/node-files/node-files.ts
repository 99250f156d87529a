import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { readVersion } from '../../lib/product.ts'
import { NODE_PROCESSORS, type NodeFile, type NodeProcessor } from './node-files.rules.ts'

// Releases of a node, which a joining machine downloads and updates of nodes come from.

const known = new Map<string, { stamp: string; found: NodeFile }>()

/** The files for nodes with this processor, where this panel has them. `folders` are looked through in order. */
export async function findNodeFile(processor: NodeProcessor, folders: string[]): Promise<NodeFile | undefined> {
  const name = `causeway-node-${readVersion()}-linux-${processor}.tar.gz`
  const file = folders.map((folder) => path.join(folder, name)).find((one) => existsSync(one))
  if (file === undefined) return undefined
  const { size: bytes, mtimeMs } = statSync(file)
  const stamp = `${bytes} ${mtimeMs}`
  const before = known.get(file)
  if (before?.stamp === stamp) return before.found
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  const found = { file, digest: hash.digest('hex'), bytes }
  known.set(file, { stamp, found })
  return found
}

/** Processors that this panel has the files for. */
export async function listCarriedProcessors(folders: string[]): Promise<NodeProcessor[]> {
  const files = await Promise.all(NODE_PROCESSORS.map((processor) => findNodeFile(processor, folders)))
  return NODE_PROCESSORS.filter((_, place) => files[place] !== undefined)
}

/** The processor that a file's name in a script is for. */
export function processorOf(name: string): NodeProcessor | undefined {
  return NODE_PROCESSORS.find((processor) => name === `causeway-node-${processor}.tar.gz`)
}
