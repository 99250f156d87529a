import { expect, it } from 'vitest'
import { geoUses, missingLists, readGeoFile } from './geo-files.ts'

const field = (number: number, content: Uint8Array | number[]) => [(number << 3) | 2, content.length, ...content]
const text = (value: string) => Array.from(value, (letter) => letter.charCodeAt(0))
const network = (address: number[], prefix = 24) => [...field(1, address), 0x10, prefix]
const domain = (value: string) => [0x08, 2, ...field(2, text(value))]
const list = (name: string, ...members: number[][]) =>
  field(1, [...field(1, text(name)), ...members.flatMap((one) => field(2, one))])
const file = (...lists: number[][]) => Uint8Array.from(lists.flat())

const ADDRESSES = file(list('IR', network([192, 0, 2, 0])), list('EMPTY'), list('CN', network(Array<number>(16).fill(1), 64)))
const DOMAINS = file(list('ADS', domain('ads.example'), field(2, text('plain'))), list('CN', domain('cn.example')))

it('JOIN-010 reads the lists of both kinds of geo files', () => {
  expect(readGeoFile(ADDRESSES, 'geoip.dat')).toEqual({ kind: 'geoip', lists: ['IR', 'EMPTY', 'CN'] })
  expect(readGeoFile(DOMAINS, 'own.dat')).toEqual({ kind: 'geosite', lists: ['ADS', 'CN'] })
})

it.each([
  ['nothing', new Uint8Array(), 'no addresses and no domains'],
  ['a page of the web', Uint8Array.from(text('<!doctype html><html></html>')), 'it is no file of lists'],
  ['a file that is cut', DOMAINS.subarray(0, -3), 'ends in the middle'],
  ['an address of five bytes', file(list('IR', network([1, 2, 3, 4, 5]))), 'neither 4 nor 16 bytes'],
  ['a prefix of 200', file(list('IR', [...field(1, [1, 2, 3, 4]), 0x10, 0xc8, 1])), 'longer than its address'],
  ['both kinds', file(list('IR', network([1, 2, 3, 4])), list('CN', domain('cn.example'))), 'both addresses and domains'],
  ['a list without a name', file(field(1, field(2, domain('a.example')))), 'no name'],
  ['a name after its members', file(field(1, [...field(2, domain('a')), ...field(1, text('A'))])), 'begin with its name'],
])('JOIN-010 refuses %s', (_, bytes, why) => {
  expect(() => readGeoFile(bytes)).toThrow(why)
})

it('JOIN-010 refuses a usual file with the lists of the other', () => {
  expect(() => readGeoFile(DOMAINS, 'geoip.dat')).toThrow('it holds domains, not addresses')
  expect(() => readGeoFile(ADDRESSES, 'geosite.dat')).toThrow('it holds addresses, not domains')
})

it('JOIN-010 finds the lists that a configuration names, and those that files lack', () => {
  const config = {
    dns: { hosts: { 'geosite:category-ads': '127.0.0.1' }, servers: [{ address: '1.1.1.1', domains: ['ext:own.dat:ads@x'] }] },
    routing: {
      rules: [
        { ip: ['geoip:!ir', 'geoip:cn', 'ext-ip:own-ip.dat:Office', '10.0.0.0/8'], domain: ['geosite:cn@!cn', 'domain:geoip'] },
        { ip: ['geoip:cn'], domain: ['ext:gone.dat:a'] },
      ],
    },
  }
  const uses = geoUses(JSON.stringify(config))
  expect(uses.map(({ file, list }) => `${file} ${list}`)).toEqual([
    'geosite.dat category-ads',
    'own.dat ads',
    'geoip.dat ir',
    'geoip.dat cn',
    'own-ip.dat Office',
    'geosite.dat cn',
    'gone.dat a',
  ])
  const files = new Map([
    ['geoip.dat', ['IR', 'CN']],
    ['geosite.dat', ['CN']],
    ['own.dat', ['ads']], // Xray looks for ADS
    ['own-ip.dat', ['OFFICE']],
  ])
  expect(missingLists(uses, files)).toEqual([
    { file: 'geosite.dat', list: 'category-ads' },
    { file: 'own.dat', list: 'ads' },
  ])
})
