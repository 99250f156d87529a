import { describe, expect, it } from 'vitest'
import { placeOfPath, placeOfProblem } from './problem-place.ts'

const text = `{
  // a comment with "tag": "A"
  "inbounds": [
    { "tag": "A", "port": 443, "settings": { "decryption": "none" } },
    {
      "tag": "B",
      "port": "abc",
      "settings": { "decryption": "aes" },
      "streamSettings": { "realitySettings": { "shortIds": ["xyz0"] } }
    },
    { "tag": "A" }
  ],
  "outbounds": [{ "tag": "B", "protocol": "wormhole" }]
}`
const lines = text.split('\n')
/** What stands at the place. */
const at = (place: { line: number; column: number } | undefined) => place && lines[place.line - 1]?.slice(place.column - 1)

describe('the place of what Xray complains of', () => {
  it.each([
    ['failed to read config file at line 7 char 5: invalid character', 7, ' "port": "abc",'],
    ['failed to read config file at line 1 char 1: invalid port: abc: invalid character', 7, '"port": "abc"'],
    ['failed to build inbound config with tag B: VLESS settings: unsupported "decryption": aes', 8, '"decryption": "aes"'],
    ['failed to build inbound config with tag B: Failed to build REALITY config.: invalid "shortIds[0]": xyz0', 9, '"shortIds"'],
    ['failed to build inbound config with tag B: something', 6, '"tag": "B"'],
    [
      'failed to build inbound config with tag A: please add/set "decryption":"none" to every settings',
      4,
      '"decryption": "none"',
    ],
    ['failed to build outbound config with tag B: failed to load: unknown config id: wormhole', 13, '"protocol"'],
    ['failed to build OutBounds configuration: something', 13, '"outbounds"'],
    ['existing tag found: A', 11, '"tag": "A"'],
  ])('%s', (message, line, start) => {
    const place = placeOfProblem(text, message)
    expect(place?.line).toBe(line)
    expect(at(place)?.startsWith(start)).toBe(true)
  })

  it.each([
    ['env:PORT', 'failed to read config file: invalid port range: env:PORT: invalid port range: '],
    [
      '1.2.3',
      'failed to build routing configuration: invalid field rule: invalid IP: 1.2.3: unsupported address for router: 1.2.3',
    ],
    ['soon', 'failed to read config file: time: invalid duration "soon"'],
  ])('is that of the value %s', (value, message) => {
    expect(placeOfProblem(text.replace('abc', value), message)).toEqual({ line: 7, column: 7 })
  })

  it('is the end of a text that is not complete', () => {
    const place = placeOfProblem(`${text.slice(0, -3)}\n\n`, 'failed to read config file: unexpected EOF')
    expect(place).toEqual({ line: 13, column: lines[12]?.length })
  })

  it('is where a text that Xray cannot read is no JSON, unless that is a comment, which it can', () => {
    const message = "failed to read config file: invalid character '}' looking for beginning of object key string"
    expect(placeOfProblem('{\n  "inbounds": [],\n}', message)).toEqual({ line: 2, column: 17 })
    expect(placeOfProblem('{\n  // words\n  "inbounds": [],\n}', message)).toBeUndefined()
  })

  it('is none where the message names nothing of the text', () => {
    expect(placeOfProblem(text, 'this config must be run on version 99.0.0 or higher')).toBeUndefined()
  })
})

describe('the place of a path of the server', () => {
  it.each([
    ['inbounds[1].port', '"port": "abc"'],
    ['inbounds[2].port', '{ "tag": "A" }'],
    ['inbounds', '"inbounds"'],
    ['inbounds[1].streamSettings.network', '"streamSettings"'],
  ])('%s', (path, start) => {
    expect(at(placeOfPath(text, path))?.startsWith(start)).toBe(true)
  })

  it('is none in a text that has nothing of it', () => {
    expect(placeOfPath('{', 'inbounds')).toBeUndefined()
  })
})
