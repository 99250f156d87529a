import {
  isObject,
  isUserProtocol,
  networkOf,
  networks,
  objectAt,
  realityNetworks,
  textAt,
  userlessProtocols,
  userProtocols,
  type XrayObject,
} from './config.ts'
import { checkMemberNames } from './member-names.ts'
import { checkValues, type ProfileProblem } from './profile-values.ts'
import { shadowsocks2022Problem } from './shadowsocks.ts'
import { decryptionOf, isDecryption } from './vless-encryption.ts'

/** Each is a row, and told to every node of the profile. Real profiles have a few dozen. */
const MAX_INBOUNDS = 1000
/** Tags are looked up by the database, which takes no longer keys. */
const MAX_TAG = 500

/** The rules of the panel for a config profile; whether Xray itself accepts it is another question. */
export function checkProfile(config: XrayObject): ProfileProblem[] {
  const inbounds: unknown = config['inbounds']
  if (!Array.isArray(inbounds) || inbounds.length === 0)
    return [{ path: 'inbounds', message: 'The config has no inbounds. Add at least one inbound.' }]
  if (inbounds.length > MAX_INBOUNDS) {
    const message = `The config has ${inbounds.length} inbounds, and ${MAX_INBOUNDS} are the most. Split it into several profiles.`
    return [{ path: 'inbounds', message }]
  }
  const seen = new Map<string, number>()
  return [
    ...checkValues(config),
    ...checkMemberNames(config),
    ...inbounds.flatMap((inbound: unknown, index) => checkInbound(inbound, index, seen)),
  ]
}

function checkInbound(inbound: unknown, index: number, seen: Map<string, number>): ProfileProblem[] {
  const path = `inbounds[${index}]`
  if (!isObject(inbound)) return [{ path, message: `Inbound ${index + 1} is not a JSON object.` }]
  const name =
    typeof inbound['tag'] === 'string' && inbound['tag'] !== '' ? `Inbound "${inbound['tag']}"` : `Inbound ${index + 1}`
  return [
    ...checkTag(inbound['tag'], index, path, seen),
    ...checkProtocol(inbound['protocol'], name, path),
    ...checkPort(inbound['port'], name, path),
    ...checkStream(inbound['streamSettings'], name, path),
    ...checkCombination(inbound, name, path),
    ...checkSettings(inbound['settings'], name, path),
  ]
}

function checkTag(tag: unknown, index: number, inboundPath: string, seen: Map<string, number>): ProfileProblem[] {
  const path = `${inboundPath}.tag`
  if (typeof tag !== 'string' || tag === '')
    return [{ path, message: `Inbound ${index + 1} has no tag. Give it a tag that no other inbound has.` }]
  const first = seen.get(tag)
  if (first !== undefined)
    return [{ path, message: `Inbound ${index + 1} has the tag "${tag}" of inbound ${first + 1}. Tags must be unique.` }]
  seen.set(tag, index)
  if (tag.length > MAX_TAG) return [{ path, message: `Inbound ${index + 1} has a tag of more than ${MAX_TAG} characters.` }]
  if (tag.includes(',')) return [{ path, message: `Inbound "${tag}" has a comma in its tag. Remove the comma.` }]
  return []
}

function checkProtocol(protocol: unknown, name: string, path: string): ProfileProblem[] {
  if (isUserProtocol(protocol) || userlessProtocols.some((known) => known === protocol)) return []
  const allowed = [...userProtocols, ...userlessProtocols].join(', ')
  const found = typeof protocol === 'string' ? `the protocol "${protocol}"` : 'no protocol'
  return [{ path: `${path}.protocol`, message: `${name} has ${found}. Use one of: ${allowed}.` }]
}

/** A number, a list, a range or what stands in the node's environment; an inbound on a socket of the file system has none. */
function checkPort(port: unknown, name: string, inboundPath: string): ProfileProblem[] {
  const isFine =
    port === undefined ||
    port === null ||
    (typeof port === 'number' && isPort(port)) ||
    (typeof port === 'string' && (/^env:./.test(port) || port.split(',').every(isPortRange)))
  if (isFine) return []
  return [
    {
      path: `${inboundPath}.port`,
      message: `${name} has no port from 1 to 65535. Use one, a list such as "443,8443" or a range such as "1000-2000".`,
    },
  ]
}

/** Of a range that runs backwards the core opens no port, and says nothing. */
function isPortRange(part: string): boolean {
  if (!/^\s*\d+(?:-\d+)?\s*$/.test(part)) return false
  const [from = 0, to = from] = part.split('-').map(Number)
  return isPort(from) && isPort(to) && from <= to
}

function isPort(port: number): boolean {
  return Number.isInteger(port) && port >= 1 && port <= 65535
}

/** What Xray would refuse only on the node, or start and never let a user in. */
function checkCombination(inbound: XrayObject, name: string, path: string): ProfileProblem[] {
  const { protocol } = inbound
  if (!isUserProtocol(protocol)) return []
  const stream = objectAt(inbound, 'streamSettings')
  const [network, security] = [networkOf(inbound), textAt(stream, 'security')]
  const at = `${path}.streamSettings`
  if ((protocol === 'hysteria') !== (network === 'hysteria'))
    return [
      {
        path: `${at}.network`,
        message: `${name} mixes "${protocol}" with the network "${network}". The protocol hysteria and the network hysteria go together only.`,
      },
    ]
  if (protocol === 'hysteria' && security !== 'tls')
    return [{ path: `${at}.security`, message: `${name} has no TLS. Hysteria exists inside TLS only.` }]
  if (security === 'reality' && !realityNetworks.includes(network))
    return [
      {
        path: `${at}.security`,
        message: `${name} uses REALITY with the network "${network}". REALITY exists for ${realityNetworks.join(', ')} only.`,
      },
    ]
  return checkKeys(inbound, name, `${path}.settings`)
}

/** Keys that clients are given the other half of. */
function checkKeys(inbound: XrayObject, name: string, path: string): ProfileProblem[] {
  const settings = objectAt(inbound, 'settings')
  if (inbound['protocol'] === 'shadowsocks') {
    const problem = shadowsocks2022Problem(settings)
    return problem ? [{ path: `${path}.${problem.key}`, message: `${name} ${problem.text}` }] : []
  }
  const decryption = inbound['protocol'] === 'vless' ? decryptionOf(inbound) : ''
  if (decryption === '' || isDecryption(decryption)) return []
  return [
    {
      path: `${path}.decryption`,
      message: `${name} has a decryption that Xray cannot use. Say "none", or take one that "xray vlessenc" makes.`,
    },
  ]
}

function checkStream(stream: unknown, name: string, inboundPath: string): ProfileProblem[] {
  const path = `${inboundPath}.streamSettings`
  if (stream === undefined || stream === null) return []
  if (!isObject(stream)) return [{ path, message: `${name} has streamSettings that are not a JSON object.` }]
  const network = stream['network']
  if (network === undefined || network === null || networks.some((known) => known === network)) return []
  const found = typeof network === 'string' ? `the network "${network}"` : 'a network that is not text'
  return [{ path: `${path}.network`, message: `${name} has ${found}. Use one of: ${networks.join(', ')}.` }]
}

function checkSettings(settings: unknown, name: string, path: string): ProfileProblem[] {
  if (settings === undefined || settings === null || isObject(settings)) return []
  return [{ path: `${path}.settings`, message: `${name} has settings that are not a JSON object.` }]
}
