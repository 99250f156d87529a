import { describe, expect, test } from 'vitest'
import { networkOf, plainAddress, trustedProxies } from './addresses.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:51234', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:cb00:7107', '203.0.113.7'],
  ['[::ffff:203.0.113.7]:443', '203.0.113.7'],
  ['::ffff:255.255.255.255', '255.255.255.255'],
  ['2001:db8::7', '2001:db8::7'],
  ['2001:0DB8:0000:0::7', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:51234', '2001:db8::7'],
  ['2001:db8:1:2:3:4:5:6:51234', '2001:db8:1:2:3:4:5:6'],
  ['fe80::1%eth0', 'fe80::1'],
  ['[fe80::1%eth0]:80', 'fe80::1'],
  [' 203.0.113.7 ', '203.0.113.7'],
  ['unknown', 'unknown'],
  ['_hidden', 'unknown'],
  ['203.0.113.256', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('%s is the address %s', (text, address) => {
  expect(plainAddress(text)).toBe(address)
})

describe('throttles count', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:1', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
    ['[2001:0db8:0001:0002::9]:443', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})

describe('proxies', () => {
  const trusts = trustedProxies(['loopback', '10.0.0.0/8', '192.0.2.1', '2001:db8:5::/48'])
  test.each([
    ['127.0.0.1', true],
    ['127.8.8.8:80', true],
    ['::1', true],
    ['::ffff:10.1.2.3', true],
    ['10.1.2.3:8080', true],
    ['11.0.0.1', false],
    ['192.0.2.1', true],
    ['192.0.2.2', false],
    ['[2001:db8:5:1::1]:443', true],
    ['2001:db8:6::1', false],
    ['unknown', false],
  ])('%s is trusted: %s', (address, isTrusted) => {
    expect(trusts && trusts(address)).toBe(isTrusted)
  })
  test('none is trusted where none is named', () => {
    expect(trustedProxies([])).toBe(false)
  })
})
