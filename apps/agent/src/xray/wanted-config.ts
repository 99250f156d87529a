import type { HashPayload } from '@causeway/contract/agent'
import { closesPorts } from '@causeway/xray'
import { type ClientChange, closedPorts, effectiveConfig, type OwnPorts, withChanges, type XrayConfig } from './config.ts'
import type { CoreFiles, SavedCore } from './core-files.ts'
import { portSpans, portsOfTags, type PortSpan } from './port-spans.ts'
import { TrackedUsers } from './tracked-users.ts'

/** Live changes are folded into the config when the core next starts anyway; when there are so many, at once. */
const MAX_CHANGES = 50_000

type Named = Pick<SavedCore, 'generation' | 'emptyConfig' | 'tags'>

/** The config that should run and its users, those changed live included: one generation in the data folder. */
export class WantedConfig {
  readonly tracked: TrackedUsers
  /** Its closing rule is that of this agent; an earlier one may have left ports open to subscribers. */
  readonly isClosed: boolean
  readonly inboundPorts: PortSpan[]
  /** Of each inbound by its tag; one that other inbounds of this machine hand connections to has none of its own. */
  readonly portsOfTags: ReadonlyMap<string, PortSpan[]>
  readonly #files: CoreFiles
  readonly #generation: number
  readonly #tags: string[]
  #changeCount = 0

  private constructor(files: CoreFiles, { generation, emptyConfig, tags }: Named, config: XrayConfig, ports: OwnPorts) {
    this.#files = files
    this.#generation = generation
    this.#tags = tags
    this.tracked = new TrackedUsers(config, emptyConfig, tags)
    this.isClosed = closesPorts(config, closedPorts(ports))
    this.inboundPorts = portSpans(config.inbounds ?? [])
    this.portsOfTags = portsOfTags(config.inbounds ?? [])
  }

  /** A config as a start request brings it; not in force before `save`. */
  static write(files: CoreFiles, given: XrayConfig, hashes: HashPayload, ports: OwnPorts): WantedConfig {
    const config = effectiveConfig(given, ports)
    const tags = hashes.inbounds.map(({ tag }) => tag)
    const named = { generation: files.writeConfig(config), emptyConfig: hashes.emptyConfig, tags }
    return new WantedConfig(files, named, config, ports)
  }

  /** The one an earlier life of the agent left in force. */
  static read(files: CoreFiles, saved: SavedCore, ports: OwnPorts): WantedConfig {
    const wanted = new WantedConfig(files, saved, files.readConfig(saved.generation), ports)
    const changes = files.readChanges(saved.generation)
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
    const named = { generation: this.#files.writeConfig(config), emptyConfig, tags: trackedTags }
    return new WantedConfig(this.#files, named, config, ports)
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
