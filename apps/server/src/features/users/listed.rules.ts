import { listedUser, user } from '@causeway/contract'
import { happCryptoLink } from '../../lib/happ-link.ts'
import { jsonInstant, jsonText, keptByRow, objectWriter, textAt, type TextRow, type WriteRow } from '../../lib/json-texts.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import { trafficOf } from './traffic.rules.ts'

/** What a list of users is for: where links lead, and the day that traffic is counted until. */
interface Shown {
  origin: string | null
  today: string
}

type Address = Parameters<typeof subscriptionUrl>[0]

/**
 * Writes users as the list sends them, from the texts of their columns: what `toUser` and `trafficOf` make of values. What has
 * been written of a row is kept, and good as long as the database sends the same row and the list is for the same.
 */
export function listedUserWriters(address: Address): (columns: readonly string[], shown: Shown) => WriteRow {
  let last: { by: string; write: WriteRow } | undefined
  return (columns, { origin, today }) => {
    const withoutKey = subscriptionUrl(address, origin, '')
    const by = [today, withoutKey, ...columns].join('\n')
    if (last?.by !== by)
      last = { by, write: keptByRow(columns, listedUserWriter(columns, withoutKey, today), { key: 'id', unused: 'total' }) }
    return last.write
  }
}

const lastConnectedNode = user.shape.lastConnectedNode.unwrap()

function listedUserWriter(columns: readonly string[], withoutKey: string, today: string): WriteRow {
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
