import { inboundsOf, isObject, objectAt, type XrayObject } from './config.ts'
import type { ProfileProblem } from './profile-values.ts'

// Xray reads names of members without regard to case (encoding/json of Go), and would see what the checks of a profile do not.

// Only members that checks or the panel's own changes rely on: others have more than one usual spelling.
const SECTIONS = 'log api routing policy inbounds outbounds stats metrics'.split(' ')
const LOG = 'access error'.split(' ')
const ROUTING = 'rules balancers domainStrategy'.split(' ')
const RULE = 'ip domain port network user inboundTag outboundTag balancerTag'.split(' ')
const INBOUND = 'tag port listen protocol settings streamSettings'.split(' ')
const SETTINGS = 'clients decryption method password'.split(' ')
const STREAM = 'network security tlsSettings realitySettings'.split(' ')
const TLS = 'certificates'.split(' ')
const CERTIFICATE = 'certificateFile keyFile certificate key'.split(' ')

/** Members whose names differ from those that Xray knows in case alone. */
export function checkMemberNames(config: XrayObject): ProfileProblem[] {
  const problems: ProfileProblem[] = []
  const look = (object: unknown, names: readonly string[], path: string): void => {
    if (!isObject(object)) return
    for (const name of Object.keys(object)) {
      const known = names.find((each) => folded(each) === folded(name))
      if (known === undefined || known === name) continue
      const place = path === '' ? name : `${path}.${name}`
      problems.push({ path: place, message: `${place}: Xray reads this as "${known}". Write it so.` })
    }
  }
  look(config, SECTIONS, '')
  look(config['log'], LOG, 'log')
  look(config['routing'], ROUTING, 'routing')
  const { rules } = objectAt(config, 'routing')
  if (Array.isArray(rules)) for (const [index, rule] of rules.entries()) look(rule, RULE, `routing.rules[${index}]`)
  for (const [index, inbound] of inboundsOf(config).entries()) {
    const path = `inbounds[${index}]`
    const stream = objectAt(inbound, 'streamSettings')
    const tls = objectAt(stream, 'tlsSettings')
    look(inbound, INBOUND, path)
    look(inbound['settings'], SETTINGS, `${path}.settings`)
    look(stream, STREAM, `${path}.streamSettings`)
    look(tls, TLS, `${path}.streamSettings.tlsSettings`)
    const { certificates } = tls
    if (!Array.isArray(certificates)) continue
    for (const [number, entry] of certificates.entries())
      look(entry, CERTIFICATE, `${path}.streamSettings.tlsSettings.certificates[${number}]`)
  }
  return problems
}

/** As Go folds names: with the long s and the sign of Kelvin, which are no ASCII letters. */
function folded(name: string): string {
  return name.toLowerCase().toUpperCase()
}
