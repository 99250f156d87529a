import { listedUser, user } from '@causeway/contract'
import { happCryptoLink } from '../../lib/happ-link.ts'
import { jsonInstant, jsonText, objectWriter, textAt, type TextRow } from '../../lib/json-texts.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import { trafficOf } from './traffic.rules.ts'

/** What a list of users is for: where links lead, and the day that traffic is counted until. */
export interface Shown {
  address: Parameters<typeof subscriptionUrl>[0]
  origin: string | null
  today: string
}

const lastConnectedNode = user.shape.lastConnectedNode.unwrap()

/** Writes users as the list sends them, from the texts of their columns: what `toUser` and `trafficOf` make of values. */
export function listedUserWriter(columns: readonly string[], { address, origin, today }: Shown): (row: TextRow) => string {
  const at = (name: string) => textAt(columns, name)
  const [shortUuid, onlineAt, nodeName, countryCode, squads] = [
    at('shortUuid'),
    at('onlineAt'),
    at('nodeName'),
    at('nodeCountryCode'),
    at('activeInternalSquads'),
  ]
  const [trafficDay, dayBytes, weekBytes, thirtyDaysBytes, monthBytes] = [
    at('trafficDay'),
    at('dayBytes'),
    at('weekBytes'),
    at('thirtyDaysBytes'),
    at('monthBytes'),
  ]
  const writeSquads = squadsWriter()
  const withoutKey = subscriptionUrl(address, origin, '')
  const url = (row: TextRow) => withoutKey + encodeURIComponent(shortUuid(row) ?? '')
  const happ = objectWriter(user.shape.happ, [], { cryptoLink: (row) => `"${happCryptoLink(url(row))}"` })
  const node = objectWriter(lastConnectedNode, [], {
    connectedAt: (row) => jsonInstant(onlineAt(row) ?? ''),
    nodeName: (row) => jsonText(nodeName(row) ?? ''),
    countryCode: (row) => jsonText(countryCode(row) ?? ''),
  })
  return objectWriter(listedUser, columns, {
    subscriptionUrl: (row) => jsonText(url(row)),
    happ,
    lastConnectedNode: (row) => (nodeName(row) === null || onlineAt(row) === null ? 'null' : node(row)),
    activeInternalSquads: (row) => writeSquads(squads(row) ?? '[]'),
    traffic: (row) =>
      JSON.stringify(
        trafficOf(
          {
            trafficDay: trafficDay(row),
            dayBytes: Number(dayBytes(row)),
            weekBytes: Number(weekBytes(row)),
            thirtyDaysBytes: Number(thirtyDaysBytes(row)),
            monthBytes: Number(monthBytes(row)),
          },
          today,
        ),
      ),
  })
}

const writeSquad = objectWriter(user.shape.activeInternalSquads.element, ['uuid', 'name'])

/** Users of a page share few combinations of squads. */
function squadsWriter(): (text: string) => string {
  const combinations = new Map<string, string>()
  return (text) => {
    const known = combinations.get(text)
    if (known !== undefined) return known
    const squads = JSON.parse(text) as { uuid: string; name: string }[] // as the statement builds them
    const written = `[${squads.map(({ uuid, name }) => writeSquad([uuid, name])).join(',')}]`
    combinations.set(text, written)
    return written
  }
}
