// The smallest files of lists for rules, as Xray reads them.

const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content])

/** A file of domains: a list with one domain for each name. */
export function geositeFile(...lists: string[]): Buffer {
  const domain = field(2, field(2, Buffer.from('ads.example')))
  return Buffer.concat(lists.map((name) => field(1, Buffer.concat([field(1, Buffer.from(name)), domain]))))
}

/** A file of addresses: a list with one network for each name. */
export function geoipFile(...lists: string[]): Buffer {
  const network = field(2, Buffer.concat([field(1, Buffer.from([192, 0, 2, 0])), Buffer.from([0x10, 24])]))
  return Buffer.concat(lists.map((name) => field(1, Buffer.concat([field(1, Buffer.from(name)), network]))))
}
