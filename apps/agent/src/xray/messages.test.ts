import { Code, ConnectError } from '@connectrpc/connect'
import { describe, expect, it } from 'vitest'
import { complaint, refusal } from './messages.ts'

describe('complaint', () => {
  it.each([
    ['', undefined],
    ['Xray 26.3.27\n2026/11/21 [Warning] core: started\n', undefined],
    [
      'Failed to start: main: failed to load config files: [/a/config-1.json] > infra/conf: unknown config id: nope\n',
      'failed to load config files: [/a/config-1.json]: unknown config id: nope',
    ],
    ['[Info] x\npanic: runtime error: index out of range\n\ngoroutine 1\n', 'panic: runtime error: index out of range'],
    ['Failed to start: old\nFailed to start: app/proxyman/inbound: failed to listen', 'failed to listen'],
  ])('of %j is %j', (output, expected) => {
    expect(complaint(output)).toBe(expected)
  })

  it('is short enough to be shown', () => {
    expect(complaint(`Failed to start: ${'x'.repeat(5000)}`)).toHaveLength(1000)
  })
})

describe('refusal', () => {
  it('is what Xray wrote, without the code of the transport and the names of its packages', () => {
    const error = new ConnectError(
      'app/proxyman/command: failed to get handler: A > app/proxyman/inbound: not found: A',
      Code.Unknown,
    )
    expect(refusal(error)).toBe('failed to get handler: A: not found: A')
  })

  it('takes errors of any kind', () => {
    expect(refusal(new Error('The level must be small.'))).toBe('The level must be small.')
  })
})
