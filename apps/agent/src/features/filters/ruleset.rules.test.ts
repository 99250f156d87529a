import { expect, it } from 'vitest'
import { blocksText, cutText, rulesetOf, tableOf, withoutTable } from './ruleset.rules.ts'

const rules = {
  ingress: ['198.51.100.0/24', '2001:db8::/32'],
  egress: [],
  egressPorts: [25],
  blocks: new Map([['192.0.2.1', 60]]),
}

it('each agent of a machine has a table of its own', () => {
  expect([tableOf(2222), tableOf(2223)]).toEqual(['inet causeway', 'inet causeway_2223'])
  expect(withoutTable(2222)).toBe('add table inet causeway\ndelete table inet causeway')
})

it('PLUG-003 networks stand in the set of their family, and loopback and the port of the agent pass first', () => {
  const text = rulesetOf(rules, 2222)
  expect(text).toContain('set ingress4 {\n    type ipv4_addr\n    flags interval; auto-merge\n    elements = { 198.51.100.0/24 }')
  expect(text).toContain('set ingress6 {\n    type ipv6_addr\n    flags interval; auto-merge\n    elements = { 2001:db8::/32 }')
  expect(text).toContain('elements = { 192.0.2.1 timeout 60s }')
  const input = text.slice(text.indexOf('chain input'))
  const places = ['iif lo accept', 'tcp dport 2222 accept', 'drop'].map((rule) => input.indexOf(rule))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
})

it('PLUG-001 datagrams of an address are dropped to the ports of an inbound for a while', () => {
  const ports = [
    { first: 443, last: 443 },
    { first: 1000, last: 1010 },
  ]
  expect(cutText('inet causeway', ['192.0.2.1', '2001:db8::1'], ports, 60).split('\n')).toEqual([
    'add element inet causeway cut4 { 192.0.2.1 . 443 timeout 60s }',
    'add element inet causeway cut4 { 192.0.2.1 . 1000-1010 timeout 60s }',
    'add element inet causeway cut6 { 2001:db8::1 . 443 timeout 60s }',
    'add element inet causeway cut6 { 2001:db8::1 . 1000-1010 timeout 60s }',
  ])
})

it('a block gets its new time, and one that is not there can be taken back', () => {
  const text = blocksText(2222, { block: [{ ip: '192.0.2.1', seconds: 5 }], unblock: ['2001:db8::1'] })
  expect(text.split('\n')).toEqual([
    'add element inet causeway blocked6 { 2001:db8::1 }',
    'delete element inet causeway blocked6 { 2001:db8::1 }',
    'add element inet causeway blocked4 { 192.0.2.1 }',
    'delete element inet causeway blocked4 { 192.0.2.1 }',
    'add element inet causeway blocked4 { 192.0.2.1 timeout 5s }',
  ])
})
