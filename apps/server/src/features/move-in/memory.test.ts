import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { RemnawaveTranslator, UuidIndex } from '@causeway/import'
import { expect, test } from 'vitest'

/** One piece of reading fewer than where the sets would grow once more. */
const USERS = 65_000
const PIECE = 1000

function userRow(number: number) {
  const id = number.toString(16).padStart(12, '0')
  return {
    uuid: `3d1c2f7e-0000-4000-8000-${id}`,
    short_uuid: `short-${id}`,
    username: `user_${number}`,
    status: 'ACTIVE',
    traffic_limit_bytes: '0',
    traffic_limit_strategy: 'NO_RESET',
    expire_at: '2027-01-01 00:00:00+00',
    trojan_password: `trojan-${id}`,
    vless_uuid: `4d1c2f7e-0000-4000-8000-${id}`,
    ss_password: `ss-${id}`,
    used_traffic_bytes: '5',
    lifetime_used_traffic_bytes: '9',
    last_triggered_threshold: '0',
    created_at: '2026-01-01 00:00:00+00',
    updated_at: '2026-01-01 00:00:00+00',
  }
}

function bytesInUse(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // the function of that flag
  collect()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Users as they come over, and what of them is kept until the end. */
function bring(users: number) {
  const translator = new RemnawaveTranslator({ sessionSecret: null, isSigned: () => false, hashOf: () => '' })
  const index = new UuidIndex()
  for (let number = 0; number < users; number++) translator.names.add(`user_${number}`)
  translator.names.end()
  for (let from = 0; from < users; from += PIECE) {
    const rows = Array.from({ length: PIECE }, (_, place) => userRow(from + place))
    for (const line of translator.translateUsers(rows)) if (line.kind === 'user') index.add(line.uuid, from)
  }
  return { translator, index }
}

test('MOVE-012 of each user that came over about 50 bytes are kept, so that a million fit into the 300 MB of an import', () => {
  bring(USERS) // what the process needs once is not counted
  const before = bytesInUse()
  const { translator, index } = bring(USERS)
  expect((bytesInUse() - before) / USERS).toBeLessThan(60)
  expect(index.size).toBe(USERS)
  expect([translator.finishUsers(), translator.findings.list()]).toEqual([[], []])
})
