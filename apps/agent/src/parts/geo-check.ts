import { geoUses, missingLists, readGeoFile } from '@causeway/xray'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** In a package of geo files, beside them. */
const VERSION = 'version'

/**
 * Reads the geo files of an unpacked package as a whole, and that they hold every list which a configuration names. Gives their
 * version. @throws Error with a sentence
 */
export function checkGeoFiles(folder: string, configFile: string | undefined): string {
  const files = new Map<string, string[]>()
  for (const name of readdirSync(folder).filter((one) => one !== VERSION)) {
    try {
      files.set(name, readGeoFile(readFileSync(path.join(folder, name)), name).lists)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(`${name} is not a file of lists that Xray reads: ${why}.`, { cause: error })
    }
  }
  const uses = configFile === undefined ? [] : geoUses(readFileSync(configFile, 'utf8'))
  const [missing] = missingLists(uses, files)
  if (missing) throw new Error(`${missing.file} lacks the list "${missing.list}", which the configuration of this node names.`)
  return readFileSync(path.join(folder, VERSION), 'utf8').trim()
}
