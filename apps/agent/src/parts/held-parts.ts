import { NODE_PARTS, nodePart, type NodePart, type NodeParts } from '@causeway/contract/agent'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { writeAtomically } from '../xray/core-files.ts'
import { unpackPart } from './unpack.ts'

/** The folder of the program that this process runs. */
const OWN_ROOT = path.resolve(import.meta.dirname, '../../../..')

const heldPart = z.object({ digest: z.string(), version: z.string() })
/** A part that came as an update; null where the installed one is in force. */
type HeldPart = z.output<typeof heldPart> | null

const held = z.object({ now: heldPart.nullable(), before: heldPart.nullable() })
const INSTALLED = { now: null, before: null }
const partsFile = z.object({
  base: z.string(),
  agent: held,
  core: held,
  geo: held.default(INSTALLED), // absent in files of agents that took none
  refused: z.object({ part: nodePart, digest: z.string(), why: z.string() }).nullable(),
})
type PartsFile = z.output<typeof partsFile>

export interface Installed {
  /** The folder of the program that was installed on the node. */
  base: string
  xray: string
  versions: { agent: string; core: string }
  /** The operator keeps geo files of their own. */
  isGeoFixed: boolean
}

/**
 * Parts that came as updates. They lie in the data folder, so that the installed program, which may belong to root, stays as it is.
 * A program that is installed anew takes precedence over them.
 */
export class HeldParts {
  readonly #folder: string
  readonly #dataFolder: string
  readonly #installed: Installed
  #file: PartsFile

  constructor(dataFolder: string, installed: Installed) {
    this.#dataFolder = dataFolder
    this.#folder = partsFolder(dataFolder)
    this.#installed = installed
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#file = readPartsFile(dataFolder, installed.base) ?? {
      base: markOf(installed.base),
      agent: INSTALLED,
      core: INSTALLED,
      // They belong to no release: a program that is installed anew goes on with them.
      geo: readAnyPartsFile(dataFolder)?.geo ?? INSTALLED,
      refused: null,
    }
  }

  describe(): NodeParts {
    const { versions } = this.#installed
    const installedDigest = readText(path.join(this.#installed.base, '.digest'))?.trim() ?? null
    const describePart = (part: 'agent' | 'core', now: HeldPart) => now ?? { version: versions[part], digest: installedDigest }
    return {
      processor: process.arch,
      agent: describePart('agent', this.#isOwn(this.#file.agent.now) ? this.#file.agent.now : null),
      core: describePart('core', this.#file.core.now),
      geo: { version: this.geoVersion ?? '', digest: this.#file.geo.now?.digest ?? null },
      isCoreFixed: this.isCoreFixed,
      refused: this.#file.refused,
    }
  }

  /** The operator has named an Xray of their own. */
  get isCoreFixed(): boolean {
    return this.#installed.xray !== xrayOf(this.#installed.base)
  }

  /** The Xray that the next core is started from. */
  get xray(): string {
    const { now } = this.#file.core
    const file = now && xrayOf(this.#folderOf('core', now))
    return file && !this.isCoreFixed && existsSync(file) ? file : this.#installed.xray
  }

  get isGeoFixed(): boolean {
    return this.#installed.isGeoFixed
  }

  /** Empty where none came from the server; undefined where none are taken. */
  get geoVersion(): string | undefined {
    return this.isGeoFixed ? undefined : (this.#file.geo.now?.version ?? '')
  }

  /** The folder of geo files that the next core is started with. */
  get assets(): string | undefined {
    const { now } = this.#file.geo
    const folder = now && this.#folderOf('geo', now)
    return folder && !this.isGeoFixed && existsSync(folder) ? folder : undefined
  }

  /** Takes a piece of a release file. One that does not follow what is there changes nothing. */
  receive(digest: string, offset: number, piece: Buffer): number {
    const file = this.#incoming(digest)
    const others = readdirSync(this.#folder).filter((name) => name.endsWith('.tar.gz') && name !== path.basename(file))
    for (const name of others) rmSync(path.join(this.#folder, name))
    const received = existsSync(file) ? statSync(file).size : 0
    if (offset !== received) return received
    appendFileSync(file, piece, { mode: 0o600 })
    return received + piece.length
  }

  /** Lays a part out beside the one in force. Gives where it lies. @throws Error with a sentence */
  async stage(part: NodePart, digest: string, bytes: number): Promise<string> {
    const target = this.#folderOf(part, { digest })
    const file = this.#incoming(digest)
    if (existsSync(target)) {
      rmSync(file, { force: true })
      return target
    }
    if (!existsSync(file) || statSync(file).size !== bytes) throw new Error('The release file is not on this node as a whole.')
    const hash = createHash('sha256')
    await pipeline(createReadStream(file), hash)
    if (hash.digest('hex') !== digest) {
      rmSync(file)
      throw new Error('The release file that arrived is another than the one that the server has.')
    }
    const staged = `${target}.new`
    try {
      await unpackPart(file, part, staged)
      renameSync(staged, target)
    } finally {
      rmSync(staged, { recursive: true, force: true })
    }
    rmSync(file)
    return target
  }

  isInForce(part: NodePart, digest: string): boolean {
    return this.#file[part].now?.digest === digest
  }

  /** The part that was in force before, and where it lies. */
  before(part: NodePart): { held: HeldPart; folder: string } {
    const { before } = this.#file[part]
    const folder = before && this.#folderOf(part, before)
    return folder && existsSync(folder) ? { held: before, folder } : { held: null, folder: this.#installed.base }
  }

  putInForce(part: NodePart, next: HeldPart): void {
    this.#save({ ...this.#file, [part]: { now: next, before: this.#file[part].now }, refused: null })
    this.#forgetOthers()
  }

  /** Before another attempt. */
  forgetRefusal(): void {
    if (this.#file.refused) this.#save({ ...this.#file, refused: null })
  }

  refuse(part: NodePart, digest: string, why: string): void {
    this.#save({ ...this.#file, refused: { part, digest, why } })
    this.#forgetOthers()
  }

  /** Whether this process runs from it: one that is recorded may be gone. One on trial tells what is in force meanwhile. */
  #isOwn(agent: HeldPart): boolean {
    if (process.env['CAUSEWAY_TRIAL'] === '1') return agent !== null
    const folder = agent && this.#folderOf('agent', agent)
    return folder !== null && existsSync(folder) && realpathSync(folder) === realpathSync(OWN_ROOT)
  }

  #save(next: PartsFile): void {
    writeAtomically(partsFileOf(this.#dataFolder), JSON.stringify(next))
    this.#file = next
  }

  #incoming(digest: string): string {
    return path.join(this.#folder, `${digest}.tar.gz`)
  }

  #folderOf(part: NodePart, { digest }: { digest: string }): string {
    return path.join(this.#folder, folderName(part, digest))
  }

  /** Keeps what is in force and what was before it. */
  #forgetOthers(): void {
    const kept = new Set(
      NODE_PARTS.flatMap((part) => {
        const { now, before } = this.#file[part]
        return [now, before].flatMap((one) => (one ? [folderName(part, one.digest)] : []))
      }),
    )
    for (const name of readdirSync(this.#folder)) {
      if (!kept.has(name) && !name.endsWith('.tar.gz')) rmSync(path.join(this.#folder, name), { recursive: true, force: true })
    }
  }
}

/** The folder of the agent that came as an update to this installed program, if there is one. */
export function updatedAgent(dataFolder: string, base: string): string | undefined {
  const now = readPartsFile(dataFolder, base)?.agent.now
  const folder = now && path.join(partsFolder(dataFolder), folderName('agent', now.digest))
  return folder && existsSync(programOf(folder)) ? folder : undefined
}

export function programOf(folder: string): string {
  return path.join(folder, 'bin/causeway-node')
}

export function xrayOf(folder: string): string {
  return path.join(folder, 'engine/build/xray')
}

/** Says which release a program is of; undefined for a checkout, which is not updated. */
function markOf(base: string): string {
  return createHash('sha256')
    .update(readText(path.join(base, 'release.json')) ?? '')
    .digest('hex')
}

function readPartsFile(dataFolder: string, base: string): PartsFile | undefined {
  const file = readAnyPartsFile(dataFolder)
  return file?.base === markOf(base) ? file : undefined
}

/** Also one of the program that was installed before. */
function readAnyPartsFile(dataFolder: string): PartsFile | undefined {
  try {
    return partsFile.parse(JSON.parse(readFileSync(partsFileOf(dataFolder), 'utf8')))
  } catch {
    return undefined // none yet, or unreadable: the installed parts are in force
  }
}

function readText(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function partsFileOf(dataFolder: string): string {
  return path.join(dataFolder, 'parts.json')
}

function partsFolder(dataFolder: string): string {
  return path.join(dataFolder, 'parts')
}

function folderName(part: NodePart, digest: string): string {
  return `${part}-${digest.slice(0, 16)}`
}
