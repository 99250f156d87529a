import { expect, it } from 'vitest'
import { portSpans } from './port-spans.ts'

it.each([
  [443, [{ first: 443, last: 443 }]],
  ['443', [{ first: 443, last: 443 }]],
  [
    '443, 1000-2000',
    [
      { first: 443, last: 443 },
      { first: 1000, last: 2000 },
    ],
  ],
  ['env:EDGE_PORT', [{ first: 8443, last: 8443 }]],
  ['env:NO_SUCH_PORT', []],
  [undefined, []],
  ['any', []],
])('reads the port %j of an inbound', (port, spans) => {
  expect(portSpans([{ port }], { EDGE_PORT: '8443' })).toEqual(spans)
})
