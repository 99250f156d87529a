// Files with lists of addresses or domains that rules name, such as `geoip:ir` or `ext:own.dat:ads`: GeoIPList and GeoSiteList
// of Xray's protobuf definitions. Both hold entries { 1: name, 2: member ... }; members tell them apart.

export type GeoFileKind = 'geoip' | 'geosite'

export interface GeoFile {
  kind: GeoFileKind
  /** Names of its lists as they stand in the file. Xray looks for them in capitals. */
  lists: string[]
}

/** A list that a configuration names. */
export interface GeoUse {
  file: string
  list: string
}

/** Files that Xray takes from their usual names, with the kind that they must have. */
const USUAL_FILES: Readonly<Record<string, GeoFileKind>> = { 'geoip.dat': 'geoip', 'geosite.dat': 'geosite' }
const USE = /"(?:(geoip|geosite)|ext(?:-ip|-domain)?:([^":]+)):!?([^"@:]+)/g
/** A longer name could not be found: Xray compares its length as one byte. */
const LONGEST_NAME = 127
const [VARINT, LENGTH] = [0, 2]

/** Reads a file as a whole. @throws Error with why Xray could not read it */
export function readGeoFile(bytes: Uint8Array, name?: string): GeoFile {
  const kinds = new Set<GeoFileKind>()
  const lists: string[] = []
  for (const entry of fieldsOf(bytes, 0, bytes.length)) {
    if (entry.number !== 1 || entry.type !== LENGTH) throw new Error('it holds something else than lists')
    lists.push(readEntry(bytes, entry, kinds))
  }
  const [kind, other] = kinds
  if (kind === undefined) throw new Error('it holds no addresses and no domains')
  if (other !== undefined) throw new Error('it holds both addresses and domains')
  const usual = name === undefined ? undefined : USUAL_FILES[name]
  if (usual !== undefined && usual !== kind)
    throw new Error(usual === 'geoip' ? 'it holds domains, not addresses' : 'it holds addresses, not domains')
  return { kind, lists }
}

/** Lists that a configuration, as JSON, names. */
export function geoUses(config: string): GeoUse[] {
  const uses = new Map<string, GeoUse>()
  for (const [, usual, file = `${usual}.dat`, list = ''] of config.matchAll(USE)) uses.set(`${file}:${list}`, { file, list })
  return [...uses.values()]
}

/** Of these lists, those that a file lacks. Files that are not there are looked for elsewhere by Xray, and are left out. */
export function missingLists(uses: readonly GeoUse[], files: ReadonlyMap<string, readonly string[]>): GeoUse[] {
  const held = new Map([...files].map(([file, lists]) => [file, new Set(lists)]))
  return uses.filter(({ file, list }) => held.get(file)?.has(list.toUpperCase()) === false)
}

interface Field {
  number: number
  type: number
  /** Of a varint its value, else 0. */
  value: number
  begin: number
  end: number
}

/** Gives the name of a list, and notes which kind its members are of. */
function readEntry(bytes: Uint8Array, { begin, end }: Field, kinds: Set<GeoFileKind>): string {
  let name = ''
  for (const field of fieldsOf(bytes, begin, end)) {
    if (field.number === 1 && field.begin - 2 !== begin) throw new Error('a list does not begin with its name')
    if (field.number === 1) name = textOf(bytes, field)
    else if (field.number === 2 && field.type === LENGTH) kinds.add(kindOfMember(bytes, field))
  }
  if (name === '' || name.length > LONGEST_NAME) throw new Error('a list has no name that Xray would find')
  return name
}

/** An address begins with its bytes, a domain with its kind or its text. */
function kindOfMember(bytes: Uint8Array, { begin, end }: Field): GeoFileKind {
  let kind: GeoFileKind | undefined
  for (const { number, type, value, ...place } of fieldsOf(bytes, begin, end)) {
    kind ??= number === 1 && type === LENGTH ? 'geoip' : 'geosite'
    if (kind === 'geosite') continue
    const length = place.end - place.begin
    if (number === 1 && length !== 4 && length !== 16) throw new Error('an address has neither 4 nor 16 bytes')
    if (number === 2 && (type !== VARINT || value > 128)) throw new Error('a network is longer than its address')
  }
  if (kind === undefined) throw new Error('a list holds something empty')
  return kind
}

function* fieldsOf(bytes: Uint8Array, begin: number, end: number): Generator<Field> {
  let at = begin
  const varint = (): number => {
    let value = 0
    for (let factor = 1; at < end; factor *= 128) {
      const byte = bytes[at] ?? 0
      at += 1
      value += (byte % 128) * factor
      if (byte < 128) return value
    }
    throw new Error('it ends in the middle')
  }
  while (at < end) {
    const key = varint()
    const [number, type] = [Math.floor(key / 8), key % 8]
    const value = type === VARINT || type === LENGTH ? varint() : 0
    const length = type === LENGTH ? value : (FIXED_LENGTHS[type] ?? Number.NaN)
    if (number === 0 || Number.isNaN(length)) throw new Error('it is no file of lists')
    if (at + length > end) throw new Error('it ends in the middle')
    yield { number, type, value, begin: at, end: at + length }
    at += length
  }
}

/** By type: a varint has been read by then, and numbers of 64 and 32 bits follow. */
const FIXED_LENGTHS: Readonly<Record<number, number>> = { 0: 0, 1: 8, 5: 4 }

function textOf(bytes: Uint8Array, { begin, end }: Field): string {
  try {
    return decodeURIComponent(Array.from(bytes.subarray(begin, end), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  } catch {
    throw new Error('the name of a list is no text')
  }
}
