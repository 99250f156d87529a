import type { HashPayload } from '@causeway/contract'
import { hasClosedPorts } from '@causeway/xray'
import { type ClientChange, effectiveConfig, type OwnPorts, withChanges, type XrayConfig } from './config.ts'
import type { CoreFiles, SavedCore } from './core-files.ts'
import { TrackedUsers } from './tracked-users.ts'

/** Live changes are folded into the config when the core next starts anyway; when there are so many, at once. */
const MAX_CHANGES = 50_000

/** The config that should run and its users, those changed live included: one generation in the data folder. */
export class WantedConfig {
  readonly tracked: TrackedUsers
  /** As this agent writes it: an earlier one left the API of the core open to whoever comes through. */
  readonly isClosed: boolean
  readonly #files: CoreFiles
  readonly #generation: number
  readonly #tags: string[]
  #changeCount = 0

  private constructor(files: CoreFiles, generation: number, config: XrayConfig, emptyConfig: string, tags: string[]) {
    this.#files = files
    this.#generation = generation
    this.#tags = tags
    this.tracked = new TrackedUsers(config, emptyConfig, tags)
    this.isClosed = hasClosedPorts(config)
  }

  /** A config as a start request brings it; not in force before `save`. */
  static write(files: CoreFiles, given: XrayConfig, hashes: HashPayload, ports: OwnPorts): WantedConfig {
    const config = effectiveConfig(given, ports)
    const tags = hashes.inbounds.map(({ tag }) => tag)
    return new WantedConfig(files, files.writeConfig(config), config, hashes.emptyConfig, tags)
  }

  /** The one an earlier life of the agent left in force. */
  static read(files: CoreFiles, { generation, emptyConfig, tags }: SavedCore): WantedConfig {
    const wanted = new WantedConfig(files, generation, files.readConfig(generation), emptyConfig, tags)
    const changes = files.readChanges(generation)
    for (const change of changes) wanted.tracked.apply(change)
    wanted.#changeCount = changes.length
    return wanted
  }

  get file(): string {
    return this.#files.configFile(this.#generation)
  }

  get hasManyChanges(): boolean {
    return this.#changeCount > MAX_CHANGES
  }

  /** The config with the users it has by now. */
  withUsers(): XrayConfig {
    return withChanges(this.#files.readConfig(this.#generation), this.#files.readChanges(this.#generation))
  }

  record(changes: readonly ClientChange[]): void {
    for (const change of changes) this.tracked.apply(change)
    this.#files.appendChanges(this.#generation, changes)
    this.#changeCount += changes.length
  }

  /** The same in a new generation whose config contains the live changes; not in force before `save`. */
  folded(ports: OwnPorts): WantedConfig {
    const config = effectiveConfig(this.withUsers(), ports)
    const { emptyConfig, trackedTags } = this.tracked
    return new WantedConfig(this.#files, this.#files.writeConfig(config), config, emptyConfig, trackedTags)
  }

  /** Puts this generation in force, with the process that runs it. */
  save(core: SavedCore['core']): void {
    this.#files.saveState({ generation: this.#generation, emptyConfig: this.tracked.emptyConfig, tags: this.#tags, core })
  }

  /** Once this generation is in force for good. */
  forgetOthers(): void {
    this.#files.forgetOtherGenerations(this.#generation)
  }

  forget(): void {
    this.#files.forgetGeneration(this.#generation)
  }
}
