import { expect, it } from 'vitest'
import { doneSteps } from './first-steps.rules.ts'

const fresh = { profiles: 1, squads: 1, nodes: [], hosts: 0, users: 0, isInUse: false }
const waiting = { xrayVersion: null, nodeVersion: null }
const answered = { xrayVersion: '26.6.1', nodeVersion: '2.1.0' }

it.each([
  ['a fresh server has profile and squad', {}, ['profile', 'squad']],
  ['a node that waits for its agent is not done', { nodes: [waiting] }, ['profile', 'squad']],
  ['one node that has answered is enough', { nodes: [waiting, answered] }, ['profile', 'squad', 'node']],
  ['the order does not matter', { hosts: 1, users: 2 }, ['profile', 'squad', 'host', 'user']],
  ['all of it', { nodes: [answered], hosts: 1, users: 1, isInUse: true }, ['profile', 'squad', 'node', 'host', 'user', 'link']],
])('%s', (_, given, done) => {
  expect([...doneSteps({ ...fresh, ...given })]).toEqual(done)
})
