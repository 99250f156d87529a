import { expect, it } from 'vitest'
import { arrangeNodes, hasMetrics, metricsRows, overviewOf, type NodeMetrics } from './metrics.rules.ts'

const node = (given: Partial<NodeMetrics> = {}): NodeMetrics => ({
  uuid: 'a',
  name: 'Warsaw',
  countryCode: 'PL',
  providerName: 'Hoster',
  isConnected: true,
  isDisabled: false,
  usersOnline: 3,
  countedThroughAt: '2026-11-22T07:00:00.000Z',
  inbounds: [{ tag: 'VLESS', uploadBytes: 1, downloadBytes: 2 }],
  outbounds: [
    { tag: 'DIRECT', uploadBytes: 10, downloadBytes: 20 },
    { tag: 'BLOCK', uploadBytes: 0, downloadBytes: 5 },
  ],
  ...given,
})
const idle = node({ uuid: 'b', name: 'Riga', providerName: null, usersOnline: 0, inbounds: [], outbounds: [] })

it('NMET-003 a node is active while it has more than no users online', () => {
  expect(overviewOf([node(), idle, node({ usersOnline: 1 })])).toEqual({
    nodes: 3,
    active: 2,
    online: 4,
    upload: 20,
    download: 50,
  })
  const quiet = node({ outbounds: [{ tag: 'DIRECT', uploadBytes: 0, downloadBytes: 0 }] })
  expect(overviewOf([quiet])).toMatchObject({ upload: 1, download: 2 })
  expect(overviewOf([])).toEqual({ nodes: 0, active: 0, online: 0, upload: 0, download: 0 })
})

it('there are metrics as soon as one node has any', () => {
  expect(hasMetrics([idle])).toBe(false)
  expect(hasMetrics([idle, node()])).toBe(true)
})

it.each([
  ['', 'list', ['Warsaw', 'Riga']],
  ['', 'name', ['Riga', 'Warsaw']],
  ['', 'online', ['Warsaw', 'Riga']],
  ['', 'traffic', ['Warsaw', 'Riga']],
  [' hOST ', 'list', ['Warsaw']],
  ['block', 'list', ['Warsaw']],
  ['rig', 'list', ['Riga']],
  ['nowhere', 'list', []],
] as const)('%j in the order %s finds %j', (text, order, names) => {
  expect(arrangeNodes([node(), idle], text, order).map(({ name }) => name)).toEqual(names)
})

it('a file has a row for each tag', () => {
  const rows = metricsRows([node(), idle], ['Node', 'Direction', 'Tag', 'Up', 'Down', 'As of'], {
    inbound: 'in',
    outbound: 'out',
  })
  expect(rows).toEqual([
    ['Node', 'Direction', 'Tag', 'Up', 'Down', 'As of'],
    ['Warsaw', 'in', 'VLESS', 1, 2, '2026-11-22T07:00:00.000Z'],
    ['Warsaw', 'out', 'DIRECT', 10, 20, '2026-11-22T07:00:00.000Z'],
    ['Warsaw', 'out', 'BLOCK', 0, 5, '2026-11-22T07:00:00.000Z'],
  ])
})
