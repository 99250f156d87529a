import { listedUser, user } from '@causeway/contract'
import { Cache } from '../../lib/cache.ts'
import { happCryptoLink } from '../../lib/happ-link.ts'
import { keptByRow, objectWriter, type WriteRow } from '../../lib/json-rows.ts'
import { columnAt } from '../../lib/sent-rows.ts'
import { subscriptionUrl } from '../../ground/subscription-url.rules.ts'
import { trafficOf } from './traffic.rules.ts'

/** The context of a list of users: where links lead, and the day that traffic is counted until. */
interface Shown {
  origin: string | null
  today: string
}

type Address = Parameters<typeof subscriptionUrl>[0]

/**
 * Writes users as the list sends them, from the rows of its statement, equal to `toUser` and `trafficOf`. The written
 * text of a row is cached. It stays valid as long as the database sends the same row and the context is the same.
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

const userTraffic = user.shape.userTraffic.unwrap()
const lastConnectedNode = user.shape.lastConnectedNode.unwrap()
const NODE_COLUMNS: Record<string, string> = { onlineAt: 'connectedAt', nodeName: 'nodeName', nodeCountryCode: 'countryCode' }

function listedUserWriter(columns: readonly string[], withoutKey: string, today: string): WriteRow {
  const at = (name: string): number => columnAt(columns, name)
  const [shortUuid, squads, onlineAt, nodeName] = [at('shortUuid'), at('activeInternalSquads'), at('onlineAt'), at('nodeName')]
  const [trafficDay, dayBytes, weekBytes, thirtyDaysBytes, monthBytes] = [
    at('trafficDay'),
    at('dayBytes'),
    at('weekBytes'),
    at('thirtyDaysBytes'),
    at('monthBytes'),
  ]
  const writeSquads = squadsWriter()
  let url = ''
  const happ = objectWriter(user.shape.happ, [], { cryptoLink: (_, to) => to.add(`"${happCryptoLink(url)}"`) })
  const node = objectWriter(
    lastConnectedNode,
    columns.map((name) => NODE_COLUMNS[name] ?? ''),
  )
  const write = objectWriter(listedUser, columns, {
    userTraffic: objectWriter(userTraffic, columns),
    subscriptionUrl: (_, to) => to.add(JSON.stringify(url)),
    happ,
    lastConnectedNode: (row, to) => (row.has(nodeName) && row.has(onlineAt) ? node(row, to) : to.add('null')),
    activeInternalSquads: (row, to) => to.add(writeSquads(row.text(squads) ?? '[]')),
    traffic: (row, to) =>
      to.add(
        JSON.stringify(
          trafficOf(
            {
              trafficDay: row.text(trafficDay),
              dayBytes: row.number(dayBytes),
              weekBytes: row.number(weekBytes),
              thirtyDaysBytes: row.number(thirtyDaysBytes),
              monthBytes: row.number(monthBytes),
            },
            today,
          ),
        ),
      ),
  })
  return (row, to) => {
    url = withoutKey + encodeURIComponent(row.text(shortUuid) ?? '')
    write(row, to)
  }
}

const SQUAD_KEYS = Object.keys(user.shape.activeInternalSquads.element.shape)

/** Users of a page share few combinations of squads. */
function squadsWriter(): (text: string) => string {
  const combinations = new Cache<string>({ most: Infinity })
  return (text) => combinations.find(text, () => JSON.stringify(JSON.parse(text), SQUAD_KEYS))
}
