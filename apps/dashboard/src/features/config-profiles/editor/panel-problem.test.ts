import { expect, it } from 'vitest'
import { panelProblem } from './panel-problem.ts'

const inbound = '{ "tag": "A", "protocol": "vless", "port": 443 }'

it.each([
  ['null', 'text', undefined, /one JSON object/],
  ['[]', 'text', undefined, /one JSON object/],
  ['5', 'text', undefined, /one JSON object/],
  ['{}', 'panel', undefined, /no inbounds/],
  ['', 'text', { line: 1, column: 1 }, /ends before/],
  [`{ "inbounds": [${inbound}] } }`, 'text', { line: 1, column: 68 }, /"}" is not expected/],
  [`{\n  // mine\n  "inbounds": [${inbound}]\n}`, 'text', { line: 2, column: 3 }, /comment/],
  [`{ "log": {}, "log": {}, "inbounds": [${inbound}] }`, 'text', { line: 1, column: 14 }, /"log" stands twice/],
  [`{\n "inbounds": [\n${inbound.replace('443', '70000')}] }`, 'panel', { line: 3, column: 36 }, /no port from 1 to 65535/],
])('the panel does not keep %j', (text, by, place, message) => {
  expect(panelProblem(text)).toEqual({ by, place, message: expect.stringMatching(message) })
})

it('leaves to Xray what only Xray knows', () => {
  expect(panelProblem(`{ "log": { "loglevel": "loud" }, "inbounds": [${inbound}] }`)).toBeUndefined()
})
