import { createConfigProfile } from '@causeway/contract'
import { expect, it } from 'vitest'
import { defaultConfig } from './default-config.ts'

it('PROF-016 PROF-017 PROF-018 PROF-019 PROF-020 PROF-021 the contract takes it, with another tag each time', () => {
  const configs = Array.from({ length: 20 }, defaultConfig)
  for (const config of configs) {
    expect(createConfigProfile.body.safeParse({ name: 'first', config }).success).toBe(true)
    expect(config).toMatchObject({ inbounds: [{ tag: expect.stringMatching(/^Shadowsocks_[1-9]\d{0,5}$/), port: 1234 }] })
  }
  expect(new Set(configs.map((config) => JSON.stringify(config))).size).toBeGreaterThan(15)
})
