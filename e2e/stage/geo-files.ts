// The smallest files of countries that apps take as whole, so that rules by country can be tried without fetching any.

/** Xray's list: GeoIPList of GeoIP { country_code, cidr { ip, prefix } }, each country with one network of examples. */
export function geoIpFile(countries: readonly string[]): Buffer {
  const network = Buffer.concat([field(1, Buffer.from([192, 0, 2, 0])), Buffer.from([0x10, 24])])
  return Buffer.concat(countries.map((country) => field(1, Buffer.concat([field(1, Buffer.from(country)), field(2, network)]))))
}

/** A field of protobuf that has a length; all of ours are short. */
function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content])
}

/** MaxMind DB 2.0 in which no address is found: a tree of one node, no data, and what every reader asks of it. */
export function emptyCountryDatabase(): Buffer {
  const nodeCount = 1
  const tree = Buffer.from([0, 0, nodeCount, 0, 0, nodeCount]) // both ways lead to "not found"
  const metadata = map({
    binary_format_major_version: unsigned(5, 2),
    binary_format_minor_version: unsigned(5, 0),
    build_epoch: unsigned(9, 1),
    database_type: text('GeoLite2-Country'),
    description: map({ en: text('nothing') }),
    ip_version: unsigned(5, 6),
    languages: control(11, 0),
    node_count: unsigned(6, nodeCount),
    record_size: unsigned(5, 24),
  })
  return Buffer.concat([tree, Buffer.alloc(16), Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'), metadata])
}

function map(entries: Record<string, Buffer>): Buffer {
  const pairs = Object.entries(entries).flatMap(([key, value]) => [text(key), value])
  return Buffer.concat([control(7, Object.keys(entries).length), ...pairs])
}

function text(value: string): Buffer {
  return Buffer.concat([control(2, value.length), Buffer.from(value)])
}

/** One byte is enough for every number here, and none for zero. Type 5 is of 16 bits, 6 of 32, 9 of 64. */
function unsigned(type: number, value: number): Buffer {
  return value === 0 ? control(type, 0) : Buffer.concat([control(type, 1), Buffer.from([value])])
}

/** Type and size; types beyond 7 have a byte of their own. */
function control(type: number, size: number): Buffer {
  return type <= 7 ? Buffer.from([(type << 5) | size]) : Buffer.from([size, type - 7])
}
