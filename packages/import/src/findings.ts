import type { MoveInRule } from '@causeway/contract'

/** A question that a translation settles by a rule, and the effect of the rule. */
export const rules = {
  nameTaken:
    'Of users whose names are equal but for case, the one created first keeps the name; the others get _2, _3 and so on.',
  tagTwice:
    'Of inbounds with the same tag, the one of the oldest profile keeps it; the others get _2, _3 and so on, in their profile and its routing rules too.',
  staleInbound: 'An inbound whose record differs from its profile comes as the profile has it, as its nodes run it.',
  inboundWithoutProfile: 'An inbound that its profile does not have comes as its record says, until the profile is saved.',
  inboundWithoutRecord: 'An inbound of a profile without a record gets a new uuid.',
  hostWithoutInbound: 'A host of a missing inbound comes without one; subscriptions leave it out until it gets another.',
  impossibleValue: 'A value that cannot be is replaced.',
  missingReference: 'A row that refers to something missing is left out, or loses the reference.',
  resetStrategy: 'A way of resetting traffic that is not known here becomes the nearest one.',
  usageSum: 'Usage whose sum differs from upload and download: the difference counts as download.',
  tokenToRenew: 'An API token whose signature cannot be checked comes by name. Copy its new text from the dashboard.',
  secretUnproven:
    'A secret that has signed no API token cannot be checked. With a wrong JWT_AUTH_SECRET the old password is refused.',
  adminLeftOut: 'The administrator does not come over. Where none is registered, register at the first start.',
  moreThanOne: 'Of several rows where one is possible, the oldest comes.',
  keysMissing: 'The authority does not come over. Every node needs a new key.',
  nameChanged:
    'A name that is not possible here (3 to 36 letters, digits, underscores and dashes) is changed. The description has the old one.',
  sameLink:
    'Clients with the same subscription id are one user, as one link answered for all of them. The first gives name and settings. Used bytes and limits are added, the latest expiry and all inbounds count.',
  otherKey:
    'A user has one key for each protocol here and one Shadowsocks method, and an inbound has one flow. Apps with another one connect again once they refresh their link.',
  firstUse: 'A time that was to begin with the first use begins with the import.',
  madeProfile: 'The inbounds of a server are a profile; each has a squad, and a host with an address for clients.',
  nodeToInstall: 'Servers do not come as nodes. Create a node with the profile, and install the agent.',
  inboundOff: 'An inbound that was switched off comes with a disabled host. Leave it out of the inbounds of nodes.',
  unreadableInbound: 'An inbound that is no valid JSON is left out.',
  nextPlan: 'A plan that was to follow does not come. Set it up again where it is still wanted.',
  linkPath: 'Links under a path that is in use here go on only when the proxy in front passes them to /api/sub/.',
  unknownTemplate: 'A template of a type that is not known here is left out.',
  hostSquads: 'A host for some squads alone leaves out all the others of now. Squads that are created later count for it.',
  notCarried: 'Contents that have no place here are left out.',
} as const satisfies Record<MoveInRule, string>
export type Rule = MoveInRule

export interface Finding {
  rule: Rule
  sentence: string
  count: number
  /** The first of them. */
  examples: string[]
}

const MOST_EXAMPLES = 20

/** Gathers what was settled, by rule. */
export class Findings {
  readonly #byRule = new Map<Rule, { count: number; examples: string[] }>()

  note(rule: Rule, example: string, count = 1): void {
    const held = this.#byRule.get(rule) ?? { count: 0, examples: [] }
    this.#byRule.set(rule, held)
    held.count += count
    if (held.examples.length < MOST_EXAMPLES) held.examples.push(example)
  }

  list(): Finding[] {
    return [...this.#byRule].map(([rule, { count, examples }]) => ({ rule, sentence: rules[rule], count, examples }))
  }
}
