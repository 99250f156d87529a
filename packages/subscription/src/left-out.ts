import type { SubscriptionFormat } from './client-format.ts'
import { isOldClashEntry } from './formats/clash.ts'
import { isCommon } from './formats/expressible.ts'
import { isMihomoEntry } from './formats/mihomo.ts'
import { isOutlineEntry } from './formats/outline.ts'
import { isSingBoxEntry } from './formats/sing-box.ts'
import { isOfFormat } from './host-choice.ts'
import type { ProxyEntry } from './proxy-entry.ts'

/** The entries that stand in a subscription of this format, and those that it has no words or no room for. */
export function sortByFormat(format: SubscriptionFormat, entries: readonly ProxyEntry[]) {
  const [isExpressed, isChosen] = [isExpressible(format), isOfFormat(format)]
  const isSaid = (entry: ProxyEntry) => isExpressed(entry) && isChosen(entry)
  const said = entries.filter(isSaid)
  const unsaid = entries.filter((entry) => !isSaid(entry))
  // Outline knows one server.
  const [first, ...others] = said
  if (format.kind === 'outline') return { shown: first ? [first] : [], unsaid, beyondFirst: others }
  return { shown: said, unsaid, beyondFirst: [] }
}

function isExpressible(format: SubscriptionFormat): (entry: ProxyEntry) => boolean {
  switch (format.kind) {
    case 'links':
      return isCommon
    case 'mihomo':
      return isMihomoEntry(format.version)
    case 'stash':
      return isMihomoEntry()
    case 'clash':
      return isOldClashEntry
    case 'sing-box':
      return isSingBoxEntry
    case 'outline':
      return isOutlineEntry
    case 'xray-json':
      return () => true
  }
}
