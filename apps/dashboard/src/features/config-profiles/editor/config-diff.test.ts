import { expect, it } from 'vitest'
import { compareConfigs } from './config-diff.ts'

const text = (config: object) => JSON.stringify(config)

it('names inbounds that came, went and changed, with what of them, and other sections that differ', () => {
  const before = { log: { loglevel: 'info' }, inbounds: [{ tag: 'A', port: 1 }, { tag: 'B', port: 2 }, { tag: 'C' }], dns: {} }
  const after = {
    inbounds: [{ port: 10, tag: 'A', sniffing: {} }, { tag: 'D' }, { port: 2, tag: 'B' }],
    log: { loglevel: 'none' },
  }
  expect(compareConfigs(text(before), text(after))).toEqual({
    inbounds: [
      { tag: 'A', change: 'changed', keys: ['port', 'sniffing'] },
      { tag: 'D', change: 'added', keys: [] },
      { tag: 'C', change: 'removed', keys: [] },
    ],
    sections: ['log', 'dns'],
  })
})

it('finds nothing in another order of keys, and knows no answer for what is not a configuration', () => {
  expect(
    compareConfigs('{"a":1,"inbounds":[{"tag":"A","x":{"b":1,"c":2}}]}', '{"inbounds":[{"x":{"c":2,"b":1},"tag":"A"}],"a":1}'),
  ).toEqual({
    inbounds: [],
    sections: [],
  })
  expect(compareConfigs('{', '{}')).toBeUndefined()
  expect(compareConfigs('{}', '[]')).toBeUndefined()
})
