import { canonicalJson, emptyNodeConfig, inboundsOf, textAt, userProtocolOf, type XrayObject } from '@causeway/xray'

/** The parts of a profile by number. Parts of equal content have the same number. */
interface Shape {
  rest: number
  inbounds: { tag: string; number: number; isForUsers: boolean }[]
}

/** A profile as a node runs it: with these of its inbounds for users. */
export interface Core {
  config: XrayObject
  tags: readonly string[]
}

/**
 * Tells the configurations of cores apart. Each part of a profile is compared once for the whole fleet: the time grows with
 * the profiles and with the nodes, not with their product.
 */
export class CoreConfigs {
  readonly #numbers = new Map<string, number>()
  readonly #shapes = new Map<XrayObject, Shape>()

  /** Whether agents keep a core running that goes from one configuration to the other. */
  isSame(one: Core, other: Core): boolean {
    const isUntouched = one.config === other.config && one.tags.length === other.tags.length
    if (isUntouched && one.tags.every((tag, index) => tag === other.tags[index])) return true
    return this.#textOf(one) === this.#textOf(other)
  }

  #textOf({ config, tags }: Core): string {
    const active = new Set(tags)
    const { rest, inbounds } = this.#shapeOf(config)
    const open = inbounds.filter(({ tag, isForUsers }) => !isForUsers || active.has(tag))
    return [rest, ...open.map(({ number }) => number)].join()
  }

  #shapeOf(config: XrayObject): Shape {
    const known = this.#shapes.get(config)
    if (known) return known
    const all = inboundsOf(config)
    const empty = emptyNodeConfig(
      config,
      all.map((inbound) => textAt(inbound, 'tag')),
    )
    const shape = {
      rest: this.#numberOf({ ...empty, inbounds: [] }),
      inbounds: inboundsOf(empty).map((inbound) => ({
        tag: textAt(inbound, 'tag'),
        number: this.#numberOf(inbound),
        isForUsers: userProtocolOf(inbound) !== undefined,
      })),
    }
    this.#shapes.set(config, shape)
    return shape
  }

  #numberOf(part: XrayObject): number {
    const text = canonicalJson(part)
    const number = this.#numbers.get(text) ?? this.#numbers.size
    this.#numbers.set(text, number)
    return number
  }
}
